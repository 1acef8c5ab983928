import { momentIn } from '../../reservation/availability-moment.ts'
import { houseTimes, settingsIn } from '../../reservation/resources/settings.ts'
import { type Stay, stay } from '../../reservation/resources/stay.ts'
import { plannedRange } from '../../reservation/stay-dates.ts'
import { isInTheWay } from '../../reservation/unit-occupancy.ts'
import type { Transaction } from '../../resource/change.ts'

/** Other stays that have the unit at the time of this one. */
export function holdersOf(
  tx: Transaction,
  unitId: string,
  {
    id,
    startDate,
    startTime = null,
    endDate,
    endTime = null,
  }: Pick<Stay, 'startDate' | 'endDate'> & Partial<Stay>,
): Stay[] {
  const range = plannedRange({ startDate, startTime, endDate, endTime }, houseTimes(settingsIn(tx)))
  const moment = momentIn(tx)
  return tx
    .select(stay, [{ path: 'heldUnits.unitId', operator: 'eq', value: unitId }])
    .filter((each) => each.id !== id && isInTheWay(each, range, moment))
}
