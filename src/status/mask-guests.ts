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
const email = /(?<![\p{L}\p{M}\d._%+/-])[\p{L}\p{M}\d._%+-]+@[\p{L}\p{M}\d-]+(?:\.[\p{L}\p{M}\d-]+)+/gu
const phone = /(?<![\p{L}\d_:@/-]|\d\.)[+(]?\d[\d\s()./-]{4,}\d(?![\p{L}\d_:@/-]|\.\d)/gu
/** What a run of digits may be as well: an address of the network, or a date. */
const noPhone = /^(?:\d{1,3}(?:\.\d{1,3}){3}|\d{4}-\d\d-\d\d)$/

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
  return (text, origin) => {
    const hidden = text.replaceAll(email, '[e-mail]').replaceAll(phone, (found) => withoutPhone(found, text))
    const isAmongWords = hidden.trim().includes(' ')
    return hidden.replaceAll(words, (word) => {
      if (names.has(bare(word)) && isName(word, origin === 'typed' ? 'typed' : isAmongWords)) return '[name]'
      return unspaced.test(word) ? withoutParts(word, parts) : word
    })
  }
}

function isName(word: string, where: 'typed' | boolean): boolean {
  const { length } = Array.from(word)
  if (length >= fewestLetters) return true
  return length > 1 && (where === 'typed' || (where && word[0] !== word[0]?.toLowerCase()))
}

function withoutParts(word: string, parts: ReadonlySet<string>): string {
  let kept = word
  // The longest first: a name may contain another.
  for (const part of [...parts].sort((one, other) => other.length - one.length))
    kept = kept.replaceAll(part, '[name]')
  return kept
}

/** A whole text of digits alone is the serial number of a device or a code. */
function withoutPhone(found: string, whole: string): string {
  const digits = found.replaceAll(/\D/g, '')
  const isCode = found === whole && digits === found && !found.startsWith('0')
  const isNumber = digits.length >= fewestDigits && digits.length <= mostDigits
  return !isNumber || noPhone.test(found) || isCode ? found : '[phone]'
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
