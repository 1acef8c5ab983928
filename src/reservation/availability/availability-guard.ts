import type { Transaction } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import { lateDepartures, type Moment, momentIn } from '../resources/house.ts'
import type { Stay } from '../resources/stay.ts'
import { unitType } from '../resources/unit-type.ts'
import { inventoryNights, isOverdue, leftOn, type NightChange } from './availability.ts'
import { changedNights, nightsOf } from './inventory-nights.ts'

/** Where the body of a stay is: the prefix of JSON pointers into it, such as `/stays/2`, or empty. */
interface StayBody {
  at: string
}

/** The largest number of dates that a refusal names. */
const mostNamed = 31

/**
 * Throws 422 `no-eligible-unit`, with the dates, when the written stays need more units of a type than are left. The
 * caller has already written all stays. A stay that became shorter or was canceled is never refused, because it takes
 * no further night. `bodies` are those of the written stays, in the same order.
 */
export function refuseOverbooking(
  tx: Transaction,
  before: readonly Stay[],
  after: readonly Stay[],
  bodies: readonly StayBody[],
): void {
  const moment = momentIn(tx)
  const sold = changedNights(tx, before, after, lateDepartures(moment)).filter((night) =>
    isSold(night, before, after, moment),
  )
  for (const [unitTypeId, nights] of Map.groupBy(sold, (night) => night.unitTypeId)) {
    const dates = nights.map(({ date }) => date).sort()
    const short = nightsOf(tx, unitTypeId, dates, moment).filter((night) => (leftOn(night) ?? 0) < 0)
    const overbooked = short.map(({ date }) => date)
    if (overbooked.length > 0) {
      const pointer = pointerTo(unitTypeId, overbooked[0]!, after, bodies)
      throw noneLeft(tx, unitTypeId, overbooked, pointer)
    }
  }
}

/**
 * Returns whether the write sells a night: the stays take more units of the type than before. An overdue guest already
 * takes a unit, so an extension of that stay sells nothing. Of the past dates, only that of the night that is not over
 * yet can be sold, and not to a guest who already had this night.
 */
function isSold(
  { date, unitTypeId, by }: NightChange,
  before: readonly Stay[],
  after: readonly Stay[],
  moment: Moment,
): boolean {
  if (by <= 0 || date < moment.night) return false
  if (date > moment.today || before.length === 0) return true
  const unitsOf = (stays: readonly Stay[]) =>
    stays.flatMap(({ units }) => units.filter((each) => each.unitTypeId === unitTypeId)).length
  const more = (among: (stay: Stay) => boolean) =>
    unitsOf(after.filter(among)) - unitsOf(before.filter(among))
  const late = lateDepartures(moment).filter((each) => each.date === date)
  // `by` has those of guests who share.
  const isLate = (stay: Stay) => !stay.shareId && late.some((each) => isOverdue(stay, each))
  if (by + more(isLate) <= 0) return false
  const isNew = (stay: Stay) => !hadTonight(stay, before, after) && inventoryNights(stay).includes(date)
  return date === moment.today || more(isNew) > 0
}

/**
 * Returns whether the guest already had the night that is not over yet: the stay was in house or checked out, and has no
 * more units than then. The type of a unit may have changed.
 */
function hadTonight({ id }: Stay, before: readonly Stay[], after: readonly Stay[]): boolean {
  const was = before.find((stay) => stay.id === id)
  if (was?.status !== 'InHouse' && was?.status !== 'CheckedOut') return false
  return (after.find((stay) => stay.id === id)?.units.length ?? 0) <= was.units.length
}

function noneLeft(tx: Transaction, unitTypeId: string, dates: readonly string[], pointer: string): Problem {
  const { code } = tx.find(unitType, unitTypeId)
  const more = dates.length > 1 ? ` and ${dates.length - 1} more` : ''
  return new Problem('no-eligible-unit', `No unit of type ${code} is left on ${dates[0]}${more}.`, {
    pointer,
    meta: { reason: 'all-occupied', unitTypeId, dates: dates.slice(0, mostNamed) },
  })
}

/** Returns the pointer of the last unit of the type, in the last stay, that takes the night. */
function pointerTo(
  unitTypeId: string,
  date: string,
  stays: readonly Stay[],
  bodies: readonly StayBody[],
): string {
  const isOfType = (unit: { unitTypeId: string }) => unit.unitTypeId === unitTypeId
  const index = stays.findLastIndex(
    (stay) => stay.units.some(isOfType) && inventoryNights(stay).includes(date),
  )
  return `${bodies[index]?.at ?? ''}/units/${stays[index]?.units.findLastIndex(isOfType) ?? 0}/unitTypeId`
}
