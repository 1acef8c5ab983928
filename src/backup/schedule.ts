import { localDate, localInstant } from '../host/zone.ts'

const dayMs = 86_400_000

/** The last moment, Unix milliseconds, at which a clock in the zone showed `at` (HH:MM). */
export function lastDue(now: number, at: string, zone: string): number {
  const today = localInstant(localDate(now, zone), at, zone, 'start')
  return today <= now ? today : localInstant(localDate(now - dayMs, zone), at, zone, 'start')
}

/**
 * Whether a nightly backup is to be made now: there is none since it was due last. A box that was off at night makes it when it is
 * on again; one that has just been given a recovery key, at once.
 */
export function isDue(now: number, newest: number | null, at: string, zone: string): boolean {
  return newest === null || newest < lastDue(now, at, zone)
}
