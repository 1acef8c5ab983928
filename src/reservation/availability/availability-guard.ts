import type { Transaction } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import { lateDepartures, type Moment, momentIn } from '../property/house.ts'
import type { Stay } from '../resources/stay.ts'
import { unitType } from '../resources/unit-type.ts'
import { inventoryNights, leftOn, type NightChange, nightChanges } from './availability.ts'
import { nightsOf } from './inventory-nights.ts'

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
  const sold = [...nightChanges(before, after).values()].filter((night) =>
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
  const units = (stays: readonly Stay[], hasNight: (stay: Stay) => boolean) =>
    stays.filter(hasNight).flatMap((stay) => stay.units.filter((each) => each.unitTypeId === unitTypeId))
      .length
  const isOverdue = (stay: Stay) => overdueNights(stay, moment).includes(date)
  if (by + units(after, isOverdue) <= units(before, isOverdue)) return false
  if (date === moment.today) return true
  const had = hadTonight(before, after)
  const isNew = (stay: Stay) => !had.has(stay.id) && inventoryNights(stay).includes(date)
  return units(after, isNew) > units(before, isNew)
}

/** Returns the dates of the nights that a guest takes only because the guest is overdue. */
function overdueNights({ status, startDate, endDate }: Stay, moment: Moment): string[] {
  if (status !== 'InHouse') return []
  const late = lateDepartures(moment).filter(
    ({ date, departure }) => endDate <= departure && startDate < date,
  )
  return late.map(({ date }) => date)
}

/**
 * Returns the ids of the stays that already had the night that is not over yet: they were in house or checked out, and
 * have no more units than then. The type of a unit may have changed.
 */
function hadTonight(before: readonly Stay[], after: readonly Stay[]): ReadonlySet<string> {
  const units = new Map(after.map((stay) => [stay.id, stay.units.length]))
  const had = before.filter(
    (stay) =>
      (stay.status === 'InHouse' || stay.status === 'CheckedOut') &&
      (units.get(stay.id) ?? 0) <= stay.units.length,
  )
  return new Set(had.map(({ id }) => id))
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
