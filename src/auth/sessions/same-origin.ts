import type { IncomingMessage } from 'node:http'
import { Problem } from '../../resource/problem.ts'
import { isEncrypted } from './session-cookie.ts'

/**
 * Throws cross-origin unless a page of this appliance sent the request. `Sec-Fetch-Site` decides, because no script can
 * set it; older browsers send `Origin` instead. A request without both headers does not come from a browser, and is
 * refused when it has a cookie.
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
