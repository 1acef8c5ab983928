import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { isFromThisMachine } from '../from-this-machine.ts'
import { digest } from '../secrets/token-format.ts'

/** The cookie of a session, and that of a station. */
export type CookieKind = 'session' | 'station'

const names: Record<CookieKind, string> = { session: 'np', station: 'np-station' }
/**
 * The page of a kiosk sends `X-Kiosk: true`. Its cookies have names of their own, so that a member of the staff can be
 * signed in with the same browser.
 */
const kioskNames: Record<CookieKind, string> = { session: 'np-kiosk', station: 'np-kiosk-station' }

/** Whether the page of a kiosk has sent the request. */
export const isOfKiosk = ({ headers }: IncomingMessage) => headers['x-kiosk'] === 'true'

/** Browsers keep a cookie for at most 400 days. That of a station is sent anew at every sign-in. */
const stationSeconds = 400 * 86_400

const form = /^[A-Za-z0-9_-]{43}$/

/** Returns a new secret for a cookie, of 256 random bits, and its SHA-256 in hex. */
export function newCookie(): { secret: string; digest: string } {
  const secret = randomBytes(32).toString('base64url')
  return { secret, digest: digestOf(secret) }
}

function digestOf(secret: string): string {
  return digest(secret).toString('hex')
}

/**
 * Returns the digest of the request's cookie; null without one. Over TLS the name has the prefix `__Host-`. Without TLS
 * a cookie is accepted only in requests from this machine.
 */
export function cookieIn(message: IncomingMessage, kind: CookieKind): string | null {
  const secret = secretIn(message, kind)
  return secret === null ? null : digestOf(secret)
}

/** Returns the digests of all session cookies of the browser: that of the staff, and that of its kiosk. */
export function sessionCookiesIn(message: IncomingMessage): string[] {
  const { cookie } = message.headers
  if (cookie === undefined) return []
  const secrets = [names, kioskNames].map(({ session }) => secretNamed(cookie, prefixed(message, session)))
  return secrets.flatMap((secret) => (secret === null ? [] : [digestOf(secret)]))
}

/** Returns the request's cookie, so that the answer can set it again; null without one. */
export function secretIn(message: IncomingMessage, kind: CookieKind): string | null {
  const { cookie } = message.headers
  if (cookie === undefined) return null
  const own = secretNamed(cookie, nameFor(message, kind))
  // The station cookie of the staff is valid for the page of the kiosk too, because both belong to the same browser.
  return own ?? (kind === 'station' ? secretNamed(cookie, prefixed(message, names.station)) : null)
}

function secretNamed(cookie: string, name: string | null): string | null {
  if (name === null) return null
  const [found, another] = cookie
    .split(';')
    .map((each) => each.trim())
    .filter((each) => each.startsWith(`${name}=`))
    .map((each) => each.slice(name.length + 1))
  // Another program may have set a second cookie of this name. Both are then ignored.
  return found !== undefined && another === undefined && form.test(found) ? found : null
}

/** Whether the answer to this request may set a cookie: over TLS, or to this machine itself. */
export function takesCookies(message: IncomingMessage): boolean {
  return isEncrypted(message.socket) || isFromThisMachine(message)
}

/** Returns the value of Set-Cookie. A session's cookie ends with the browser; `null` deletes the cookie. */
export function setCookie(message: IncomingMessage, kind: CookieKind, secret: string | null): string {
  const age = secret === null ? 0 : kind === 'station' ? stationSeconds : null
  return [
    `${nameFor(message, kind)}=${secret ?? ''}`,
    'Path=/',
    ...(isEncrypted(message.socket) ? ['Secure'] : []),
    'HttpOnly',
    'SameSite=Strict',
    ...(age === null ? [] : [`Max-Age=${age}`]),
  ].join('; ')
}

function nameFor(message: IncomingMessage, kind: CookieKind): string | null {
  return prefixed(message, (isOfKiosk(message) ? kioskNames : names)[kind])
}

/**
 * Browsers disagree whether a cookie with `Secure` or `__Host-` is kept for http://127.0.0.1, so there the name has no
 * prefix.
 */
function prefixed(message: IncomingMessage, name: string): string | null {
  if (isEncrypted(message.socket)) return `__Host-${name}`
  return isFromThisMachine(message) ? name : null
}

/** Whether a connection uses TLS. */
export function isEncrypted(socket: IncomingMessage['socket']): boolean {
  return (socket as Partial<TLSSocket>).encrypted === true
}
