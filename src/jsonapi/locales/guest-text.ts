import { catalogue } from '../catalogue.ts'
import { isLanguage, namedLanguage, type Translations } from './language.ts'

/** The instruction for a guest, by the word in `meta.guest` of a failure. */
export const guestTexts = () => catalogue<Readonly<Record<string, Translations>>>('guest')

/** A sentence for the guest, and its language. */
interface GuestText {
  guestText: string
  guestLanguage: string
}

/**
 * Returns the sentence for a word of `meta.guest`, in the language that the Accept-Language header names, else in
 * `profileLanguage`, which is that of the guest's profile, else in English. Null for any other value.
 */
export function guestText(
  word: unknown,
  header: string | undefined,
  profileLanguage?: string | null,
): GuestText | null {
  const found = typeof word === 'string' && Object.hasOwn(guestTexts(), word) ? guestTexts()[word] : undefined
  if (!found) return null
  const own = isLanguage(profileLanguage) ? profileLanguage : 'en'
  const guestLanguage = namedLanguage(header) ?? own
  return { guestText: found[guestLanguage], guestLanguage }
}
