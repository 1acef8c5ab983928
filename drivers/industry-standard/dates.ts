import type { LockSetup, WallTime } from '../../src/devices/lock-system.ts'

/** The format of a date: H hour, m minute, D day, M month, Y the last two digits of the year. */
export const dateFormats = ['HHDDMMYY', 'HHmmDDMMYY'] as const
export type DateFormat = (typeof dateFormats)[number]

export type LockClock = Pick<LockSetup, 'wallTime' | 'instantOf'>

const unitMs: Record<DateFormat, number> = { HHDDMMYY: 3_600_000, HHmmDDMMYY: 60_000 }
/** A clock that is put back repeats an hour; three hours leave room for a larger change. */
const searchedMs = 3 * 3_600_000

/**
 * The latest start that can be written and is not after `instant`. A lock compares local times. When a local time
 * occurs twice, its meaning is ambiguous: the start is not after `instant` even in its later meaning. Null when there
 * is none in the years 2000 to 2099.
 */
export function startText(instant: number, format: DateFormat, clock: LockClock): string | null {
  return found(instant, format, clock, -1, (wall) => clock.instantOf(wall, 'end') <= instant)
}

/**
 * The earliest expiry that can be written and is not before `instant`, even if its local time means the earlier of two
 * instants.
 */
export function expiryText(instant: number, format: DateFormat, clock: LockClock): string | null {
  return found(instant, format, clock, 1, (wall) => clock.instantOf(wall, 'start') >= instant)
}

/**
 * The instant from which a lock refuses a card with the expiry of `expiryText`: after the minute of it, in the later meaning of a
 * local time that occurs twice. Null when no expiry can be written.
 */
export function expiryEnd(instant: number, format: DateFormat, clock: LockClock): number | null {
  const wall = wallOf(expiryText(instant, format, clock) ?? '')
  return wall && clock.instantOf(wall, 'end') + unitMs.HHmmDDMMYY
}

/** Parses a date of either format; null for an empty or invalid one. */
export function wallOf(text: string): WallTime | null {
  const [, hour, minute = '00', day, month, year] = /^(\d\d)(\d\d)?(\d\d)(\d\d)(\d\d)$/.exec(text) ?? []
  if (!hour || !day || Number(hour) > 23 || Number(minute) > 59) return null
  const date = `20${year}-${month}-${day}`
  return isDate(date) ? { date, time: `${hour}:${minute}:00` } : null
}

function found(
  instant: number,
  format: DateFormat,
  clock: LockClock,
  direction: 1 | -1,
  wideEnough: (wall: WallTime) => boolean,
): string | null {
  const unit = unitMs[format]
  for (let away = 0; away <= searchedMs; away += unit) {
    const wall = truncated(clock.wallTime(instant + direction * away), format)
    if (wideEnough(wall)) return written(wall, format)
  }
  return null
}

function truncated({ date, time }: WallTime, format: DateFormat): WallTime {
  return { date, time: format === 'HHDDMMYY' ? `${time.slice(0, 2)}:00:00` : `${time.slice(0, 5)}:00` }
}

function written({ date, time }: WallTime, format: DateFormat): string | null {
  const [, year, month, day] = /^20(\d\d)-(\d\d)-(\d\d)$/.exec(date) ?? []
  if (!year) return null
  const [hour = '', minute = ''] = time.split(':')
  return `${hour}${format === 'HHDDMMYY' ? '' : minute}${day}${month}${year}`
}

function isDate(date: string): boolean {
  const read = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(read.getTime()) && read.toISOString().startsWith(date)
}
