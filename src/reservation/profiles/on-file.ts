import type { Profile } from '../resources/profile.ts'

/** The fewest digits of a telephone number, counted from its end. */
const fewestDigits = 4

/**
 * Returns whether a person has this on file: an e-mail address, a postcode, or a telephone number or at least its last four
 * digits. Case, spaces and hyphens make no difference.
 */
export function isOnFile({ emails, phoneNumbers, addresses }: Profile, typed: string): boolean {
  const wanted = plain(typed)
  if (wanted === '') return false
  const isMail = (emails ?? []).some(({ address }) => plain(address) === wanted)
  const isCode = (addresses ?? []).some(({ postalCode }) => plain(postalCode ?? '') === wanted)
  return isMail || isCode || (phoneNumbers ?? []).some(({ number }) => endsWith(number, typed))
}

const plain = (text: string) => text.replace(/[\s-]/g, '').toLowerCase()

/** A guest may write the zero before the number of an area, also as (0), which the international form does not have. */
function endsWith(number: string, typed: string): boolean {
  if (!/^[\d\s()+/.-]+$/.test(typed)) return false
  const digits = typed.replace(/\(0\)|\D/g, '')
  const wanted = digits.length > fewestDigits ? digits.replace(/^0+/, '') : digits
  return wanted.length >= fewestDigits && number.replace(/\D/g, '').endsWith(wanted)
}
