import type { Filter } from '../resource/query.ts'
import type { Asking } from './availability-facts.ts'
import type { Moment } from './availability-moment.ts'
import type { Dates } from './availability-period.ts'
import { houseTimes, type Settings } from './resources/settings.ts'
import type { Unit } from './resources/unit.ts'
import { dateAfter, plannedRange, type Range } from './stay-dates.ts'
import { blockOn } from './unit-block.ts'
import { overlappingStays } from './unit-occupancy.ts'
import { removesAvailability } from './unit-status.ts'

/** What a unit has to be free for. */
export interface Need {
  dates: Dates
  range: Range
}

/** From check-in on the first date to check-out on the day after the last. */
export function periodRange({ first, last }: Dates, house: Settings): Range {
  const dates = { startDate: first, startTime: null, endDate: dateAfter(last, 1), endTime: null }
  return plannedRange(dates, houseTimes(house))
}

/**
 * The units that are free for the whole of it, clean or not: nobody holds them or is still there, they are not blocked,
 * and they are not out of order.
 */
export function freeUnits(asking: Asking, where: Filter[], { dates, range }: Need, moment: Moment): Unit[] {
  return asking.units(where).filter(({ id, status, blocks }) => {
    if ((status && removesAvailability[status]) || blockOn(blocks, dates)) return false
    return overlappingStays(asking, id, range, { moment }) === 0
  })
}
