import { staysInTheWay } from '../../reservation/assignment/unit-occupancy.ts'
import { momentIn, settingsIn } from '../../reservation/property/house.ts'
import { type Stay, stay } from '../../reservation/resources/stay.ts'
import { plannedRange } from '../../reservation/stays/stay-dates.ts'
import type { Transaction } from '../../resource/command.ts'

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
  const range = plannedRange({ startDate, startTime, endDate, endTime }, settingsIn(tx))
  const besides = { ...(id !== undefined && { except: id }), moment: momentIn(tx) }
  return staysInTheWay(tx, unitId, range, besides).map((each) => tx.find(stay, each))
}
