import { detailOrEnglish } from '../jsonapi/locales/detail.ts'
import type { Language } from '../jsonapi/locales/language.ts'

/** A backup cannot be made or restored. The message says what happened, what it means, and what a person can do. */
export class BackupRefused extends Error {}

/** The recovery key, or its passphrase, does not open the backup. The backup itself may be good. */
export class WrongKey extends BackupRefused {}

/** Returns the message of a BackupRefused in a language; without a translation as it is. */
export function problemIn(language: Language, message: string): string {
  return detailOrEnglish(language, 'backup-refused', message)
}
