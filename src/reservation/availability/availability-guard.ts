import type { Transaction } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import type { Stay } from '../resources/stay.ts'
import { unitType } from '../resources/unit-type.ts'
import { leftOn } from './availability.ts'
import { type Moment, momentIn } from './availability-moment.ts'
import { type HoldingStay, heldNights, lateNights, nightChanges, nightKey } from './held-nights.ts'
import { type NightChange, nightsOf } from './inventory-nights.ts'

/** The largest number of dates that a refusal names. */
const mostNamed = 31

/** The id of a stay and the fields that decide which nights it holds. */
type SoldStay = HoldingStay & Pick<Stay, 'id'>

/** A stay that was written. `at` is the prefix of JSON pointers into the stay: `/stays/2`, or empty. */
interface WrittenStay {
  stay: SoldStay
  at: string
}

/**
 * Throws 422 `no-eligible-unit`, with the dates, when the written stays need more units of a type than are left. The
 * caller has already written all stays. A stay that became shorter or was canceled is never refused, because it takes
 * no further night.
 */
export function refuseOverbooking(
  tx: Transaction,
  before: readonly SoldStay[],
  after: readonly WrittenStay[],
): void {
  const stays = after.map(({ stay }) => stay)
  const more = [...nightChanges(before, stays).values()].filter(({ by }) => by > 0)
  if (more.length === 0) return
  const moment = momentIn(tx)
  const sold = more.filter(isSold(before, stays, moment))
  for (const [unitTypeId, each] of Map.groupBy(sold, (night) => night.unitTypeId)) {
    const dates = each.map(({ date }) => date).sort()
    const short = nightsOf(tx, unitTypeId, dates, moment).filter((night) => (leftOn(night) ?? 0) < 0)
    if (short.length > 0)
      throw noneLeft(
        tx,
        unitTypeId,
        short.map(({ date }) => date),
        after,
      )
  }
}

/**
 * Returns a test: does this write newly sell a night that the stays now hold more often than before? An overdue guest
 * already takes a unit, so an extension of that stay sells nothing. The only night of the past that can be sold is the
 * night that is not over yet. A guest who was already in house does not buy that night again.
 */
function isSold(before: readonly SoldStay[], after: readonly SoldStay[], moment: Moment) {
  const taken = nightChanges(before, after, (stay) => [...heldNights(stay), ...lateNights(stay, moment)])
  const tonight = nightChanges(...withoutThoseWhoWereHere(before, after))
  return (night: NightChange): boolean => {
    if ((taken.get(nightKey(night))?.by ?? 0) <= 0) return false
    if (night.date >= moment.today) return true
    return night.date === moment.night && (tonight.get(nightKey(night))?.by ?? 0) > 0
  }
}

/**
 * Excludes the stays that were in house or checked out before and have no more units than then: they already had the
 * night that is not over yet. A change of the unit type keeps a stay excluded. An additional unit does not.
 */
function withoutThoseWhoWereHere(before: readonly SoldStay[], after: readonly SoldStay[]) {
  const wasHere = ({ status }: SoldStay) => status === 'InHouse' || status === 'CheckedOut'
  const had = new Map(before.filter(wasHere).map(({ id, units }) => [id, units.length]))
  const more = after.filter(({ id, units }) => units.length > (had.get(id) ?? 0))
  for (const { id } of more) had.delete(id)
  const others = (stays: readonly SoldStay[]) => stays.filter(({ id }) => !had.has(id))
  return [others(before), others(after)] as const
}

function noneLeft(
  tx: Transaction,
  unitTypeId: string,
  dates: readonly string[],
  stays: readonly WrittenStay[],
): Problem {
  const { code } = tx.find(unitType, unitTypeId)
  const more = dates.length > 1 ? ` and ${dates.length - 1} more` : ''
  return new Problem('no-eligible-unit', `No unit of type ${code} is left on ${dates[0]}${more}.`, {
    pointer: pointerTo(unitTypeId, dates[0]!, stays),
    meta: { reason: 'all-occupied', unitTypeId, dates: dates.slice(0, mostNamed) },
  })
}

/**
 * Returns the pointer of the last place that holds the date. In a body this is the place that exceeds the number of
 * units.
 */
function pointerTo(unitTypeId: string, date: string, stays: readonly WrittenStay[]): string {
  const isOfType = (unit: { unitTypeId: string }) => unit.unitTypeId === unitTypeId
  const found = stays.findLast(({ stay }) => stay.units.some(isOfType) && heldNights(stay).includes(date))
  return `${found?.at ?? ''}/units/${found?.stay.units.findLastIndex(isOfType) ?? 0}/unitTypeId`
}
