import type { ServerResponse } from 'node:http'
import { Problem } from '../../resource/problem.ts'

/** The number of requests allowed in a number of seconds. */
export interface Quota {
  quota: number
  seconds: number
}

/** The default quotas, by the names that the headers use. */
export const defaultLimits = {
  /** GET requests of each token. */
  read: { quota: 1_200, seconds: 60 },
  /** All other requests of each token. */
  write: { quota: 300, seconds: 60 },
  /**
   * Searches for guests with a token that may not list them, such as a kiosk's. The quota keeps a client from
   * finding out who is in the hotel.
   */
  search: { quota: 30, seconds: 60 },
  /** Failed authentication and pairing, of each client address. */
  auth: { quota: 10, seconds: 60 },
  /** Requests that need no token, of each client address. */
  open: { quota: 600, seconds: 60 },
  /** Files that need no token, such as the scripts of a page, of each client address. A page loads many of them. */
  file: { quota: 6_000, seconds: 60 },
} satisfies Record<string, Quota>

export type Policy = keyof typeof defaultLimits
export type RateLimits = Record<Policy, Quota>

export const policies = Object.keys(defaultLimits) as readonly Policy[]

/**
 * The number of tokens or addresses that are counted for one policy. Beyond it, the oldest windows are
 * dropped and start anew.
 */
const mostKept = 2_000

interface Limit {
  policy: Policy
  limit: Quota
  /** The value of RateLimit-Policy, a structured field. */
  headerText: string
  of(key: string, now: number): Window
}

/** Counts the use of the quotas. `monotonic` is in milliseconds. */
export function rateLimits(limits: RateLimits, monotonic: () => number) {
  const limitOf = (policy: Policy): Limit => {
    const limit = limits[policy]
    const headerText = `"${policy}";q=${limit.quota};w=${limit.seconds}`
    return { policy, limit, headerText, of: windows({ ...limit, most: mostKept }) }
  }
  const all = Object.fromEntries(policies.map((policy) => [policy, limitOf(policy)])) as Record<Policy, Limit>

  /**
   * Counts a request against one or two quotas. The headers describe the one with less left. Throws
   * rate-limited when either is used up; then nothing is counted.
   */
  function take(response: ServerResponse, key: string, policy: Policy, second?: Policy): void {
    const now = monotonic()
    const first = all[policy]
    const window = first.of(key, now)
    if (second === undefined) {
      count(response, first, window, now)
      return
    }
    const other = all[second]
    const otherWindow = other.of(key, now)
    const isOther = otherWindow.left < window.left
    if (isOther) count(response, other, otherWindow, now)
    else count(response, first, window, now)
    if (isOther) window.left--
    else otherWindow.left--
  }

  return { take }
}

export type RateLimiter = ReturnType<typeof rateLimits>

function count(response: ServerResponse, limit: Limit, window: Window, now: number): void {
  const wait = Math.ceil((window.ends - now) / 1_000)
  response.setHeader('RateLimit-Policy', limit.headerText)
  if (window.left <= 0) {
    response.setHeader('RateLimit', `"${limit.policy}";r=0;t=${wait}`)
    throw usedUp(limit, wait)
  }
  window.left--
  response.setHeader('RateLimit', `"${limit.policy}";r=${window.left};t=${wait}`)
}

function usedUp({ policy, limit: { quota, seconds } }: Limit, wait: number): Problem {
  return new Problem(
    'rate-limited',
    `The quota ${policy} of ${quota} requests in ${seconds} s is used up. Try again in ${wait} s.`,
    { meta: { policy, retryAfterSeconds: wait } },
  )
}

/** The current window of one quota for one key. */
interface Window {
  left: number
  /** When the window ends, in milliseconds of the caller's clock. */
  ends: number
}

/**
 * Counts the windows of one quota; a window starts with the first request of a key. All have the same length,
 * so they end in the order in which they began. Ended windows are dropped from the front, and so are the
 * oldest beyond `most`.
 */
export function windows({ quota, seconds, most }: { quota: number; seconds: number; most: number }) {
  const kept = new Map<string, Window>()
  const length = seconds * 1_000

  function begin(key: string, now: number): Window {
    kept.delete(key)
    for (const [oldest, { ends }] of kept) {
      if (ends > now && kept.size < most) break
      kept.delete(oldest)
    }
    const begun = { left: quota, ends: now + length }
    kept.set(key, begun)
    return begun
  }

  return (key: string, now: number): Window => {
    const known = kept.get(key)
    return known !== undefined && now < known.ends ? known : begin(key, now)
  }
}
