import { randomBytes } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import type { TLSSocket } from 'node:tls'
import { isFromThisMachine } from '../from-this-machine.ts'
import { digest } from '../token-format.ts'

/** The cookie of a session, and that of a station. */
export type CookieKind = 'session' | 'station'

const names: Record<CookieKind, string> = { session: 'np', station: 'np-station' }

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
 * Returns the digest of a cookie that the request sent; null without one. Over TLS the name has the prefix `__Host-`.
 * Without TLS a cookie counts only in requests from this machine.
 */
export function cookieIn(message: IncomingMessage, kind: CookieKind): string | null {
  const secret = secretIn(message, kind)
  return secret === null ? null : digestOf(secret)
}

/** Returns a cookie that the request sent, to be set anew; null without one. */
export function secretIn(message: IncomingMessage, kind: CookieKind): string | null {
  const { cookie } = message.headers
  if (cookie === undefined) return null
  const name = nameFor(message, kind)
  if (name === null) return null
  const [found, another] = cookie
    .split(';')
    .map((each) => each.trim())
    .filter((each) => each.startsWith(`${name}=`))
    .map((each) => each.slice(name.length + 1))
  // Somebody else may have set a second one. Neither is believed then.
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

/**
 * Browsers disagree whether a cookie with `Secure` or `__Host-` is kept for http://127.0.0.1, so there the name has no
 * prefix.
 */
function nameFor(message: IncomingMessage, kind: CookieKind): string | null {
  if (isEncrypted(message.socket)) return `__Host-${names[kind]}`
  return isFromThisMachine(message) ? names[kind] : null
}

/** Whether a connection uses TLS. */
export function isEncrypted(socket: IncomingMessage['socket']): boolean {
  return (socket as Partial<TLSSocket>).encrypted === true
}
