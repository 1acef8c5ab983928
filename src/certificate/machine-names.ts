import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { type LeftOut, reachableAddresses } from '../host/machine/reachable.ts'
import type { OwnNames } from './make-certificate.ts'

const mostAddresses = 20

/** The names of this machine, and the addresses at which other devices reach its server. */
export interface MachineNames extends OwnNames {
  /** The name of the network interface of each address. */
  interfaces?: Readonly<Record<string, string>>
  /** The addresses that are left out, with the reason. */
  leftOut?: readonly LeftOut[]
}

/** Returns the present names and addresses of this machine, for a server that listens on `host`. */
export function machineNames(host: string): MachineNames {
  const { addresses, ...rest } = reachableAddresses(host)
  return { names: namesOf(hostname()), addresses: addresses.slice(0, mostAddresses), ...rest }
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
