import type { Transaction } from '../resource/change.ts'
import { Problem } from '../resource/problem.ts'
import { askingIn, leftIn } from './availability-facts.ts'
import { type Moment, momentIn } from './availability-moment.ts'
import { datesHeldBy, type HoldingStay, heldSince, typeAndDate } from './availability-nights.ts'
import type { Dates } from './availability-period.ts'
import { unitType } from './resources/unit-type.ts'
import { dateAfter } from './stay-dates.ts'

/** Dates named in a refusal. */
const mostNamed = 31

/** A stay that was written, with what stands before a pointer into it: `/stays/2`, or nothing. */
export interface WrittenStay {
  stay: HoldingStay
  at: string
}

/**
 * Refuses stays that were sold where no unit of their type was left: 422 `no-eligible-unit` that names the dates. Only
 * dates from today on that the stays hold now and did not before are looked at, so that a shorter or a canceled stay is
 * never refused; for a new booking the night that is not over as well, which is sold until the morning. To be asked
 * when all of a change is written.
 */
export function refuseOverbooking(
  tx: Transaction,
  before: readonly HoldingStay[],
  after: readonly WrittenStay[],
): void {
  const taken = heldSince(
    before,
    after.map(({ stay }) => stay),
  )
  const more = [...taken].filter(([, by]) => by > 0).map(([key]) => typeAndDate(key))
  if (more.length === 0) return
  const moment = momentIn(tx)
  const first = before.length === 0 ? moment.night : moment.today
  const byType = Map.groupBy(more, ([unitTypeId]) => unitTypeId)
  for (const [unitTypeId, each] of byType) {
    const dates = each.map(([, date]) => date).filter((date) => date >= first)
    const short = datesWithoutUnit(tx, unitTypeId, dates, moment)
    if (short.length > 0) throw soldOut(tx, unitTypeId, short, after)
  }
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
