import { localDate, localInstant } from '../host/zone.ts'
import type { Transaction } from '../resource/change.ts'
import { type Settings, settingsIn } from './resources/settings.ts'
import { dateAfter } from './stay-dates.ts'

/** The present moment, as the property's days see it. */
export interface Moment {
  /** Unix milliseconds. */
  now: number
  /** The property's date. */
  today: string
  /** Unix milliseconds at which the property's next day begins. */
  tomorrowAt: number
  /**
   * Who was to leave on this day or before, and is still there, takes tonight's unit from others: today once tonight has
   * begun, at check-in time, and yesterday until then.
   */
  lastDeparture: string
  /** The date of the night for which a guest who arrives now books: yesterday until check-out time, and today from then. */
  night: string
}

export function momentOf(now: number, { timeZone, checkInTime, checkOutTime }: Settings): Moment {
  const today = localDate(now, timeZone)
  const yesterday = dateAfter(today, -1)
  const tonightHasBegun = now >= localInstant(today, checkInTime, timeZone, 'start')
  const lastNightIsOver = now >= localInstant(today, checkOutTime, timeZone, 'end')
  return {
    now,
    today,
    tomorrowAt: localInstant(dateAfter(today, 1), '00:00', timeZone, 'start'),
    lastDeparture: tonightHasBegun ? today : yesterday,
    night: lastNightIsOver ? today : yesterday,
  }
}

/**
 * For which nights a guest who is still there past his time takes a unit: who was to leave on `departure` or before takes the
 * night of `date`. These are tonight and the night that is not over. Nobody knows yet who will be there later.
 */
export function lateDepartures({
  today,
  night,
  lastDeparture,
}: Moment): { date: string; departure: string }[] {
  const tonight = { date: today, departure: lastDeparture }
  return night === today ? [tonight] : [{ date: night, departure: night }, tonight]
}

/** The moment of a change. */
export function momentIn(tx: Transaction): Moment {
  return momentOf(tx.now, settingsIn(tx))
}
