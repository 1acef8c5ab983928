/**
 * Returns the Unix milliseconds at which a clock in the zone shows this date (YYYY-MM-DD) and time (HH:MM). A
 * time that a clock change repeats is its earlier instant as a start and its later one as an end, so that a
 * stay is never shorter than it reads. A time that a clock change skips is moved forward by the skipped
 * duration. Throws a RangeError for an invalid date, time or zone.
 */
export function localInstant(date: string, time: string, zone: string, edge: 'start' | 'end'): number {
  // Both words move a skipped time forward; they differ only for a repeated time.
  const disambiguation = edge === 'start' ? 'compatible' : 'later'
  return instantOf({ date, time }, zone, disambiguation)
}

/**
 * Returns the range in Unix milliseconds from one local date and time to another, as `localInstant` reads them. Where a clock change
 * skips the start and thereby moves it to the end or past it, the start counts by the clock after the change: 00:30 to 01:10 on a
 * day without 00:30 lasts 40 minutes until 01:10. A start and an end that are
 * both skipped move forward together. The range is empty or negative only where no reading makes it positive.
 */
export function localRange(
  start: WallTime,
  end: WallTime,
  zone: string,
): { startsAt: number; endsAt: number } {
  const endsAt = localInstant(end.date, end.time, zone, 'end')
  const startsAt = localInstant(start.date, start.time, zone, 'start')
  const isLater = `${start.date}T${start.time}` < `${end.date}T${end.time}`
  return { startsAt: startsAt >= endsAt && isLater ? instantOf(start, zone, 'earlier') : startsAt, endsAt }
}

/** A date YYYY-MM-DD and a time HH:MM by a clock in some zone. */
interface WallTime {
  date: string
  time: string
}

/**
 * Returns the Unix milliseconds at which what is done daily at this time is due on this date: at the earlier instant of a time that a
 * clock change repeats, and at the first instant after the gap for a time that it skips.
 */
export function dailyInstant(date: string, time: string, zone: string): number {
  const first = localInstant(date, time, zone, 'start')
  if (localDate(first, zone) === date && localTime(first, zone) === time) return first
  const beforeGap = zoned(instantOf({ date, time }, zone, 'earlier'), zone)
  return beforeGap.getTimeZoneTransition('next')!.epochMilliseconds
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

function instantOf(
  { date, time }: WallTime,
  zone: string,
  disambiguation: 'compatible' | 'earlier' | 'later',
): number {
  return Temporal.PlainDateTime.from(`${date}T${time}`).toZonedDateTime(zone, { disambiguation })
    .epochMilliseconds
}

function zoned(instant: number, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone)
}
