import type { WallTime } from '../../devices/lock-system.ts'
import { localInstant } from '../../host/zone.ts'
import type { AccessProvider } from '../resources/access-provider.ts'

type Policy = NonNullable<AccessProvider['clockPolicy']>

/** The clock on the wall of a lock system. */
interface LockClock {
  /** What it shows at a moment, Unix milliseconds. */
  wallTime(instant: number): WallTime
  /** When it shows this; of what it shows twice the earlier moment as a start, the later as an end. */
  instantOf(wall: WallTime, edge: 'start' | 'end'): number
}

/** A clock in an IANA zone that follows its clock changes, keeps standard time all year, or shows UTC. */
export function lockClock(policy: Policy, zone: string): LockClock {
  if (policy === 'Local') {
    return {
      wallTime: (instant) => shown(instant + offsetAt(instant, zone)),
      instantOf: ({ date, time }, edge) =>
        localInstant(date, time.slice(0, 5), zone, edge) + Number(time.slice(6)) * 1000,
    }
  }
  const offset = policy === 'Utc' ? () => 0 : (instant: number) => standardOffset(instant, zone)
  return {
    wallTime: (instant) => shown(instant + offset(instant)),
    instantOf: ({ date, time }) => {
      const instant = Date.parse(`${date}T${time}Z`)
      return instant - offset(instant)
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

/** Standard time is the lesser of the two that a zone has in a year, north and south. */
function standardOffset(instant: number, zone: string): number {
  const year = new Date(instant).getUTCFullYear()
  return Math.min(offsetAt(Date.UTC(year, 0, 1), zone), offsetAt(Date.UTC(year, 6, 1), zone))
}
