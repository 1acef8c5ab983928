import type { Transaction } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import type { Stay } from '../resources/stay.ts'
import { unitType } from '../resources/unit-type.ts'
import { leftOn } from './availability.ts'
import { type Moment, momentIn } from './availability-moment.ts'
import { type HoldingStay, heldNights, lateNights, nightChanges, nightKey } from './held-nights.ts'
import { type NightChange, nightsOf } from './inventory-nights.ts'

/** Dates named in a refusal. */
const mostNamed = 31

/** A stay as it is sold: which it is, and what it holds. */
type SoldStay = HoldingStay & Pick<Stay, 'id'>

/** A stay that was written, with what stands before a pointer into it: `/stays/2`, or nothing. */
interface WrittenStay {
  stay: SoldStay
  at: string
}

/**
 * Refuses stays that were sold where no unit of their type was left: 422 `no-eligible-unit` that names the dates. The caller
 * has written all of the change. A shorter or a canceled stay is never refused, because it takes no further night.
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
 * Whether a night that the stays hold more often than before is sold by that. A guest who is still there past his time takes a
 * unit already, so his extension sells nothing. Of the past only the night that is not over is sold, and not to who was in
 * house before.
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

/** Who has been in house had the night that is not over: another type in the morning is none of it, another unit besides is. */
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

/** The last place that holds the date: in a body, the one that was one too many. */
function pointerTo(unitTypeId: string, date: string, stays: readonly WrittenStay[]): string {
  const isOfType = (unit: { unitTypeId: string }) => unit.unitTypeId === unitTypeId
  const found = stays.findLast(({ stay }) => stay.units.some(isOfType) && heldNights(stay).includes(date))
  return `${found?.at ?? ''}/units/${found?.stay.units.findLastIndex(isOfType) ?? 0}/unitTypeId`
}
