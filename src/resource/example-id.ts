/** The id that stands for a resource of a type wherever an example names one: the same each time. */
export function exampleId(type: string): string {
  let hash = 0
  for (const character of type) hash = (hash * 31 + character.charCodeAt(0)) % 0xffff_ffff
  return `0197c0de-0000-7000-8000-${hash.toString(16).padStart(12, '0')}`
}
