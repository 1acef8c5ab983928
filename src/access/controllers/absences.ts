import type { Clock } from '../../host/clock.ts'

/** A device that is away is told of when it has not come back within this: a reset, or a plug that was moved, is no news. */
const awayForMs = 10_000

/** Since when each device is away. */
export interface Absences {
  /** Whether a device has been away for long. One that is online is away no more. */
  isLong(id: string, isOnline: boolean): boolean
}

/** No device is away yet. */
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
