import { parse } from 'tldts'

/**
 * Top-level domains that networks use for themselves, and that the list of public suffixes does not have, and host names for
 * which clients search by themselves.
 */
const privateUse: readonly string[] = [
  'alt',
  'autodiscover',
  'corp',
  'example',
  'home',
  'home.arpa',
  'internal',
  'intranet',
  'invalid',
  'isatap',
  'lan',
  'local',
  'localdomain',
  'mail',
  'onion',
  'private',
  'test',
  'workgroup',
  'wpad',
  'www',
]

/**
 * Whether a DNS name, and each name below it, can only be this machine's, so that an authority may sign for it
 * (RFC 5280, 4.2.1.10: a permitted name includes all names below it). These are names of others:
 * - a public suffix, such as `com`, `app` or `co.uk`, also as the host name of a machine;
 * - a domain that is registered as a whole, such as `hotel.com`: mail and web pages of the hotel have names below it;
 * - a top-level domain of a private network, such as `lan`;
 * - a name above one of `machine`, the present names of this machine: it is the domain of the house.
 */
export function isOwnName(name: string, machine: readonly string[]): boolean {
  if (machine.some((each) => each.endsWith(`.${name}`))) return false
  if (privateUse.includes(name)) return false
  const { publicSuffix, isIcann, isPrivate } = parse(name, { allowPrivateDomains: true })
  if (publicSuffix === name) return !isIcann && !isPrivate
  const registered = parse(name)
  return (
    !registered.isIcann || privateUse.includes(registered.publicSuffix ?? '') || registered.domain !== name
  )
}
