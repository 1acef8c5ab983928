import type { Transaction } from '../../resource/command.ts'
import { lateDepartures, type Moment, momentIn } from '../property/moment.ts'
import type { Stay } from '../resources/stay.ts'
import { holdsUnits } from '../stays/status-rules.ts'
import { datesHeld, datesIn, nights } from '../stays/stay-dates.ts'
import { invalidValue } from '../value-problems.ts'
import { publishAvailability } from './availability-events.ts'
import { mostDates } from './availability-period.ts'
import { changeHeld, type NightChange } from './inventory-nights.ts'

/** The fields of a stay that decide for which nights it holds units of which types. */
export type StayNights = Pick<Stay, 'status' | 'startDate' | 'endDate' | 'units'>

/**
 * Returns the dates of the nights for which a stay holds its units; for a day use, its day. A stay that is over,
 * canceled or waitlisted holds none.
 */
export function inventoryNights(stay: StayNights): string[] {
  return holdsUnits(stay.status) ? datesIn(datesHeld(stay)) : []
}

/** Returns the dates of the nights that a guest takes only because the guest is overdue. */
export function overdueNights({ status, startDate, endDate }: StayNights, moment: Moment): string[] {
  if (status !== 'InHouse') return []
  const late = lateDepartures(moment).filter(
    ({ date, departure }) => endDate <= departure && startDate < date,
  )
  return late.map(({ date }) => date)
}

/**
 * Returns the nights for which the stays take more or fewer units than before, by unit type and date. `nightsOf`
 * returns the nights of one stay.
 */
export function nightChanges(
  before: readonly StayNights[],
  after: readonly StayNights[],
  nightsOf: (stay: StayNights) => readonly string[] = inventoryNights,
): ReadonlyMap<string, NightChange> {
  const changes = new Map<string, NightChange>()
  const count = (stay: StayNights, by: 1 | -1) => {
    for (const date of nightsOf(stay))
      for (const { unitTypeId } of stay.units) {
        const key = `${unitTypeId}/${date}`
        changes.set(key, { unitTypeId, date, by: (changes.get(key)?.by ?? 0) + by })
      }
  }
  for (const stay of before) count(stay, -1)
  for (const stay of after) count(stay, 1)
  return new Map([...changes].filter(([, { by }]) => by !== 0))
}

/** Throws 422 `validation-failed` for a stay with too many nights, because every night is a row. */
function refuseEndless(stay: StayNights): void {
  if (!holdsUnits(stay.status) || nights(stay) <= mostDates) return
  throw invalidValue('/endDate', `A stay has at most ${mostDates} nights.`, { limit: mostDates })
}

/**
 * Updates the inventory nights after a stay was created (`before` is null), changed or removed (`after` is null), and
 * publishes the changed availability. When the guest was in house, the event covers the dates until today, because an
 * overdue guest takes a unit beyond the nights of the stay.
 */
export function updateInventory(tx: Transaction, before: StayNights | null, after: StayNights | null): void {
  if (after) refuseEndless(after)
  const changes = nightChanges(before ? [before] : [], after ? [after] : [])
  if (changes.size === 0) return
  changeHeld(tx, changes.values())
  const until = before?.status === 'InHouse' ? momentIn(tx).today : ''
  for (const [unitTypeId, each] of Map.groupBy(changes.values(), (change) => change.unitTypeId)) {
    const dates = each.map(({ date }) => date).sort()
    const [first, last] = [dates[0]!, dates.at(-1)!]
    publishAvailability(tx, unitTypeId, { first, last: last < until ? until : last })
  }
}
