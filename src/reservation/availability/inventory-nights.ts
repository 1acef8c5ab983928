import type { Questions, Transaction } from '../../resource/command.ts'
import { ridOf } from '../../resource/uuid-sql.ts'
import type { Block } from '../assignment/unit-block.ts'
import { lateDepartures, type Moment } from '../property/moment.ts'
import { type Dates, datesIn } from '../stays/stay-dates.ts'
import { capacityReported, leftOn, type NightFacts } from './availability.ts'

/** The inventory of a unit type for the night of one date. */
interface Night extends NightFacts {
  /** YYYY-MM-DD. */
  date: string
}

const ofType = `unitTypeId = ${ridOf('unit_type')}`

const stored = `SELECT date, held, capacity FROM inventory_night WHERE ${ofType} AND date BETWEEN ? AND ?`

const unitsOf = `SELECT count(*) AS units, count(*) FILTER (WHERE status = 'OutOfOrder') AS outOfOrder
  FROM unit WHERE ${ofType}`

/** Selects the blocks of units that are not out of order. The blocks of one unit do not overlap. */
const blocksOf = `SELECT startDate, endDate FROM unit JOIN unit_block ON unit_block.owner = unit.rid
  WHERE ${ofType} AND unit.status IS NOT 'OutOfOrder' AND startDate <= ? AND endDate >= ?`

/** Counts the units of overdue guests. Excludes a day use on the date itself: its inventory night counts it. */
const lateOn = `SELECT count(*) FROM stay JOIN stay_unit ON stay_unit.owner = stay.rid
  WHERE stay.status = 'InHouse' AND stay.endDate <= ? AND stay.startDate < ? AND ${ofType}`

/** Returns the inventory of a unit type for the given nights. `dates` are in ascending order. */
export function nightsOf(
  db: Questions,
  unitTypeId: string,
  dates: readonly string[],
  moment: Moment,
): Night[] {
  const [first = '', last = ''] = [dates.at(0), dates.at(-1)]
  const rows = db.all<Pick<Night, 'date' | 'held' | 'capacity'>>(stored, unitTypeId, first, last)
  const byDate = new Map(rows.map((row) => [row.date, row]))
  const [type] = db.all<{ units: number; outOfOrder: number }>(unitsOf, unitTypeId)
  const blocks = db.all<Block>(blocksOf, unitTypeId, last, first)
  const departures = lateDepartures(moment)
  return dates.map((date) => {
    const { held = 0, capacity = null } = byDate.get(date) ?? {}
    const blocked = blocks.filter(({ startDate, endDate }) => startDate <= date && date <= endDate)
    const late = departures.find((each) => each.date === date)
    return {
      date,
      capacity,
      units: type!.units,
      out: type!.outOfOrder + blocked.length,
      held: held + (late ? db.count(lateOn, late.departure, date, unitTypeId) : 0),
    }
  })
}

/** Returns how many units of a type are left for each night, in date order. */
export function leftIn(db: Questions, unitTypeId: string, dates: Dates, moment: Moment) {
  const nights = nightsOf(db, unitTypeId, datesIn(dates), moment)
  return nights.map((night) => ({ date: night.date, left: leftOn(night) }))
}

/** A change of the number of units that stays hold of a type on a date. `by` is negative when they hold fewer. */
export interface NightChange {
  unitTypeId: string
  date: string
  by: number
}

const addHeld = `INSERT INTO inventory_night (unitTypeId, date, held) VALUES (${ridOf('unit_type')}, ?, ?)
  ON CONFLICT DO UPDATE SET held = held + excluded.held`

/** Adds the changes to the number of units held. */
export function changeHeld(tx: Transaction, changes: Iterable<NightChange>): void {
  for (const { unitTypeId, date, by } of changes) {
    tx.run(addHeld, unitTypeId, date, by)
    if (by < 0) tx.run(removeEmpty, unitTypeId, date, date)
  }
}

/** Deletes the rows without content, so that the table does not grow with the past. */
const removeEmpty = `DELETE FROM inventory_night
  WHERE ${ofType} AND date BETWEEN ? AND ? AND held = 0 AND capacity IS NULL`

const setCapacity = `INSERT INTO inventory_night (unitTypeId, date, capacity) VALUES (${ridOf('unit_type')}, ?, ?)
  ON CONFLICT DO UPDATE SET capacity = excluded.capacity`

/** Stores the capacity that follows from the count of units left that the PMS reports for each date. */
export function reportLeft(
  tx: Transaction,
  unitTypeId: string,
  { quantity, ...dates }: Dates & { quantity: number },
  moment: Moment,
): void {
  for (const night of nightsOf(tx, unitTypeId, datesIn(dates), moment))
    tx.run(setCapacity, unitTypeId, night.date, capacityReported(quantity, night))
}

const clearCapacity = `UPDATE inventory_night SET capacity = NULL WHERE ${ofType} AND date <= ?`

/** Deletes the reported capacity of all dates up to and including `until`. These dates are never read again. */
export function forgetReports(tx: Transaction, unitTypeId: string, until: string): void {
  tx.run(clearCapacity, unitTypeId, until)
  tx.run(removeEmpty, unitTypeId, '', until)
}

const shift = `UPDATE inventory_night SET capacity = capacity + ?
  WHERE ${ofType} AND capacity IS NOT NULL AND EXISTS (
    SELECT 1 FROM json_each(?) AS block
    WHERE date BETWEEN block.value ->> 'startDate' AND block.value ->> 'endDate')`

/** Shifts the reported capacity of the dates on which a unit is out, because it joins the type (1) or leaves it (-1). */
export function shiftCapacity(tx: Transaction, unitTypeId: string, out: readonly Block[], by: 1 | -1): void {
  if (out.length > 0) tx.run(shift, by, unitTypeId, JSON.stringify(out))
}

/** Deletes the inventory nights of a unit type that is being removed. */
export function forgetNights(tx: Transaction, unitTypeId: string): void {
  tx.run(`DELETE FROM inventory_night WHERE ${ofType}`, unitTypeId)
}
