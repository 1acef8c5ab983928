import { type FormFields, secretFields } from './protocol.ts'

const longest = 120

/**
 * A text of the cloud for a log: one line of 120 characters at most, without the secrets that were sent and without
 * any run of four or more digits, which could be a PIN.
 */
export function masked(text: string, sent: FormFields): string {
  let shown = text.slice(0, 10 * longest)
  for (const name of secretFields) {
    const secret = sent[name]
    if (!secret) continue
    shown = shown.replaceAll(secret, '***').replaceAll(encodeURIComponent(secret), '***')
  }
  return shown
    .replaceAll(/\d{4,}/g, '***')
    .replaceAll(/[\p{C}\p{Z}]+/gu, ' ')
    .slice(0, longest)
    .trim()
}
