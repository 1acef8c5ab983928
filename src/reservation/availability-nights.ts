import type { Transaction } from '../resource/change.ts'
import type { Rule } from '../resource/resource.ts'
import { tellAvailability } from './availability-changed.ts'
import { type Moment, momentIn } from './availability-moment.ts'
import { mostDates } from './availability-period.ts'
import { invalidValue } from './invalid-value.ts'
import type { Stay } from './resources/stay.ts'
import { holdsUnits } from './status.ts'
import { dateAfter, datesHeld, nights } from './stay-dates.ts'
import { isPastHisTime } from './unit-occupancy.ts'

/** What of a stay decides which dates of which unit types it holds. */
export type HoldingStay = Pick<Stay, 'status' | 'startDate' | 'endDate' | 'units'>

/** How many places of a unit type are held on a date, by `<id of the type>/<date>`. */
export type HeldDates = ReadonlyMap<string, number>

/** The name of the counter of what stays hold. Names of one type are in the order of their dates. */
export function heldCounter(unitTypeId: string, date: string): string {
  return `held/${unitTypeId}/${date}`
}

/** The two parts of a key of `HeldDates`. */
export function typeAndDate(key: string): [unitTypeId: string, date: string] {
  const [unitTypeId = '', date = ''] = key.split('/')
  return [unitTypeId, date]
}

/** What the stays hold together. One that is over, canceled or waiting holds nothing. */
export function datesHeldBy(stays: readonly HoldingStay[]): HeldDates {
  const held = new Map<string, number>()
  for (const stay of stays.filter(({ status }) => holdsUnits(status))) {
    const { first, last } = datesHeld(stay)
    for (let date = first; date <= last; date = dateAfter(date, 1)) {
      for (const { unitTypeId } of stay.units) {
        const key = `${unitTypeId}/${date}`
        held.set(key, (held.get(key) ?? 0) + 1)
      }
    }
  }
  return held
}

/** What the stays hold afterwards more than before, or less where it is below zero; nothing stands there as zero. */
export function heldSince(before: readonly HoldingStay[], after: readonly HoldingStay[]): HeldDates {
  return difference(datesHeldBy(before), datesHeldBy(after))
}

/** The same for what they take from others, guests who are still there past their time among them. */
export function takenSince(
  before: readonly HoldingStay[],
  after: readonly HoldingStay[],
  moment: Moment,
): HeldDates {
  return difference(datesTakenBy(before, moment), datesTakenBy(after, moment))
}

function datesTakenBy(stays: readonly HoldingStay[], moment: Moment): HeldDates {
  const taken = new Map(datesHeldBy(stays))
  for (const date of new Set([moment.night, moment.today])) {
    const late = stays.filter((stay) => isPastHisTime(stay, date, moment))
    for (const { unitTypeId } of late.flatMap(({ units }) => units)) {
      const key = `${unitTypeId}/${date}`
      taken.set(key, (taken.get(key) ?? 0) + 1)
    }
  }
  return taken
}

function difference(had: HeldDates, has: HeldDates): HeldDates {
  const keys = new Set([...had.keys(), ...has.keys()])
  const changes = [...keys].map((key) => [key, (has.get(key) ?? 0) - (had.get(key) ?? 0)] as const)
  return new Map(changes.filter(([, by]) => by !== 0))
}

/** Keeps the counters of what is held in line with a stay that was written. */
export function heldDatesFollow({ tx, before, after }: Parameters<Rule>[0]): void {
  const [was, is] = [before, after] as unknown as [HoldingStay | null, HoldingStay]
  if (was && holdsTheSame(was, is)) return
  refuseEndless(is)
  count(tx, heldSince(was ? [was] : [], [is]), was?.status === 'InHouse')
}

/** The same for a stay that goes. */
export function heldDatesGo({ tx, after }: Parameters<Rule>[0]): void {
  count(tx, heldSince([after as unknown as HoldingStay], []))
}

function holdsTheSame(was: HoldingStay, is: HoldingStay): boolean {
  const typesOf = ({ units }: HoldingStay) => units.map(({ unitTypeId }) => unitTypeId).join()
  if (!holdsUnits(was.status) && !holdsUnits(is.status)) return true
  return (
    holdsUnits(was.status) === holdsUnits(is.status) &&
    was.startDate === is.startDate &&
    was.endDate === is.endDate &&
    typesOf(was) === typesOf(is)
  )
}

/** Each night is counted. */
function refuseEndless(stay: HoldingStay): void {
  if (!holdsUnits(stay.status) || nights(stay) <= mostDates) return
  throw invalidValue('/endDate', `A stay has at most ${mostDates} nights.`, { limit: mostDates })
}

/** A guest who was in house and past his time took a unit until today, whatever dates his stay held. */
function count(tx: Transaction, changes: HeldDates, wasInHouse = false): void {
  const until = wasInHouse ? momentIn(tx).today : ''
  const byType = Map.groupBy(changes, ([key]) => typeAndDate(key)[0])
  for (const [unitTypeId, each] of byType) {
    const dates = each.map(([key]) => typeAndDate(key)[1]).sort()
    for (const [key, by] of each) {
      const counter = heldCounter(unitTypeId, typeAndDate(key)[1])
      if (tx.add(counter, by) === 0) tx.forget(counter, counter)
    }
    const last = dates.at(-1)!
    tellAvailability(tx, unitTypeId, { first: dates[0]!, last: last < until ? until : last })
  }
}
