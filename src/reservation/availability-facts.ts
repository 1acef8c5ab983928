import type { Transaction } from '../resource/change.ts'
import type { Reader } from '../resource/keeper.ts'
import type { Filter } from '../resource/query.ts'
import { type DateFacts, leftOn } from './availability.ts'
import { capacityCounter } from './availability-capacity.ts'
import type { Moment } from './availability-moment.ts'
import { heldCounter } from './availability-nights.ts'
import type { Dates } from './availability-period.ts'
import { type Unit, unit } from './resources/unit.ts'
import { dateAfter } from './stay-dates.ts'
import { guestsPastTheirTime } from './unit-occupancy.ts'
import { removesAvailability } from './unit-status.ts'

/** Units that one question may be about. */
const mostUnits = 10_000

/** What availability asks, alike inside a change and outside of one. */
export interface Asking extends Pick<Transaction, 'count' | 'counters'> {
  units(where: Filter[]): Unit[]
}

export function askingIn(tx: Transaction): Asking {
  const { count, counters } = tx
  return { count, counters, units: (where) => tx.select(unit, where, [], mostUnits) }
}

export function askingBy(reader: Reader): Asking {
  const { count, counters } = reader
  return {
    count,
    counters,
    units: (filters) => reader.rows(unit, { filters, sort: [], page: { size: mostUnits } }),
  }
}

/** What is known of each date of a unit type, in their order. */
export function factsOn(
  asking: Asking,
  unitTypeId: string,
  dates: Dates,
  moment: Moment,
): (DateFacts & { date: string })[] {
  const { first, last } = dates
  const between = (name: typeof heldCounter) =>
    asking.counters(name(unitTypeId, first), name(unitTypeId, last))
  const [capacity, held] = [between(capacityCounter), between(heldCounter)]
  const units = asking.count(`SELECT count(*) ${ofType}`, unitTypeId)
  const out = asking.count(`SELECT count(*) ${ofType} AND status = 'OutOfOrder'`, unitTypeId)
  const blocked = blockedOn(asking, unitTypeId, dates)
  return datesIn(dates).map((date) => ({
    date,
    capacity: capacity.get(capacityCounter(unitTypeId, date)) ?? null,
    units,
    out: out + (blocked.get(date) ?? 0),
    held:
      (held.get(heldCounter(unitTypeId, date)) ?? 0) + guestsPastTheirTime(asking, unitTypeId, date, moment),
  }))
}

/** How many units of a type are left on each date, in their order. */
export function leftIn(asking: Asking, unitTypeId: string, dates: Dates, moment: Moment) {
  return factsOn(asking, unitTypeId, dates, moment).map((facts) => ({
    date: facts.date,
    left: leftOn(facts),
  }))
}

const ofType = `FROM unit WHERE unitTypeId = (SELECT rid FROM unit_type WHERE id = unhex(replace(?, '-', '')))`

/** Mostly nothing is blocked, and then the units need not be looked at. */
const anyBlock = 'SELECT EXISTS (SELECT 1 FROM unit_block WHERE endDate >= ? AND startDate <= ?)'

/** On how many units of the type a date is blocked; what is out of order is out already. */
function blockedOn(asking: Asking, unitTypeId: string, dates: Dates): Map<string, number> {
  const blocked = new Map<string, number>()
  if (asking.count(anyBlock, dates.first, dates.last) === 0) return blocked
  const units = asking.units([
    { path: 'unitTypeId', operator: 'eq', value: unitTypeId },
    { path: 'blocks.startDate', operator: 'lte', value: dates.last },
    { path: 'blocks.endDate', operator: 'gte', value: dates.first },
  ])
  for (const { blocks, status } of units) {
    if (status && removesAvailability[status]) continue
    for (const { startDate, endDate } of blocks ?? []) {
      const within = { first: later(startDate, dates.first), last: earlier(endDate, dates.last) }
      for (const date of datesIn(within)) blocked.set(date, (blocked.get(date) ?? 0) + 1)
    }
  }
  return blocked
}

function datesIn({ first, last }: Dates): string[] {
  const all: string[] = []
  for (let date = first; date <= last; date = dateAfter(date, 1)) all.push(date)
  return all
}

function later(a: string, b: string): string {
  return a > b ? a : b
}

function earlier(a: string, b: string): string {
  return a < b ? a : b
}
