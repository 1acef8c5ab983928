import type { Clock } from '../host/clock.ts'
import { Problem } from '../resource/problem.ts'

/** Seconds after which a time server may have been heard. */
const again = 30

/** Throws clock-implausible while nobody knows what time it is: a key would open too long, or not at all. */
export function expectPlausible(clock: Clock): void {
  if (clock.isPlausible()) return
  throw new Problem(
    'clock-implausible',
    'The clock of the box is in doubt. No key is made until date and time are certain. Connect a time server, or state date and time.',
    { meta: { guest: 'desk', retryAfterSeconds: again } },
  )
}
