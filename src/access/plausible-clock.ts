import type { Clock } from '../host/clock.ts'
import { Problem } from '../resource/problem.ts'

/** The pause before a retry, in seconds, in which a time server may answer. */
const again = 30

/** Throws clock-implausible while the time is uncertain: a key could open too long or not at all. */
export function expectPlausible(clock: Clock): void {
  if (clock.isPlausible()) return
  throw new Problem(
    'clock-implausible',
    'The clock of the box is implausible. No key is made until date and time are certain. Connect a time server, or state date and time.',
    { meta: { guest: 'desk', retryAfterSeconds: again } },
  )
}
