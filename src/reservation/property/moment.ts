import { localDate, localInstant } from '../../host/zone.ts'
import type { Transaction } from '../../resource/command.ts'
import { type HouseTimes, settingsIn } from '../resources/settings.ts'
import { dateAfter } from '../stays/stay-dates.ts'

/** The present moment in terms of the property's days. */
export interface Moment {
  /** Unix milliseconds. */
  now: number
  /** The property's date, YYYY-MM-DD. */
  today: string
  /** Unix milliseconds at which the property's next day begins. */
  tomorrowAt: number
  /**
   * The last departure date of the guests who still take a unit tonight if they have not left: today from check-in time
   * on, yesterday before check-in time.
   */
  lastDeparture: string
  /** The date of the night that a guest who arrives now books: yesterday until check-out time, today from then on. */
  night: string
}

/** A day of the property. The moments are Unix milliseconds. */
interface Day extends HouseTimes {
  today: string
  yesterday: string
  beginsAt: number
  tomorrowAt: number
  checkInAt: number
  checkOutAt: number
}

/**
 * The day of the last call. Every answer and every command asks for it. Its computation takes 10 us, which is a fifth
 * of a GET of one reservation. It is replaced when another day begins, or when the hours or the time zone change.
 */
let latest: Day | null = null

/** Returns the moment for `now`, in Unix milliseconds, by the time zone and the hours of the settings. */
export function momentOf(now: number, { timeZone, checkInTime, checkOutTime }: HouseTimes): Moment {
  const isSame =
    latest?.timeZone === timeZone &&
    latest.checkInTime === checkInTime &&
    latest.checkOutTime === checkOutTime
  if (!latest || !isSame || now < latest.beginsAt || now >= latest.tomorrowAt)
    latest = dayAt(now, { timeZone, checkInTime, checkOutTime })
  const { today, yesterday, tomorrowAt, checkInAt, checkOutAt } = latest
  return {
    now,
    today,
    tomorrowAt,
    lastDeparture: now >= checkInAt ? today : yesterday,
    night: now >= checkOutAt ? today : yesterday,
  }
}

function dayAt(now: number, house: HouseTimes): Day {
  const { timeZone, checkInTime, checkOutTime } = house
  const today = localDate(now, timeZone)
  return {
    ...house,
    today,
    yesterday: dateAfter(today, -1),
    beginsAt: localInstant(today, '00:00', timeZone, 'start'),
    tomorrowAt: localInstant(dateAfter(today, 1), '00:00', timeZone, 'start'),
    checkInAt: localInstant(today, checkInTime, timeZone, 'start'),
    checkOutAt: localInstant(today, checkOutTime, timeZone, 'end'),
  }
}

/**
 * Returns the nights for which overdue guests take a unit: a guest with an end date of `departure` or earlier who is
 * still in house takes the night of `date`. The nights are tonight and, until check-out time, the night before. Later
 * nights are not included.
 */
export function lateDepartures({
  today,
  night,
  lastDeparture,
}: Moment): { date: string; departure: string }[] {
  const tonight = { date: today, departure: lastDeparture }
  return night === today ? [tonight] : [{ date: night, departure: night }, tonight]
}

/** The moment at which the command runs. */
export function momentIn(tx: Transaction): Moment {
  return momentOf(tx.now, settingsIn(tx))
}
