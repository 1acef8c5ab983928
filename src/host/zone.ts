import { remembered } from './remembered.ts'

/** A house has one; a test, or a change of the settings, has another. */
const mostZones = 20

/**
 * The moment, in Unix milliseconds, at which a clock in the zone shows this date (YYYY-MM-DD) and time (HH:MM). A time
 * that a clock change repeats is its earlier moment as a start and its later one as an end, so that a stay is never
 * shorter than it reads; a time that a clock change skips is moved forward by what was skipped. Throws a RangeError
 * for what is no date, time or zone.
 */
export function localInstant(date: string, time: string, zone: string, edge: 'start' | 'end'): number {
  return instantsOf[edge](zone)(`${date}T${time}`)
}

/** A house asks for the same hours of the same days again and again, four times for each stay that it writes. */
const instantsWith = (disambiguation: 'compatible' | 'later') =>
  remembered(mostZones, (zone: string) =>
    remembered(
      2_000,
      (local: string) =>
        Temporal.PlainDateTime.from(local).toZonedDateTime(zone, { disambiguation }).epochMilliseconds,
    ),
  )

/** Both words move a skipped time forward; they differ on a repeated one alone. */
const instantsOf = { start: instantsWith('compatible'), end: instantsWith('later') }

/** The calendar day in the zone at a moment in Unix milliseconds, YYYY-MM-DD. */
export function localDate(instant: number, zone: string): string {
  return datesIn(zone)(Math.floor(instant / 1_000))
}

/** A day begins, and a clock is changed, at a whole second: within one the date is the same. */
const datesIn = remembered(mostZones, (zone: string) =>
  remembered(100, (second: number) =>
    zoned(second * 1_000, zone)
      .toPlainDate()
      .toString(),
  ),
)

/** The time of day in the zone at a moment in Unix milliseconds, HH:MM, the minute that has begun. */
export function localTime(instant: number, zone: string): string {
  return zoned(instant, zone).toPlainTime().toString({ smallestUnit: 'minute' })
}

/** Whether this is the name of an IANA time zone or of one of its aliases, spelled exactly; an offset is not. */
export function isZone(name: string): boolean {
  if (!/^[A-Z]/.test(name)) return false
  try {
    return zoned(0, name).timeZoneId === name
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

function zoned(instant: number, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone)
}
