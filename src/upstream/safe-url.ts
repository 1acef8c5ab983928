import { isIP } from 'node:net'
import { isForbidden, isLocal } from '../events/webhooks/address.ts'

/** Null for an address that may be spoken to: HTTPS to anywhere, or HTTP within the house. Otherwise what is wrong with `name`. */
export function urlProblem(name: string, text: string): string | null {
  const url = URL.parse(text)
  if (!url) return `${name} must be a URL.`
  if (url.username !== '' || url.password !== '') return `${name} must not hold a name or a password.`
  const address = url.hostname.replace(/^\[|\]$/g, '')
  const isAddress = isIP(address) !== 0
  if (isAddress && isForbidden(address)) return `${name} is an address that is not spoken to.`
  if (url.protocol === 'https:') return null
  if (url.protocol === 'http:' && isAddress && isLocal(address)) return null
  return `${name} must be https, or http to a private address.`
}
