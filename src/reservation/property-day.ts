import { localDate } from '../host/zone.ts'
import type { Reader } from '../resource/keeper.ts'
import { zoneOf } from './kept-settings.ts'

const minute = 60_000

/** The property's date now, YYYY-MM-DD. It is asked for with every answer, so that of a minute is remembered. */
export function propertyDay(reader: Reader, now: () => number): () => string {
  let [zone, since, day] = ['', -1, '']
  return () => {
    const at = Math.floor(now() / minute)
    const timeZone = zoneOf(reader)
    if (at === since && timeZone === zone) return day
    ;[zone, since, day] = [timeZone, at, localDate(at * minute, timeZone)]
    return day
  }
}
