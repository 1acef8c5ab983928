import { policies, type RateLimits } from '../src/auth/limits/rate-limits.ts'

/** Tests and measurements ask more often than anybody may; the tests of the limits take the defaults. */
export const noLimits = Object.fromEntries(
  policies.map((policy) => [policy, { quota: 1_000_000_000, seconds: 60 }]),
) as RateLimits
