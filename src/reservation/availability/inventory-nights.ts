import type { Questions, Transaction } from '../../resource/command.ts'
import { invalidValue } from '../../resource/problem.ts'
import { having } from '../../resource/query.ts'
import { ridOf, uuidBytes } from '../../resource/uuid-sql.ts'
import { lateDepartures, type Moment, momentIn } from '../resources/house.ts'
import { type Stay, stay } from '../resources/stay.ts'
import { holdsUnits } from '../stays/rules/status-rules.ts'
import { type Dates, datesIn, nights } from '../stays/rules/stay-dates.ts'
import type { Block } from '../units/unit-block.ts'
import {
  capacityReported,
  type LateDate,
  leftOn,
  type NightChange,
  type NightFacts,
  nightChanges,
} from './availability.ts'
import { publishAvailability } from './availability-events.ts'
import { mostDates } from './availability-period.ts'

/** The inventory of a unit type for the night of one date. */
interface Night extends NightFacts {
  /** YYYY-MM-DD. */
  date: string
}

const ofType = `unitTypeId = ${ridOf('unit_type')}`

/** The units of a type, and as JSON what differs by date. */
interface Inventory {
  units: number
  outOfOrder: number
  /** By date. */
  stored: string
  /** Of the units that are not out of order. The blocks of one unit do not overlap. */
  blocks: string
  /** The number of units of overdue guests by date. A day use is not counted twice on its own date. */
  overdue: string
}

/** Whether a guest with whom an overdue one shares the unit holds it on the date. */
const isCovered = `EXISTS (SELECT 1 FROM stay AS other JOIN stay_held_unit AS held ON held.owner = other.rid
  WHERE other.shareId = stay.shareId AND held.unitId = stay_unit.unitId AND other.startDate <= value ->> 'date'
    AND (other.endDate > value ->> 'date' OR (other.startDate = other.endDate AND other.startDate = value ->> 'date')))`

const inventory = `WITH type AS MATERIALIZED (SELECT rid FROM unit_type WHERE id = ${uuidBytes()})
  SELECT count(*) AS units, count(*) FILTER (WHERE status = 'OutOfOrder') AS outOfOrder,
    (SELECT json_group_object(date, json_object('held', held, 'capacity', capacity)) FROM inventory_night
      WHERE unitTypeId = (SELECT rid FROM type) AND date BETWEEN ? AND ?) AS stored,
    (SELECT json_group_array(json_object('startDate', startDate, 'endDate', endDate))
      FROM unit JOIN unit_block ON unit_block.owner = unit.rid
      WHERE unitTypeId = (SELECT rid FROM type) AND status IS NOT 'OutOfOrder' AND startDate <= ? AND endDate >= ?) AS blocks,
    (SELECT json_group_object(value ->> 'date', (
        SELECT count(DISTINCT coalesce(shareId || '/' || unitId, stay.rid || '/' || position))
        FROM stay JOIN stay_unit ON stay_unit.owner = stay.rid
        WHERE stay.status = 'InHouse' AND stay.endDate <= value ->> 'departure' AND stay.startDate < value ->> 'date'
          AND unitTypeId = (SELECT rid FROM type) AND NOT ${isCovered}))
      FROM json_each(?)) AS overdue
  FROM unit WHERE unitTypeId = (SELECT rid FROM type)`

/** Returns the inventory of a unit type for the given nights. `dates` are in ascending order. */
export function nightsOf(
  db: Questions,
  unitTypeId: string,
  dates: readonly string[],
  moment: Moment,
): Night[] {
  const [first = '', last = ''] = [dates.at(0), dates.at(-1)]
  const late = lateDepartures(moment).filter(({ date }) => dates.includes(date))
  const values = [unitTypeId, first, last, last, first, JSON.stringify(late)]
  const [{ units, outOfOrder, ...json }] = db.all<Inventory>(inventory, ...values) as [Inventory]
  const stored = JSON.parse(json.stored) as Record<string, Pick<Night, 'held' | 'capacity'>>
  const blocks = JSON.parse(json.blocks) as Block[]
  const overdue = JSON.parse(json.overdue) as Record<string, number>
  return dates.map((date) => {
    const { held, capacity } = stored[date] ?? { held: 0, capacity: null }
    let out = outOfOrder
    for (const { startDate, endDate } of blocks) if (startDate <= date && date <= endDate) out++
    return { date, capacity, units, out, held: held + (overdue[date] ?? 0) }
  })
}

