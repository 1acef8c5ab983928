import type { FormFields } from './protocol.ts'

/** The source of an account's tokens. */
interface SessionOptions {
  /** Asks for a token with these fields. */
  ask(fields: FormFields): Promise<IssuedToken>
  /** True when the cloud answered that it gives no token for these fields. */
  isRefused(error: unknown): boolean
  /** Called when a token is issued, and when the password is refused. */
  loggedIn(fault: unknown): void
  username: string
  passwordDigest: string
  now(): number
}

/** A token, as the cloud issued it. */
export interface IssuedToken {
  access: string
  refresh: string | null
  /** Its lifetime. 0 and NaN mean that it does not expire. */
  seconds: number
}

interface Token {
  access: string
  refresh: string | null
  /** Unix milliseconds. */
  until: number
}

/** A token counts as expired this much before its end. */
const spareMs = 60_000
/** A refused password is not retried at once: the vendor locks accounts for that. */
const refusedMs = 10_000

/**
 * Returns the access token of one account, and a new one when the cloud reports that it has expired. It sends nothing
 * before the first token is needed.
 */
export function session({ ask, isRefused, loggedIn, username, passwordDigest, now }: SessionOptions) {
  let held: Token | null = null
  let renewing: Promise<string> | null = null
  let refused: { at: number; fault: unknown } | null = null

  async function login(): Promise<Token> {
    if (refused && Math.abs(now() - refused.at) < refusedMs) throw refused.fault
    try {
      return tokenOf(await ask({ username, password: passwordDigest }), now())
    } catch (fault) {
      if (!isRefused(fault)) throw fault
      refused = { at: now(), fault }
      loggedIn(fault)
      throw fault
    }
  }

  async function renewed(): Promise<Token> {
    const refresh = held?.refresh
    if (!refresh) return login()
    try {
      return tokenOf(await ask({ grant_type: 'refresh_token', refresh_token: refresh }), now())
    } catch (error) {
      if (!isRefused(error)) throw error
      return login()
    }
  }

  function renew(): Promise<string> {
    renewing ??= renewed()
      .then((token) => {
        held = token
        refused = null
        loggedIn(null)
        return token.access
      })
      .finally(() => {
        renewing = null
      })
    return renewing
  }

  return {
    /** Returns the token; logs in if there is none or its time is up. */
    async token(): Promise<string> {
      return held && now() < held.until ? held.access : renew()
    },
    /** The token after this one. Concurrent callers share one renewal. */
    async after(spent: string): Promise<string> {
      return held && held.access !== spent ? held.access : renew()
    },
  }
}

function tokenOf({ access, refresh, seconds }: IssuedToken, now: number): Token {
  const until = seconds > 0 ? now + seconds * 1_000 - spareMs : Number.POSITIVE_INFINITY
  return { access, refresh, until }
}
