/** Returns the id that examples use for a resource of this type. It is always the same. */
export function exampleId(type: string): string {
  let hash = 0
  for (const character of type) hash = (hash * 31 + character.charCodeAt(0)) % 0xffff_ffff
  return `0197c0de-0000-7000-8000-${hash.toString(16).padStart(12, '0')}`
}
