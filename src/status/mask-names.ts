import type { Questions } from '../resource/command.ts'

/** The newest profiles whose names are masked. A guest who is in house, or was lately, is among them. */
const mostProfiles = 5_000
/** Shorter words are parts of many others, such as the unit of a number. */
const fewestLetters = 3

const newest = `SELECT firstName, middleName, lastName, companyName FROM profile ORDER BY updatedAt DESC LIMIT ${mostProfiles}`

const words = /\p{L}[\p{L}\p{M}'’]*/gu

/** Returns a function that replaces each word of a text that is part of a guest's name by `[name]`. */
export function maskNames(reader: Pick<Questions, 'all'>): (text: string) => string {
  const names = new Set<string>()
  for (const row of reader.all<Record<string, string | null>>(newest)) {
    for (const name of Object.values(row)) for (const [word] of name?.matchAll(words) ?? []) add(names, word)
  }
  return (text) => text.replaceAll(words, (word) => (names.has(word.toLowerCase()) ? '[name]' : word))
}

function add(names: Set<string>, word: string): void {
  if (word.length >= fewestLetters) names.add(word.toLowerCase())
}

/** Masks the strings in a value, at any depth. The names of members stay. */
export function maskedValue<T>(value: T, mask: (text: string) => string): T {
  if (typeof value === 'string') return mask(value) as T
  if (Array.isArray(value)) return value.map((each) => maskedValue(each, mask)) as T
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, each]) => [name, maskedValue(each, mask)])
  return Object.fromEntries(members) as T
}
