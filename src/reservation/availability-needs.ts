import type { Worked } from './availability-list.ts'
import type { Moment } from './availability-moment.ts'
import { askedPeriod } from './availability-period.ts'
import { type Need, periodRange } from './availability-units.ts'
import type { Settings } from './resources/settings.ts'
import type { Stay } from './resources/stay.ts'
import { datesHeld } from './stay-dates.ts'
import { rangeOf } from './stay-rules.ts'

/** The period of a stay itself, to the minute at which it is planned to begin and to end. */
export function needOf(stay: Stay): Need {
  return { dates: datesHeld(stay), range: rangeOf(stay) }
}

/** The period that is asked for a stay: its own, unless a filter says where it begins or ends. */
export function needAsked(
  stay: Stay,
  { startDate, endDate }: { startDate?: string; endDate?: string },
  house: Settings,
  { today }: Moment,
): Need {
  if (startDate === undefined && endDate === undefined) return needOf(stay)
  const { first, last } = datesHeld(stay)
  const dates = askedPeriod({ startDate: startDate ?? first, endDate: endDate ?? last }, today)
  return { dates, range: periodRange(dates, house) }
}

/** The unit types of a stay, each once; of the places alone that have no unit yet, if so. */
export function typesOf({ units }: Stay, which: 'all' | 'lacking'): string[] {
  const places = units.filter(({ unitId }) => which === 'all' || !unitId)
  return [...new Set(places.map(({ unitTypeId }) => unitTypeId))]
}

/** Of periods of one unit that begin on the same date the longest: the others are parts of it. */
export function longestOfEach(all: readonly Worked[]): Worked[] {
  const longest = new Map<string, Worked>()
  for (const each of all) {
    const id = `${each.of}:${each.startDate}`
    const other = longest.get(id)
    if (!other || other.endDate < each.endDate) longest.set(id, each)
  }
  return [...longest.values()]
}
