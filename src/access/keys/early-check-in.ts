import { localDate, localTime } from '../../host/zone.ts'

/**
 * The time from which a key opens whose order names no time, HH:MM, for a guest who arrives early: a card that is made on the day
 * of arrival before check-in time opens at once. Null for any other key, which opens at check-in time. `now` is in Unix milliseconds.
 *
 * It applies to orders of a PMS. A client of the HTTP interface names the time itself.
 */
export function earlyCheckIn(
  startDate: string,
  now: number,
  { timeZone, checkInTime }: { timeZone: string; checkInTime: string },
): string | null {
  const time = localTime(now, timeZone)
  return startDate === localDate(now, timeZone) && time < checkInTime ? time : null
}
