import type { BackgroundWork } from '../host/background-work.ts'
import type { Clock, Timer } from '../host/clock.ts'
import { guarded } from '../host/guarded.ts'
import { localDate, localTime } from '../host/zone.ts'
import type { DiskWatch } from './disk/disk-watch.ts'
import { checkIntegrity } from './disk/integrity.ts'

const lookEveryMs = 600_000
/** The pause between two checks of a database that cannot be read. */
const againMs = 10_000
/** The night before Wednesday, when few guests arrive or leave. */
const weekday = 3
const hour = '03'

interface Options {
  path: string
  /** An open handle of the database, see `troubleOf`. */
  file: number
  entry: URL
  clock: Clock
  disk: DiskWatch
  timeZone(): string
  /** Called when a check finds the database intact. */
  intact(): void
  background: BackgroundWork
  failed(error: unknown): void
}

/**
 * Checks the whole database, and reports the result as the state of the disk: once a week, at night in the property; as soon
 * as a part of it could not be read, and again until all of it can be read; every ten minutes while it is damaged.
 * A weekly check that was missed while the appliance was off is not repeated, because every start makes a check of
 * its own.
 */
export function integrityChecks(options: Options) {
  const { path, file, entry, clock, disk, timeZone, intact, background, failed } = options
  let soundAt: number | null = null
  let underWay: ReturnType<typeof checkIntegrity> | null = null
  let again: Timer | null = null
  let isOpen = true
  const work = background.follow('integrity')
  work.due()

  const isNight = onceAWeek(clock, timeZone)
  // A damaged database cannot be asked for its time zone.
  const look = guarded(failed, () => {
    if (disk.trouble()?.is === 'damaged' || isNight()) void check()
  })
  const looking = clock.setInterval(look, lookEveryMs).unref()
  disk.subscribe((trouble) => {
    if (trouble?.is === 'unreadable') void check()
  })

  async function check(): Promise<void> {
    if (underWay || !isOpen) return
    again?.cancel()
    try {
      underWay = checkIntegrity(path, entry, file)
      const checked = await underWay.found
      if (checked?.trouble) disk.is(checked.trouble)
      else if (checked) foundIntact()
    } catch (error) {
      failed(error)
    } finally {
      underWay = null
    }
    if (isOpen && disk.trouble()?.is === 'unreadable') again = clock.setTimeout(check, againMs).unref()
  }

  function foundIntact(): void {
    soundAt = clock.now()
    work.goesOn()
    disk.intact()
    intact()
  }

  return {
    /**
     * When a check last found the whole database undamaged, Unix milliseconds; null when none did since the start.
     */
    soundAt: (): number | null => soundAt,
    isUnderWay: (): boolean => underWay !== null,
    /** Starts no more checks, and resolves when none is under way. */
    async close(): Promise<void> {
      isOpen = false
      looking.cancel()
      again?.cancel()
      await underWay?.end()
      work.end()
    },
  }
}

/** Returns a function that is true once a week, at night in the property. */
function onceAWeek(clock: Clock, timeZone: () => string): () => boolean {
  let last = ''
  return () => {
    const [date, time] = [localDate(clock.now(), timeZone()), localTime(clock.now(), timeZone())]
    if (date === last || !time.startsWith(hour) || weekdayOf(date) !== weekday) return false
    last = date
    return true
  }
}

/** Returns the day of the week; 0 for Sunday. */
function weekdayOf(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay()
}
