/**
 * What a clock on the wall of a zone shows, found by looking at it: Intl formats moments, and everything else is searched
 * for. Nothing of it is what the appliance computes with.
 */
export interface WallClock {
  /** `YYYY-MM-DDTHH:MM` at a moment in Unix milliseconds. */
  shows(instant: number): string
  /** The moments at which it shows this; none where it never does. */
  momentsOf(date: string, time: string): number[]
  /** When a stay starts and ends that says this: at the first of them, at the last, or as much later as was skipped. */
  startOf(date: string, time: string): number
  endOf(date: string, time: string): number
  /** The first moment of a day. */
  dawn(date: string): number
  /** The switches of a year: what is skipped or shown twice, from the minute it begins to the minute after it. */
  switches(year: number): Switch[]
}

export interface Switch {
  at: number
  skips: boolean
  /** Minutes that are skipped, or shown twice. */
  minutes: number
  /** A local date and time in the middle of them. */
  date: string
  time: string
}

const minute = 60_000
const quarter = 15 * minute
const day = 86_400_000

export function wallClock(zone: string): WallClock {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone: zone,
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
  })
  const shows = (instant: number) => format.format(instant).replace(' ', 'T')
  const ahead = (instant: number) => Date.parse(`${shows(instant)}Z`) - Math.floor(instant / minute) * minute

  /** No zone is further than 15 hours from UTC, and each is ahead of it by whole quarters of an hour. */
  function momentsOf(date: string, time: string): number[] {
    const wanted = `${date}T${time}`
    const near = Date.parse(`${wanted}Z`)
    const found: number[] = []
    for (let away = -15 * 4; away <= 15 * 4; away++) {
      const instant = near + away * quarter
      if (shows(instant) === wanted) found.push(instant)
    }
    return found
  }

  /** What is never shown is as far from the last moment before the gap as it would be without one. */
  function skipped(date: string, time: string): number {
    const wanted = `${date}T${time}`
    let last = Date.parse(`${wanted}Z`) - 15 * 4 * quarter
    for (let instant = last; instant < last + 60 * 60 * minute; instant += quarter) {
      if (shows(instant) < wanted) last = instant
      else break
    }
    return Date.parse(`${wanted}Z`) - ahead(last)
  }

  function dawn(date: string): number {
    let instant = Date.parse(`${date}T00:00Z`) - 16 * 4 * quarter
    while (shows(instant) < `${date}T00:00`) instant += quarter
    return instant
  }

  function switches(year: number): Switch[] {
    const found: Switch[] = []
    for (let instant = Date.UTC(year, 0, 1); instant < Date.UTC(year + 1, 0, 1); instant += day) {
      if (ahead(instant) !== ahead(instant + day)) found.push(switchBetween(instant, instant + day))
    }
    return found
  }

  function switchBetween(from: number, to: number): Switch {
    let at = from
    while (ahead(at) === ahead(from)) at += quarter
    const change = ahead(to) - ahead(from)
    const middle = new Date(at + ahead(from) + change / 2).toISOString()
    return {
      at,
      skips: change > 0,
      minutes: Math.abs(change) / minute,
      date: middle.slice(0, 10),
      time: middle.slice(11, 16),
    }
  }

  return {
    shows,
    momentsOf,
    startOf: (date, time) => momentsOf(date, time)[0] ?? skipped(date, time),
    endOf: (date, time) => momentsOf(date, time).at(-1) ?? skipped(date, time),
    dawn,
    switches,
  }
}

/** The day so many days later, by the calendar. */
export function daysLater(date: string, days: number): string {
  return new Date(Date.parse(`${date}T12:00Z`) + days * day).toISOString().slice(0, 10)
}
