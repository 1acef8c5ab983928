/** For an option that may be given more than once: all that was given. */
export function another(text: string, before: string[] = []): string[] {
  return [...before, text]
}
