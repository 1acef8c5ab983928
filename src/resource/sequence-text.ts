/** Returns the number of a journal line as twenty digits, so that texts sort like numbers. */
export function sequenceText(sequence: number): string {
  return String(sequence).padStart(20, '0')
}
