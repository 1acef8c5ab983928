import { change, type Transaction } from '../resource/change.ts'
import type { Reader } from '../resource/keeper.ts'
import type { Rule } from '../resource/resource.ts'
import type { Dates } from './availability-period.ts'
import { removesAvailability, type UnitStatus } from './unit-status.ts'

/** There is at most one event about a type in so long. */
export const tellsEveryMs = 2_000

/** When a type was told of last, and the dates that wait to be told. */
const told = { from: 'availability-told/', to: 'availability-told0' }
const due = { from: 'availability-due/', to: 'availability-due0' }

/**
 * Writes down that a unit type may have more or fewer units left than before: on some dates, or on all. What changes within
 * two seconds after a line about it waits for `tellDueAvailability`, and is one line then.
 */
export function tellAvailability(tx: Transaction, unitTypeId: string, dates?: Dates): void {
  const since = tx.now - counted(tx, told.from + unitTypeId)
  const packed = withWhatWaits(counted(tx, due.from + unitTypeId), packedDates(dates))
  if (since >= 0 && since < tellsEveryMs) set(tx, due.from + unitTypeId, packed)
  else tell(tx, unitTypeId, packed)
}

/** Writes down what has waited, a line for each type. Whoever calls it has let two seconds go by. */
export const tellDueAvailability = change('availability/tell-due', (tx): number => {
  const waiting = tx.counters(due.from, due.to)
  for (const [name, packed] of waiting) tell(tx, name.slice(due.from.length), packed)
  return waiting.size
})

/** Whether anything waits to be told. */
export function isAvailabilityDue(reader: Pick<Reader, 'counters'>): boolean {
  return reader.counters(due.from, due.to).size > 0
}

function tell(tx: Transaction, unitTypeId: string, packed: number): void {
  tx.forget(due.from + unitTypeId, due.from + unitTypeId)
  set(tx, told.from + unitTypeId, tx.now)
  tx.journal('availability.changed', `unit-types/${unitTypeId}`, unpackedDates(packed))
}

function counted(tx: Transaction, counter: string): number {
  return tx.counters(counter, counter).get(counter) ?? 0
}

function set(tx: Transaction, counter: string, value: number): void {
  const before = counted(tx, counter)
  if (value !== before) tx.add(counter, value - before)
}

/** A period as one number, which is all that a counter holds: days since 1970, the first times this and the last. */
const lastBelow = 10_000_000
const allDates = -1
const dayMs = 86_400_000

function packedDates(dates: Dates | undefined): number {
  if (!dates) return allDates
  const [first, last] = [dates.first, dates.last].map((day) => Math.floor(Date.parse(day) / dayMs))
  return first! * lastBelow + last!
}

/** The period that holds both; 0 where none waits. */
function withWhatWaits(waiting: number, packed: number): number {
  if (waiting === 0) return packed
  if (waiting === allDates || packed === allDates) return allDates
  const first = Math.min(Math.floor(waiting / lastBelow), Math.floor(packed / lastBelow))
  return first * lastBelow + Math.max(waiting % lastBelow, packed % lastBelow)
}

function unpackedDates(packed: number): { startDate?: string; endDate?: string } {
  if (packed === allDates) return {}
  const day = (number: number) => new Date(number * dayMs).toISOString().slice(0, 10)
  return { startDate: day(Math.floor(packed / lastBelow)), endDate: day(packed % lastBelow) }
}

interface OfType {
  unitTypeId?: string | null
  status?: UnitStatus | null
  blocks?: unknown
}

/** A unit that comes, changes its type, is put out of order or in order again, or is blocked. */
export function unitChangesAvailability({ tx, before, after }: Parameters<Rule>[0]): void {
  const [was, is] = [before as OfType | null, after as OfType]
  const isSame =
    was?.unitTypeId === is.unitTypeId && isOut(was) === isOut(is) && blocksOf(was) === blocksOf(is)
  if (!isSame) tellAll(tx, [was?.unitTypeId, is.unitTypeId])
}

/** A unit that goes. */
export function unitTakesAvailability({ tx, after }: Parameters<Rule>[0]): void {
  tellAll(tx, [(after as OfType).unitTypeId])
}

function tellAll(tx: Transaction, unitTypeIds: (string | null | undefined)[]): void {
  for (const id of new Set(unitTypeIds)) if (id) tellAvailability(tx, id)
}

function isOut(unit: OfType | null): boolean {
  return unit?.status ? removesAvailability[unit.status] : false
}

function blocksOf(unit: OfType | null): string {
  return JSON.stringify(unit?.blocks ?? [])
}
