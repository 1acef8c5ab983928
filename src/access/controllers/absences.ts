import type { Clock } from '../../host/clock.ts'

/**
 * A device is reported as absent after this time. Shorter absences, as after a reset or a moved plug, are not reported.
 */
const awayForMs = 10_000

/** The start of each device's absence. */
export type Absences = ReturnType<typeof absences>

/** Returns an empty record of absences. */
export function absences({ monotonic }: Clock) {
  const away = new Map<string, number>()
  return {
    /** Whether a device has been absent for 10 s or more. Called with `isOnline` true, it ends the absence. */
    isLong(id: string, isOnline: boolean): boolean {
      if (isOnline) return away.delete(id) && false
      const since = away.get(id) ?? monotonic()
      away.set(id, since)
      return monotonic() - since >= awayForMs
    },
  }
}
