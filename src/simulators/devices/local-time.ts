import type { WallTime } from '../../devices/lock-system.ts'
import type { Clock } from '../../host/clock.ts'

/** The local time of this machine, to the second: what the clock of a simulated device shows. */
export function localTime({ now }: Clock): WallTime {
  const zone = Temporal.Now.timeZoneId()
  const shown = Temporal.Instant.fromEpochMilliseconds(now()).toZonedDateTimeISO(zone)
  return {
    date: shown.toPlainDate().toString(),
    time: shown.toPlainTime().toString({ smallestUnit: 'second' }),
  }
}
