import type { Stay } from '../resources/stay.ts'
import { holdsUnits } from '../stays/rules/status-rules.ts'
import { nightDates } from '../stays/rules/stay-dates.ts'

/**
 * The inventory of a unit type for one night. The night has the date on which it begins; a day use counts on its day. A
 * unit whose guest leaves in the morning is free for the following night.
 */
export interface NightFacts {
  /** The number of units according to the last report of the PMS; null when the PMS reported nothing. */
  capacity: number | null
  /** The number of units of the type, in service or not. */
  units: number
  /** The number of these units that are blocked on the date or out of order. */
  out: number
  /** The number of units that stays hold, plus the units of overdue guests. */
  held: number
}

/**
 * Returns how many units can be sold for the night, negative when the night is overbooked. Returns null when the
 * appliance has no unit of the type and the PMS reported no count.
 */
export function leftOn({ capacity, units, out, held }: NightFacts): number | null {
  if (capacity === null && units === 0) return null
  return (capacity ?? units) - out - held
}

/**
 * Returns the capacity for a count of units left that the PMS reports now. For example, 4 left with 1 unit out and 5
 * held is a capacity of 10. Later bookings and releases then change the count left.
 */
export function capacityReported(quantity: number, { out, held }: NightFacts): number {
  return quantity + out + held
}

/** The fields of a stay that decide for which nights it holds units of which types. */
export type StayNights = Pick<Stay, 'status' | 'startDate' | 'endDate' | 'units' | 'shareId'>

/**
 * Returns the dates of the nights for which a stay holds its units; for a day use, its day. A stay that is over,
 * canceled or waitlisted holds none.
 */
export function inventoryNights({ status, startDate, endDate }: StayNights): string[] {
  if (!holdsUnits(status)) return []
  return startDate === endDate ? [startDate] : nightDates({ startDate, endDate })
}

/** A date on which overdue guests still take a unit: those whose stay ended at `departure` or before. See `lateDepartures`. */
export interface LateDate {
  date: string
  departure: string
}

/** Returns whether a guest in house takes the night of a date although the stay has ended. */
export function isOverdue(
  { status, startDate, endDate }: Omit<StayNights, 'units'>,
  { date, departure }: LateDate,
): boolean {
  return status === 'InHouse' && endDate <= departure && startDate < date
}

/** A change of the number of units that stays hold of a type on a date. `by` is negative when they hold fewer. */
export interface NightChange {
  unitTypeId: string
  date: string
  by: number
}

/**
 * Returns the nights for which the stays hold more or fewer units than before, by unit type and date. Stays that share hold a unit
 * that is assigned to them once; they are given with all others of their party, and on the dates in `late` an overdue one of them
 * holds it, too.
 */
export function nightChanges(
  before: readonly StayNights[],
  after: readonly StayNights[],
  late: readonly LateDate[] = [],
): ReadonlyMap<string, NightChange> {
  const changes = new Map<string, NightChange>()
  for (const [stays, by] of [[before, -1] as const, [after, 1] as const]) {
    const taken = new Set<string>()
    for (const stay of stays)
      for (const date of [...inventoryNights(stay), ...overdueDates(stay, late)])
        for (const { unitTypeId, unitId } of stay.units) {
          const shared = stay.shareId && unitId && `${stay.shareId}/${unitId}/${date}`
          if (shared && taken.has(shared)) continue
          if (shared) taken.add(shared)
          changes.getOrInsert(`${unitTypeId}/${date}`, { unitTypeId, date, by: 0 }).by += by
        }
  }
  for (const [key, { by }] of changes) if (by === 0) changes.delete(key)
  return changes
}

function overdueDates(stay: StayNights, late: readonly LateDate[]): string[] {
  return stay.shareId ? late.filter((each) => isOverdue(stay, each)).map(({ date }) => date) : []
}

/** A range of dates, both ends included, with the same number of units on each date. */
export interface Period {
  startDate: string
  endDate: string
  quantity: number
}

/** Merges consecutive dates into the fewest periods. Dates with null are left out. A negative number counts as 0. */
export function periodsOf(dates: readonly { date: string; left: number | null }[]): Period[] {
  const periods: Period[] = []
  let open: Period | null = null
  for (const { date, left } of dates) {
    const quantity = left === null ? null : Math.max(0, left)
    if (open && open.quantity === quantity) open.endDate = date
    else {
      open = quantity === null ? null : { startDate: date, endDate: date, quantity }
      if (open) periods.push(open)
    }
  }
  return periods
}
