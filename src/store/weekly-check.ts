import type { Clock } from '../host/clock.ts'
import { guarded } from '../host/guarded.ts'
import { localDate, localTime } from '../host/zone.ts'
import type { DiskWatch } from './disk/disk-watch.ts'
import { checkIntegrity } from './disk/integrity.ts'

const lookEveryMs = 600_000
/** The night before Wednesday, when few guests arrive or leave. */
const weekday = 3
const hour = '03'

interface Options {
  path: string
  entry: URL
  clock: Clock
  disk: DiskWatch
  timeZone(): string
  failed(error: unknown): void
}

/**
 * Checks the whole database once a week, at night in the property. Damage is reported as trouble of the disk.
 * A check that was missed while the appliance was off is not repeated, because every start makes a check of
 * its own.
 */
export function weeklyCheck({ path, entry, clock, disk, timeZone, failed }: Options) {
  let soundAt: number | null = null
  let checkedOn = ''
  let underWay: ReturnType<typeof checkIntegrity> | null = null

  // A damaged database cannot be asked for its time zone either.
  const look = guarded(failed, () => {
    const [date, time] = [localDate(clock.now(), timeZone()), localTime(clock.now(), timeZone())]
    if (underWay || date === checkedOn || !time.startsWith(hour) || weekdayOf(date) !== weekday) return
    checkedOn = date
    void check()
  })
  const looking = clock.setInterval(look, lookEveryMs).unref()

  async function check(): Promise<void> {
    underWay = checkIntegrity(path, entry)
    try {
      const checked = await underWay.found
      if (checked?.trouble) disk.is(checked.trouble)
      else if (checked) soundAt = clock.now()
    } catch (error) {
      failed(error)
    } finally {
      underWay = null
    }
  }

  return {
    /**
     * When a weekly check last found the whole database undamaged, Unix milliseconds; null when none did since
     * the start.
     */
    soundAt: (): number | null => soundAt,
    async close(): Promise<void> {
      looking.cancel()
      await underWay?.end()
    },
  }
}

/** Returns the day of the week; 0 for Sunday. */
function weekdayOf(date: string): number {
  return new Date(`${date}T00:00:00Z`).getUTCDay()
}
