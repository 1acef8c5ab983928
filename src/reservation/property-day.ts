import { localDate } from '../host/zone.ts'
import type { Reader } from '../resource/keeper.ts'
import { settings } from './resources/settings.ts'

const minute = 60_000
const first = { filters: [], sort: [], page: { size: 1 } }

/** The property's date now, YYYY-MM-DD. It is asked for with every answer, so a minute's answer is remembered. */
export function propertyDay(reader: Reader, now: () => number): () => string {
  let [version, since, day] = [-1, 0, '']
  return () => {
    const at = Math.floor(now() / minute)
    if (at === since && reader.version() === version) return day
    const [house] = reader.rows(settings, first)
    ;[version, since] = [reader.version(), at]
    day = localDate(at * minute, house?.timeZone ?? 'UTC')
    return day
  }
}
