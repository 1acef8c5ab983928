import { dailyInstant, localDate } from '../host/zone.ts'

/** A day of the schedule: from its scheduled instant to that of the next day, Unix milliseconds. The end is excluded. */
export interface ScheduledDay {
  /** YYYY-MM-DD. */
  date: string
  from: number
  until: number
}

/**
 * Returns the day of the schedule that has begun last, by a clock in the zone and a time `at` (HH:MM). A day has one scheduled instant,
 * also where a clock change repeats or skips it. A box that was off at night makes the backup of that day after its start.
 */
export function scheduledDay(now: number, at: string, zone: string): ScheduledDay {
  let date = dayBeside(localDate(now, zone), 1)
  let until = dailyInstant(date, at, zone)
  for (;;) {
    date = dayBeside(date, -1)
    const from = dailyInstant(date, at, zone)
    if (from <= now) return { date, from, until }
    until = from
  }
}

function dayBeside(date: string, days: number): string {
  return Temporal.PlainDate.from(date).add({ days }).toString()
}
