import type { Clock } from '../../host/clock.ts'

/**
 * A device is reported as absent after this time. Shorter absences, as after a reset or a moved plug, are not reported.
 */
const awayForMs = 10_000

/** The start of each device's absence. */
export interface Absences {
  /** Whether a device has been absent for 10 s or more. Called with `isOnline` true, it ends the absence. */
  isLong(id: string, isOnline: boolean): boolean
}

/** Returns an empty record of absences. */
export function absences({ monotonic }: Clock): Absences {
  const away = new Map<string, number>()
  return {
    isLong(id, isOnline) {
      if (isOnline) return away.delete(id) && false
      const since = away.get(id) ?? monotonic()
      away.set(id, since)
      return monotonic() - since >= awayForMs
    },
  }
}
