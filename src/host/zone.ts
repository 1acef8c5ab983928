/**
 * Returns the Unix milliseconds at which a clock in the zone shows this date (YYYY-MM-DD) and time (HH:MM). A
 * time that a clock change repeats is its earlier instant as a start and its later one as an end, so that a
 * stay is never shorter than it reads. A time that a clock change skips is moved forward by the skipped
 * duration. Throws a RangeError for an invalid date, time or zone.
 */
export function localInstant(date: string, time: string, zone: string, edge: 'start' | 'end'): number {
  // Both words move a skipped time forward; they differ only for a repeated time.
  const disambiguation = edge === 'start' ? 'compatible' : 'later'
  return Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime(zone, { disambiguation })
    .epochMilliseconds
}

/** Returns the calendar day in the zone at an instant in Unix milliseconds, YYYY-MM-DD. */
export function localDate(instant: number, zone: string): string {
  return zoned(instant, zone).toPlainDate().toString()
}

/** Returns the time of day in the zone at an instant in Unix milliseconds, HH:MM, rounded down. */
export function localTime(instant: number, zone: string): string {
  return zoned(instant, zone).toPlainTime().toString({ smallestUnit: 'minute' })
}

/** Whether this is the exact name of an IANA time zone or of one of its aliases. An offset is not. */
export function isZone(name: string): boolean {
  if (!/^[A-Z]/.test(name)) return false
  try {
    return zoned(0, name).timeZoneId === name
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** Returns the exact name of an IANA time zone that is written with any capital letters; null for no zone. */
export function exactZone(name: string): string | null {
  try {
    const exact = zoned(0, name).timeZoneId
    return isZone(exact) ? exact : null
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}

function zoned(instant: number, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone)
}
