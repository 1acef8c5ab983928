/** Returns the fingerprint in groups of four digits, eight groups in a line, to read aloud and compare. */
export function inGroups(fingerprint: string): string {
  const groups = fingerprint.replaceAll(':', '').match(/.{4}/g) ?? []
  return [groups.slice(0, 8), groups.slice(8)].map((line) => line.join(' ')).join('\n')
}
