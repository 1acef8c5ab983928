import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { hostname, networkInterfaces } from 'node:os'

/** What a proxy says of whom it asks for. */
const forwarding = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
]

/**
 * Whether somebody at this machine asks for this machine: over loopback, by an address or a name of its own, and not for
 * others. A page of the internet whose name leads to 127.0.0.1 asks by that name, and a proxy says for whom it asks.
 */
export function isAskedHere({ socket, headers }: IncomingMessage): boolean {
  if (!isLoopback(socket.remoteAddress)) return false
  return isOwnName(headers.host ?? '') && !forwarding.some((name) => headers[name] !== undefined)
}

/** Whether an address is this machine's own. */
export function isLoopback(address = ''): boolean {
  const plain = address.replace(/^::ffff:/, '')
  return plain === '::1' || plain === 'localhost' || (isIP(plain) === 4 && plain.startsWith('127.'))
}

function isOwnName(host: string): boolean {
  const name = host
    .toLowerCase()
    .replace(/:\d{1,5}$/, '')
    .replace(/^\[(.*)\]$/, '$1')
    .replace(/\.$/, '')
  if (isLoopback(name)) return true
  const own = hostname().toLowerCase()
  if (name !== '' && (name === own || name === `${own}.local`)) return true
  return isIP(name) !== 0 && isOwnAddress(name)
}

function isOwnAddress(address: string): boolean {
  const interfaces = Object.values(networkInterfaces()).flatMap((each) => each ?? [])
  return interfaces.some((each) => each.address === address)
}
