import type { IncomingMessage } from 'node:http'
import { Problem } from '../../resource/problem.ts'
import { isEncrypted } from './session-cookie.ts'

/**
 * Throws cross-origin unless the page that sent this request came from this appliance. `Sec-Fetch-Site` decides, which no
 * script can set; a browser without it sends `Origin`. A request without either is no browser's: it is refused when it
 * has a cookie.
 */
export function expectSameOrigin({ headers, socket }: IncomingMessage, hasCookie: boolean): void {
  const { origin, host = '' } = headers
  const own = `${isEncrypted(socket) ? 'https' : 'http'}://${host.toLowerCase()}`
  const site = headers['sec-fetch-site']
  if (site !== undefined ? site === 'same-origin' : origin !== undefined ? isAt(origin, own) : !hasCookie)
    return
  const detail =
    'A cookie is accepted for a change only from the pages of this appliance: Sec-Fetch-Site must be same-origin, or Origin must be the Host.'
  throw new Problem('cross-origin', detail, { header: site === undefined ? 'Origin' : 'Sec-Fetch-Site' })
}

function isAt(origin: string, own: string): boolean {
  return URL.canParse(origin) && URL.canParse(own) && new URL(origin).origin === new URL(own).origin
}

const safe = new Set(['GET', 'HEAD', 'OPTIONS'])

/** Whether a request with this method changes nothing. */
export function isSafe(method: string | undefined): boolean {
  return safe.has(method ?? '')
}
