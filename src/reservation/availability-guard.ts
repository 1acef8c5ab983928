import type { Transaction } from '../resource/change.ts'
import { Problem } from '../resource/problem.ts'
import { askingIn, leftIn } from './availability-facts.ts'
import { type Moment, momentIn } from './availability-moment.ts'
import {
  datesHeldBy,
  type HeldDates,
  type HoldingStay,
  heldSince,
  takenSince,
  typeAndDate,
} from './availability-nights.ts'
import type { Dates } from './availability-period.ts'
import type { Stay } from './resources/stay.ts'
import { unitType } from './resources/unit-type.ts'
import { dateAfter } from './stay-dates.ts'

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
 * Refuses stays that were sold where no unit of their type was left: 422 `no-eligible-unit` that names the dates. Only
 * dates that the stays hold now and did not before are looked at, so that a shorter or a canceled stay is never refused:
 * those from today on, and the night that is not over, which is sold until the morning. To be asked when all of a change
 * is written.
 */
export function refuseOverbooking(
  tx: Transaction,
  before: readonly SoldStay[],
  after: readonly WrittenStay[],
): void {
  const stays = after.map(({ stay }) => stay)
  const held = heldSince(before, stays)
  if (![...held.values()].some((by) => by > 0)) return
  const moment = momentIn(tx)
  const more = datesSold(held, before, stays, moment)
  const byType = Map.groupBy(more, ([unitTypeId]) => unitTypeId)
  for (const [unitTypeId, each] of byType) {
    const dates = each.map(([, date]) => date)
    const short = datesWithoutUnit(tx, unitTypeId, dates, moment)
    if (short.length > 0) throw soldOut(tx, unitTypeId, short, after)
  }
}

/** Dates that are held by more than before, and taken from others by more as well: who is still there has his unit already. */
function datesSold(
  held: HeldDates,
  before: readonly SoldStay[],
  after: readonly SoldStay[],
  moment: Moment,
): [unitTypeId: string, date: string][] {
  const taken = takenSince(before, after, moment)
  const tonight = heldSince(...withoutThoseWhoWereHere(before, after))
  return [...held]
    .filter(([key, by]) => by > 0 && (taken.get(key) ?? 0) > 0)
    .map(([key]) => typeAndDate(key))
    .filter(([type, date]) => {
      if (date >= moment.today) return true
      return date === moment.night && (tonight.get(`${type}/${date}`) ?? 0) > 0
    })
}

/** Who has been in house had the night that is not over: another type in the morning is none of it, another unit besides is. */
function withoutThoseWhoWereHere(before: readonly SoldStay[], after: readonly SoldStay[]) {
  const had = new Map(before.filter(wasHere).map(({ id, units }) => [id, units.length]))
  const more = after.filter(({ id, units }) => units.length > (had.get(id) ?? 0))
  for (const { id } of more) had.delete(id)
  const others = (stays: readonly SoldStay[]) => stays.filter(({ id }) => !had.has(id))
  return [others(before), others(after)] as const
}

function wasHere({ status }: SoldStay): boolean {
  return status === 'InHouse' || status === 'CheckedOut'
}

function datesWithoutUnit(
  tx: Transaction,
  unitTypeId: string,
  dates: readonly string[],
  moment: Moment,
): string[] {
  return runsOf(dates.toSorted())
    .flatMap((run) => leftIn(askingIn(tx), unitTypeId, run, moment))
    .filter(({ left }) => left !== null && left < 0)
    .map(({ date }) => date)
}

/** Dates in their order, as periods without a gap. */
function runsOf(dates: readonly string[]): Dates[] {
  const runs: Dates[] = []
  for (const date of dates) {
    const run = runs.at(-1)
    if (run && dateAfter(run.last, 1) === date) run.last = date
    else runs.push({ first: date, last: date })
  }
  return runs
}

function soldOut(
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
  const found = stays.findLast(({ stay }) => datesHeldBy([stay]).has(`${unitTypeId}/${date}`))
  const place = found?.stay.units.findLastIndex((each) => each.unitTypeId === unitTypeId) ?? 0
  return `${found?.at ?? ''}/units/${place}/unitTypeId`
}