/** Returns how many units of a type are left for each night, in date order. */
export function leftIn(db: Questions, unitTypeId: string, dates: Dates, moment: Moment) {
  const nights = nightsOf(db, unitTypeId, datesIn(dates), moment)
  return nights.map((night) => ({ date: night.date, left: leftOn(night) }))
}

const addHeld = `INSERT INTO inventory_night (unitTypeId, date, held)
  SELECT ${ridOf('unit_type')}, key, value FROM json_each(?) WHERE true
  ON CONFLICT DO UPDATE SET held = held + excluded.held`

/** Deletes the rows without content, so that the table does not grow with the past. */
const removeEmpty = `DELETE FROM inventory_night
  WHERE ${ofType} AND date BETWEEN ? AND ? AND held = 0 AND capacity IS NULL`

/**
 * Updates the inventory nights after a stay was created (`before` is null), changed or removed (`after` is null), and
 * publishes the changed availability. When the guest was in house, the event covers the dates until today, because an
 * overdue guest takes a unit beyond the nights of the stay. Throws 422 `validation-failed` for a stay with too many
 * nights, because every night is a row.
 */
export function updateInventory(tx: Transaction, before: Stay | null, after: Stay | null): void {
  if (after && holdsUnits(after.status) && nights(after) > mostDates)
    throw invalidValue('/endDate', `A stay has at most ${mostDates} nights.`, { limit: mostDates })
  const changes = changedNights(tx, before ? [before] : [], after ? [after] : [])
  const until = before?.status === 'InHouse' ? momentIn(tx).today : ''
  if (changes.length > 0) tx.gather(writeNights, { changes, until })
}

/**
 * Returns the nights for which the house sells more or fewer units than before these stays were written. Guests who share a unit
 * take it once. `late`: see `nightChanges`.
 */
export function changedNights(
  tx: Transaction,
  before: readonly Stay[],
  after: readonly Stay[],
  late: readonly LateDate[] = [],
): readonly NightChange[] {
  const written = [...before, ...after]
  const shareIds = new Set(written.flatMap(({ shareId }) => shareId ?? []))
  const others = [...shareIds].flatMap((shareId) =>
    tx.select(stay, having({ shareId })).filter(({ id }) => !written.some((each) => each.id === id)),
  )
  return [...nightChanges([...before, ...others], [...after, ...others], late).values()]
}

interface Counted {
  changes: readonly NightChange[]
  /** The last date of the event, where it is later than all dates of the changes. */
  until: string
}

/** Adds up the changes of stays, and writes and publishes them with few statements for each unit type. */
function writeNights(tx: Transaction, counted: readonly Counted[]): void {
  const byType = new Map<string, { byDate: Record<string, number>; until: string; isLess: boolean }>()
  for (const { changes, until } of counted)
    for (const { unitTypeId, date, by } of changes) {
      const type = byType.getOrInsertComputed(unitTypeId, () => ({ byDate: {}, until: '', isLess: false }))
      type.byDate[date] = (type.byDate[date] ?? 0) + by
      type.isLess ||= by < 0
      if (until > type.until) type.until = until
    }
  for (const [unitTypeId, { byDate, until, isLess }] of byType) {
    tx.run(addHeld, unitTypeId, JSON.stringify(byDate))
    const dates = Object.keys(byDate).sort()
    const [first, last] = [dates[0]!, dates.at(-1)!]
    if (isLess) tx.run(removeEmpty, unitTypeId, first, last)
    publishAvailability(tx, unitTypeId, { first, last: last < until ? until : last })
  }
}

const setCapacity = `INSERT INTO inventory_night (unitTypeId, date, capacity)
  SELECT ${ridOf('unit_type')}, key, value FROM json_each(?) WHERE true
  ON CONFLICT DO UPDATE SET capacity = excluded.capacity`

/** Stores the capacity that follows from the count of units left that the PMS reports for each date. */
export function reportLeft(
  tx: Transaction,
  unitTypeId: string,
  { quantity, ...dates }: Dates & { quantity: number },
  moment: Moment,
): void {
  const nights = nightsOf(tx, unitTypeId, datesIn(dates), moment)
  const byDate = Object.fromEntries(nights.map((night) => [night.date, capacityReported(quantity, night)]))
  tx.run(setCapacity, unitTypeId, JSON.stringify(byDate))
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
