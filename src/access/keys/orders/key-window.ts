import { localDate, localInstant, localRange, localTime } from '../../../host/zone.ts'
import type { HouseTimes } from '../../../reservation/stays/rules/stay-dates.ts'
import { Problem } from '../../../resource/problem.ts'
import type { AccessController } from '../../resources/access-controller.ts'
import type { Key } from '../../resources/key.ts'
import { endBeforeStart, type KeyRequest } from '../../resources/key-request.ts'

const minuteMs = 60_000
const mostMs = 365 * 86_400_000

/** The start of a minute. */
export const minuteOf = (instant: number) => Math.floor(instant / minuteMs) * minuteMs

/** What the window of a key depends on besides its request. */
interface Situation {
  /** Unix milliseconds. */
  now: number
  /** Whether the guest of the key is in house. It is asked only where that changes the window. */
  isInHouse(): boolean
}

/**
 * The window of a key in Unix milliseconds, with the grace minutes of the controller; `startsAt` is the start without
 * them. Times that are not named are those of check-in and check-out; a key of today without a time begins now where its guest
 * is in house already. Throws end-before-start, and validation-failed for a window that is over.
 */
export function windowOf(
  { startDate, startTime, endDate, endTime }: KeyRequest,
  { timeZone, checkInTime, checkOutTime }: HouseTimes,
  { earlyMinutes, lateMinutes }: AccessController,
  { now, isInHouse }: Situation,
): { startsAt: number; validFrom: number; validUntil: number } {
  const { startsAt: stated, endsAt: until } = localRange(
    { date: startDate, time: startTime ?? checkInTime },
    { date: endDate, time: endTime ?? checkOutTime },
    timeZone,
  )
  const isBefore = startTime === null && stated > now && startDate === localDate(now, timeZone)
  const startsAt = isBefore && isInHouse() ? minuteOf(now) : stated
  if (until <= startsAt) throw endBeforeStart()
  if (until <= now)
    throw new Problem('validation-failed', 'The key would end before it is made.', { pointer: '/endDate' })
  return {
    startsAt,
    validFrom: startsAt - (earlyMinutes ?? 0) * minuteMs,
    validUntil: until + (lateMinutes ?? 0) * minuteMs,
  }
}

/** Why a key begins when it does: see `beginsBy`. */
export const beginnings = ['startTime', 'checkInTime', 'inHouse'] as const

/**
 * Returns what the beginning of a key comes from: its `startTime`; the check-in time of the property; or, before that time, that its
 * guest was in house when it was made.
 */
export function beginsBy(
  { startDate, startTime, validFrom }: Key,
  { timeZone, checkInTime }: HouseTimes,
  { earlyMinutes }: Pick<AccessController, 'earlyMinutes'>,
): (typeof beginnings)[number] {
  if (startTime) return 'startTime'
  const opensAt = localInstant(startDate, checkInTime, timeZone, 'start') - (earlyMinutes ?? 0) * minuteMs
  return (validFrom ?? opensAt) < opensAt ? 'inHouse' : 'checkInTime'
}

/**
 * The time from which a key opens whose order names no time, HH:MM, for a guest who arrives early: a card that is made
 * on the day of arrival before check-in time opens at once. Null for any other key, which opens at check-in time. `now`
 * is in Unix milliseconds. It applies to orders of a PMS, also
 * before the PMS has reported the guest in house.
 */
export function earlyCheckIn(
  startDate: string,
  now: number,
  { timeZone, checkInTime }: HouseTimes,
): string | null {
  const time = localTime(now, timeZone)
  return startDate === localDate(now, timeZone) && time < checkInTime ? time : null
}

/**
 * When the key may be sent to the lock system; null when that is now. Example: with `virtualBefore` PT24H, a key that
 * starts on Friday at 15:00 is sent from Thursday at 15:00.
 */
export function laterOpening({ virtualBefore }: AccessController, start: number, now: number): number | null {
  if (virtualBefore === null || virtualBefore === undefined) return null
  const opensAt = start - virtualBeforeMs(virtualBefore)
  return now >= opensAt ? null : opensAt
}

/** Whether a text is a duration from PT0S to P365D, or whole minutes within that range: PT24H and 1440 are equal. */
export function isVirtualWindow(text: string): boolean {
  try {
    virtualBeforeMs(text)
    return true
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

/** The milliseconds of a `virtualBefore`. Throws a RangeError for a text that `isVirtualWindow` refuses. */
function virtualBeforeMs(text: string): number {
  // Months and years count from this date. A day has 24 hours, whatever daylight saving time does.
  const relativeTo = Temporal.PlainDate.from('2026-01-01')
  const ms = /^\d{1,6}$/.test(text)
    ? Number(text) * minuteMs
    : Temporal.Duration.from(text).total({ unit: 'milliseconds', relativeTo })
  if (ms < 0 || ms > mostMs) throw new RangeError('out of range')
  return ms
}
