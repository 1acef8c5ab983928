import { isIP } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'
import type { OwnNames } from './make-certificate.ts'

const mostAddresses = 20

/**
 * Returns the present names and addresses of this machine, except those that only the machine itself can use, such as
 * 127.0.0.1.
 */
export function machineNames(): OwnNames {
  const interfaces = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  const addresses = interfaces.filter(({ internal, address }) => !internal && isPrivate(address))
  return {
    names: namesOf(hostname()),
    addresses: [...new Set(addresses.map(({ address }) => address))].slice(0, mostAddresses),
  }
}

/** Returns the names of a machine with this host name: `box.hotel.lan` is `box` and `box.local` as well. */
export function namesOf(host: string): string[] {
  const whole = host.toLowerCase().replace(/\.$/, '')
  const [first = ''] = whole.split('.')
  return [...new Set([first, `${first}.local`, whole])].filter(isDnsName)
}

/** Whether a text is a DNS name in lower case that a certificate may contain. */
export function isDnsName(name: string): boolean {
  return (
    name.length <= 253 &&
    isIP(name) === 0 &&
    /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?(\.[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?)*$/.test(name)
  )
}

/** Whether a DNS name is one of `permitted`, or below one of them. */
export function isPermitted(name: string, permitted: readonly string[]): boolean {
  return permitted.some((each) => name === each || name.endsWith(`.${each}`))
}

/** Whether an address belongs to a private network. Link-local IPv6 addresses do not count: no browser opens them. */
export function isPrivate(address: string): boolean {
  if (isIP(address) === 6) return /^f[cd]/i.test(address)
  return /^(10|127|192\.168|169\.254|172\.(1[6-9]|2\d|3[01]))\./.test(address)
}
