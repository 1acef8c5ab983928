import type { Questions, Transaction } from '../../resource/command.ts'
import { ridOf } from '../../resource/uuid-sql.ts'
import type { Block } from '../assignment/unit-block.ts'
import { dateAfter, nightDates } from '../stays/stay-dates.ts'
import { capacityReported, type Dates, leftOn, type NightFacts } from './availability.ts'
import { lateDepartures, type Moment } from './availability-moment.ts'

/** A night of a unit type. */
export interface Night extends NightFacts {
  /** YYYY-MM-DD. */
  date: string
}

const ofType = `unitTypeId = ${ridOf('unit_type')}`

const kept = `SELECT date, held, capacity FROM inventory_night WHERE ${ofType} AND date BETWEEN ? AND ?`

const unitsOf = `SELECT count(*) AS units, count(*) FILTER (WHERE status = 'OutOfOrder') AS outOfOrder
  FROM unit WHERE ${ofType}`

/** Of units that are not out anyway. The blocks of one unit do not overlap. */
const blocksOf = `SELECT startDate, endDate FROM unit JOIN unit_block ON unit_block.owner = unit.rid
  WHERE ${ofType} AND unit.status IS NOT 'OutOfOrder' AND startDate <= ? AND endDate >= ?`

/** A day use of the date holds it already. */
const lateOn = `SELECT count(*) FROM stay JOIN stay_unit ON stay_unit.owner = stay.rid
  WHERE stay.status = 'InHouse' AND stay.endDate <= ? AND stay.startDate < ? AND ${ofType}`

/** What is known of these nights of a unit type; the dates are in their order. */
export function nightsOf(
  db: Questions,
  unitTypeId: string,
  dates: readonly string[],
  moment: Moment,
): Night[] {
  const [first = '', last = ''] = [dates.at(0), dates.at(-1)]
  const counted = db.all<Pick<Night, 'date' | 'held' | 'capacity'>>(kept, unitTypeId, first, last)
  const counts = new Map(counted.map((night) => [night.date, night]))
  const [type] = db.all<{ units: number; outOfOrder: number }>(unitsOf, unitTypeId)
  const blocks = db.all<Block>(blocksOf, unitTypeId, last, first)
  const departures = lateDepartures(moment)
  return dates.map((date) => {
    const { held = 0, capacity = null } = counts.get(date) ?? {}
    const isBlocked = (block: Block) => block.startDate <= date && block.endDate >= date
    const late = departures.find((each) => each.date === date)
    return {
      date,
      capacity,
      units: type!.units,
      out: type!.outOfOrder + blocks.filter(isBlocked).length,
      held: held + (late ? db.count(lateOn, late.departure, date, unitTypeId) : 0),
    }
  })
}

/** How many units of a type are left for each night, in the order of the dates. */
export function leftIn(db: Questions, unitTypeId: string, dates: Dates, moment: Moment) {
  return nightsOf(db, unitTypeId, datesIn(dates), moment).map((night) => ({
    date: night.date,
    left: leftOn(night),
  }))
}

function datesIn({ first, last }: Dates): string[] {
  return nightDates({ startDate: first, endDate: dateAfter(last, 1) })
}

/** Units of a type that stays hold on a date more than before, or less where it is below zero. */
export interface NightChange {
  unitTypeId: string
  date: string
  by: number
}

const hold = `INSERT INTO inventory_night (unitTypeId, date, held) VALUES (${ridOf('unit_type')}, ?, ?)
  ON CONFLICT DO UPDATE SET held = held + excluded.held`

/** Counts what stays hold more or less than before. */
export function holdNights(tx: Transaction, changes: readonly NightChange[]): void {
  for (const { unitTypeId, date, by } of changes) {
    tx.run(hold, unitTypeId, date, by)
    if (by < 0) forgetEmpty(tx, unitTypeId, { first: date, last: date })
  }
}

const report = `INSERT INTO inventory_night (unitTypeId, date, capacity) VALUES (${ridOf('unit_type')}, ?, ?)
  ON CONFLICT DO UPDATE SET capacity = excluded.capacity`

/** Keeps how many units of a type the PMS reports to be left on each of the dates. */
export function reportLeft(
  tx: Transaction,
  unitTypeId: string,
  { quantity, ...dates }: Dates & { quantity: number },
  moment: Moment,
): void {
  for (const night of nightsOf(tx, unitTypeId, datesIn(dates), moment))
    tx.run(report, unitTypeId, night.date, capacityReported(quantity, night))
}

const unreport = `UPDATE inventory_night SET capacity = NULL WHERE ${ofType} AND date <= ?`

/** What was reported of dates until this one is never asked for again. */
export function forgetReports(tx: Transaction, unitTypeId: string, until: string): void {
  tx.run(unreport, unitTypeId, until)
  forgetEmpty(tx, unitTypeId, { first: '', last: until })
}

const empty = `DELETE FROM inventory_night
  WHERE ${ofType} AND date BETWEEN ? AND ? AND held = 0 AND capacity IS NULL`

function forgetEmpty(tx: Transaction, unitTypeId: string, { first, last }: Dates): void {
  tx.run(empty, unitTypeId, first, last)
}

const shift = `UPDATE inventory_night SET capacity = capacity + ?
  WHERE ${ofType} AND capacity IS NOT NULL AND EXISTS (
    SELECT 1 FROM json_each(?) AS block
    WHERE date BETWEEN block.value ->> 'startDate' AND block.value ->> 'endDate')`

/** Adds to what was reported of the dates on which a unit is out: it comes to the type (1) or goes from it (-1) as it is. */
export function shiftCapacity(tx: Transaction, unitTypeId: string, out: readonly Block[], by: 1 | -1): void {
  if (out.length > 0) tx.run(shift, by, unitTypeId, JSON.stringify(out))
}

/** Forgets the nights of a unit type that is removed. */
export function forgetNights(tx: Transaction, unitTypeId: string): void {
  tx.run(`DELETE FROM inventory_night WHERE ${ofType}`, unitTypeId)
}
