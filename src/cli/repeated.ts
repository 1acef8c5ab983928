/** Collects the values of an option that can occur several times. */
export function another(text: string, before: string[] = []): string[] {
  return [...before, text]
}
