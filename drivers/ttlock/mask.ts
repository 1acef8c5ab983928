import { type Fields, secretFields } from './protocol.ts'

const longest = 120

/**
 * Words of the cloud, fit for a log: without what was sent in confidence, without anything that could be a PIN, on one
 * line, and short.
 */
export function masked(text: string, sent: Fields): string {
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
