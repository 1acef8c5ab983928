import { localDate, localInstant } from '../host/zone.ts'

const dayMs = 86_400_000

/** Returns the last time at which a clock in the zone showed `at` (HH:MM), Unix milliseconds. */
export function lastDue(now: number, at: string, zone: string): number {
  const today = localInstant(localDate(now, zone), at, zone, 'start')
  return today <= now ? today : localInstant(localDate(now - dayMs, zone), at, zone, 'start')
}

/**
 * Returns whether a nightly backup is due: none was made since the last scheduled time. A box that was off at night
 * makes the backup after its start. A box with a new recovery key and no backup makes one at once.
 */
export function isDue(now: number, newest: number | null, at: string, zone: string): boolean {
  return newest === null || newest < lastDue(now, at, zone)
}
