import type { Fields } from './protocol.ts'

/** Where the tokens of an account come from. */
interface SessionOptions {
  /** Asks for a token with these fields. */
  ask(fields: Fields): Promise<Given>
  /** True when the cloud answered that it gives no token for these fields. */
  isRefused(error: unknown): boolean
  /** Told when a token is given, and when none is given for the password. */
  trusted(fault: unknown): void
  username: string
  passwordDigest: string
  now(): number
}

/** Gives the access token of one account, and a new one when the cloud calls it over. */
interface Session {
  /** Logs in if that has not been done, or if the token's time is up. */
  token(): Promise<string>
  /** The token after this one. Those who meet the same end of a token share one renewal. */
  after(spent: string): Promise<string>
}

/** A token as the cloud gives it. */
export interface Given {
  access: string
  refresh: string | null
  /** How long it is good. */
  seconds: number
}

interface Token {
  access: string
  refresh: string | null
  /** Unix milliseconds. */
  until: number
}

const spareMs = 60_000
/** A password that was refused is not tried again at once: accounts are locked for that. */
const refusedMs = 10_000

/** One account's session. Nothing is asked before somebody needs a token. */
export function session({ ask, isRefused, trusted, username, passwordDigest, now }: SessionOptions): Session {
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
      trusted(fault)
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
        trusted(null)
        return token.access
      })
      .finally(() => {
        renewing = null
      })
    return renewing
  }

  return {
    async token() {
      return held && now() < held.until ? held.access : renew()
    },
    async after(spent) {
      return held && held.access !== spent ? held.access : renew()
    },
  }
}

function tokenOf({ access, refresh, seconds }: Given, now: number): Token {
  const until = seconds > 0 ? now + seconds * 1_000 - spareMs : Number.POSITIVE_INFINITY
  return { access, refresh, until }
}
