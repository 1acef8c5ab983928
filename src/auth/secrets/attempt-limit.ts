import { Problem } from '../../resource/problem.ts'

/**
 * Limits wrong secrets: each wrong attempt lengthens the wait for the next one. No account is ever locked for good.
 */
export interface AttemptLimit {
  /**
   * Starts an attempt and counts it as wrong until `succeeded` is called. The returned function withdraws an attempt
   * whose secret was not checked. Throws rate-limited while the key must wait. `isStranger` marks a name without an
   * account. Such names are counted in a table of their own, so that an attacker who invents names cannot push out the
   * counts of accounts.
   */
  begin(key: string, isStranger?: boolean): () => void
  succeeded(key: string): void
}

/** Five wrong attempts cause no wait. Then the wait is 30 s, and doubles to 15 minutes. */
const freeTries = 5
const firstWaitMs = 30_000
const longestWaitMs = 900_000
/** After this time without an attempt, the count starts again at zero. */
const forgetAfterMs = 86_400_000
const mostKeys = 2_000

interface Attempts {
  times: number
  until: number
  /** The time of the newest attempt. */
  at: number
}

/**
 * Counts attempts by a key, such as an account and the station where it was tried. `monotonic` is in milliseconds. An
 * attempt counts before its secret is checked, so that parallel attempts cannot bypass the limit.
 */
export function attemptLimit(monotonic: () => number): AttemptLimit {
  const accounts = new Map<string, Attempts>()
  const strangers = new Map<string, Attempts>()

  return {
    begin(key, isStranger = false) {
      const known = isStranger ? strangers : accounts
      const now = monotonic()
      const kept = known.get(key)
      const before = kept && now - kept.at < forgetAfterMs ? kept : { times: 0, until: 0 }
      if (before.until > now) throw mustWait(Math.ceil((before.until - now) / 1_000))
      const times = before.times + 1
      const wait = times < freeTries ? 0 : Math.min(firstWaitMs * 2 ** (times - freeTries), longestWaitMs)
      known.delete(key)
      known.set(key, { times, until: now + wait, at: now })
      for (const oldest of known.keys()) {
        if (known.size <= mostKeys) break
        known.delete(oldest)
      }
      return () => void (kept ? known.set(key, kept) : known.delete(key))
    },
    succeeded(key) {
      accounts.delete(key)
    },
  }
}

function mustWait(seconds: number): Problem {
  const detail = `There were too many wrong attempts. Try again in ${seconds} s.`
  return new Problem('rate-limited', detail, { meta: { policy: 'sign-in', retryAfterSeconds: seconds } })
}
