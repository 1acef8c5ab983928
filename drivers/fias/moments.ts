import type { WallTime } from '../../src/devices/lock-system.ts'

const minute = 60_000

/** Formats YYMMDD, the value of DA, GA and GD. */
export function dateField({ date }: WallTime): string {
  return date.slice(2).replaceAll('-', '')
}

/** Formats HH:MM, the value of DT. */
export function minuteField({ time }: WallTime): string {
  return time.slice(0, 5)
}

/** DA and TI (HHMMSS) of an instant, for link records and answers. */
export function stamp(wall: WallTime): { DA: string; TI: string } {
  return { DA: dateField(wall), TI: wall.time.slice(0, 8).replaceAll(':', '') }
}

/** Rounds an end up to the whole minute. */
export function upToMinute(instant: number): number {
  return Math.ceil(instant / minute) * minute
}

/** Parses YYMMDD, in this century; null when it is not a date. */
export function readDate(text: string | undefined): string | null {
  const [, year, month, day] = /^(\d\d)(\d\d)(\d\d)$/.exec(text ?? '') ?? []
  const date = `20${year}-${month}-${day}`
  return day !== undefined && isDate(date) ? date : null
}

/** Parses HH:MM or HHMMSS to HH:MM:SS; null when it is not a time of day. */
export function readTime(text: string | undefined): string | null {
  const [, hour, minutes, seconds = '00'] = /^(\d\d):?(\d\d):?(\d\d)?$/.exec(text ?? '') ?? []
  if (minutes === undefined || Number(hour) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null
  return `${hour}:${minutes}:${seconds}`
}

function isDate(date: string): boolean {
  const parsed = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(date)
}
