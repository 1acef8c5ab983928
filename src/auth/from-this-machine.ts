import type { IncomingMessage } from 'node:http'
import { isIP } from 'node:net'
import { hostname } from 'node:os'
import { isLoopback, isOwnAddress } from '../host/machine/reachable.ts'

/** Headers in which a proxy names its client. */
const forwarding = [
  'forwarded',
  'via',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
]

/**
 * Whether the request comes from this machine and is for it: over loopback, with a Host header that names
 * this machine, and without proxy headers. A web page whose name resolves to 127.0.0.1 sends that name as
 * Host, so it is refused.
 */
export function isFromThisMachine({ socket, headers }: IncomingMessage): boolean {
  if (!isLoopback(socket.remoteAddress)) return false
  return isOwnName(headers.host ?? '') && !forwarding.some((name) => headers[name] !== undefined)
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
