import type { WallTime } from '../../src/devices/lock-system.ts'

const minute = 60_000

/** YYMMDD, the value of DA, GA and GD. */
export function dateField({ date }: WallTime): string {
  return date.slice(2).replaceAll('-', '')
}

/** HHMMSS, the value of TI. */
export function timeField({ time }: WallTime): string {
  return time.slice(0, 8).replaceAll(':', '')
}

/** HH:MM, the value of DT. */
export function minuteField({ time }: WallTime): string {
  return time.slice(0, 5)
}

/** DA and TI of a moment, which link records and answers carry. */
export function stamp(wall: WallTime): { DA: string; TI: string } {
  return { DA: dateField(wall), TI: timeField(wall) }
}

/** The whole minute at which something that lasts until this moment is over. */
export function upToMinute(instant: number): number {
  return Math.ceil(instant / minute) * minute
}

/** The date that YYMMDD names, of this century; null for what is none. */
export function readDate(text: string | undefined): string | null {
  const [, year, month, day] = /^(\d\d)(\d\d)(\d\d)$/.exec(text ?? '') ?? []
  const date = `20${year}-${month}-${day}`
  return day !== undefined && isDate(date) ? date : null
}

/** HH:MM:SS out of HH:MM or HHMMSS; null for what is no time of day. */
export function readTime(text: string | undefined): string | null {
  const [, hour, minutes, seconds = '00'] = /^(\d\d):?(\d\d):?(\d\d)?$/.exec(text ?? '') ?? []
  if (minutes === undefined || Number(hour) > 23 || Number(minutes) > 59 || Number(seconds) > 59) return null
  return `${hour}:${minutes}:${seconds}`
}

function isDate(date: string): boolean {
  const parsed = new Date(`${date}T00:00:00Z`)
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(date)
}
