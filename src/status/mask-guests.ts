import type { Questions } from '../resource/command.ts'

/** The newest profiles whose names are masked, besides those of guests who are expected or in house. */
const mostProfiles = 5_000
/** A shorter word in a text of the program is part of many others, such as the unit of a number. */
const fewestLetters = 3
/** A number of fewer digits cannot be called from outside; E.164 has no more. */
const [fewestDigits, mostDigits] = [7, 15]

const masked = `SELECT firstName, middleName, lastName, companyName FROM profile WHERE rid IN (
  SELECT rid FROM (SELECT rid FROM profile ORDER BY updatedAt DESC LIMIT ${mostProfiles})
  UNION SELECT stay_profile.id FROM stay_profile JOIN stay ON stay.rid = stay_profile.owner
  WHERE stay.status IN ('Tentative', 'Waitlisted', 'Confirmed', 'InHouse'))`

const words = /\p{L}[\p{L}\p{M}'’]*/gu
/** Scripts that write no space between words. A name in them may stand anywhere in a run of letters. */
const unspaced = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]/u
/** What looks like a telephone number and is none: an address of the network with what follows it, or a day. */
const noPhone = /\d{1,3}(?:\.\d{1,3}){3}(?:[/:]\d+)?|\d{4}-\d\d-\d\d/gu
/** In a typed text: any seven digits or more, however they are parted; and an address whose domain is cut short. */
const typed = {
  email: /[\p{L}\p{M}\d._%+-]+ ?@ ?[\p{L}\p{M}\d-]+(?:\.[\p{L}\p{M}\d-]+)*/gu,
  phone: /[+(]?\p{Nd}[\p{Nd}\s()./\p{Pd}]{4,}\p{Nd}/gu,
}
/** In a text of the program, where numbers count bytes and milliseconds: as numbers are dialled, from + or 0, in groups. */
const ofProgram = {
  email: /(?<![\p{L}\p{M}\d._%+/-])[\p{L}\p{M}\d._%+-]+@[\p{L}\p{M}\d-]+(?:\.[\p{L}\p{M}\d-]+)+/gu,
  phone: /(?<![\p{L}\d_:@/.-])(?:\+\d|\(?0\d+[)\s/-])[\d\s()/-]{4,}\d(?![\p{L}\d_@-]|\.\d)/gu,
}

/** How a text came to be: people type what they like, the program writes words that may look like a name. */
export type Origin = 'typed' | 'program'

/**
 * Returns a function that replaces names of guests, e-mail addresses and telephone numbers in a text. In a text that was
 * `typed` a name may have two letters, in any case; in a text of the program only where it begins with a capital among
 * other words.
 */
export function maskGuests(reader: Pick<Questions, 'all'>): (text: string, origin: Origin) => string {
  const names = new Set<string>()
  const parts = new Set<string>()
  for (const row of reader.all<Record<string, string | null>>(masked))
    for (const name of Object.values(row))
      for (const [word] of name?.matchAll(words) ?? []) (unspaced.test(word) ? parts : names).add(bare(word))
  // The longest first: a name may contain another.
  const unspacedNames = [...parts].sort((one, other) => other.length - one.length)
  return (text, origin) => {
    const hidden = withoutPhones(text.replaceAll(forms[origin].email, '[e-mail]'), forms[origin].phone)
    const isAmongWords = hidden.trim().includes(' ')
    return hidden.replaceAll(words, (word) => {
      if (names.has(bare(word)) && isName(word, origin === 'typed' ? 'typed' : isAmongWords)) return '[name]'
      return unspaced.test(word) ? withoutParts(word, unspacedNames) : word
    })
  }
}

const forms = { typed, program: ofProgram }

/** Addresses of the network and days are passed over, wherever they stand. */
function withoutPhones(text: string, phone: RegExp): string {
  const kept = text.match(noPhone) ?? []
  return text
    .split(noPhone)
    .map((part, index) => part.replaceAll(phone, withoutPhone) + (kept[index] ?? ''))
    .join('')
}

function isName(word: string, where: 'typed' | boolean): boolean {
  const { length } = Array.from(word)
  if (length >= fewestLetters) return true
  return length > 1 && (where === 'typed' || (where && word[0] !== word[0]?.toLowerCase()))
}

function withoutParts(word: string, parts: readonly string[]): string {
  return parts.reduce((kept, part) => kept.replaceAll(part, '[name]'), word)
}

function withoutPhone(found: string): string {
  const { length } = found.replaceAll(/\P{Nd}/gu, '')
  return length < fewestDigits || length > mostDigits ? found : '[phone]'
}

/** A word without its accents, in lower case: a desk types Jose for José. */
function bare(word: string): string {
  return word.normalize('NFD').replaceAll(/\p{M}/gu, '').normalize('NFC').toLowerCase()
}

/** Masks the strings in a value, at any depth, and the names of members that people have typed. */
export function maskedValue<T>(value: T, mask: (text: string) => string): T {
  if (typeof value === 'string') return mask(value) as T
  if (Array.isArray(value)) return value.map((each) => maskedValue(each, mask)) as T
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, each]) => [
    /^[\w.-]*$/.test(name) ? name : mask(name),
    maskedValue(each, mask),
  ])
  return Object.fromEntries(members) as T
}
