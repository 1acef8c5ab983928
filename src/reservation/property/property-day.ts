import { localDate } from '../../host/zone.ts'
import type { Reader } from '../../resource/keeper.ts'
import { cachedSettings } from './cached-settings.ts'
import { momentOf } from './moment.ts'

/** Returns the property's date now, YYYY-MM-DD; the UTC date before it has settings. */
export function propertyDay(reader: Reader, now: () => number): () => string {
  return () => {
    const house = cachedSettings(reader)
    return house ? momentOf(now(), house).today : localDate(now(), 'UTC')
  }
}
