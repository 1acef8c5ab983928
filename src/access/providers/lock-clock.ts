import type { LockSetup, WallTime } from '../../devices/lock-system.ts'
import { localInstant } from '../../host/zone.ts'
import type { AccessProvider } from '../resources/access-provider.ts'

/** The clock of a lock system, in local time. */
type LockClock = Pick<LockSetup, 'wallTime' | 'instantOf'>

/** Returns a clock that follows an IANA zone with its daylight saving time, keeps its standard time, or uses UTC. */
export function lockClock(policy: NonNullable<AccessProvider['clockPolicy']>, zone: string): LockClock {
  const offset = { Local: offsetAt, LocalNoDst: standardOffset, Utc: () => 0 }[policy]
  return {
    wallTime: (instant) => shown(instant + offset(instant, zone)),
    instantOf({ date, time }, edge) {
      if (policy === 'Local')
        return localInstant(date, time.slice(0, 5), zone, edge) + Number(time.slice(6)) * 1000
      const instant = Date.parse(`${date}T${time}Z`)
      return instant - offset(instant, zone)
    },
  }
}

function shown(wall: number): WallTime {
  const text = new Date(wall).toISOString()
  return { date: text.slice(0, 10), time: text.slice(11, 19) }
}

function offsetAt(instant: number, zone: string): number {
  const zoned = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone)
  return zoned.offsetNanoseconds / 1_000_000
}

/** The offset of standard time: the smaller of the offsets in January and July, on both hemispheres. */
function standardOffset(instant: number, zone: string): number {
  const year = new Date(instant).getUTCFullYear()
  return Math.min(offsetAt(Date.UTC(year, 0, 1), zone), offsetAt(Date.UTC(year, 6, 1), zone))
}
