import type { Transaction } from '../../resource/command.ts'
import { invalidValue } from '../invalid-value.ts'
import type { Stay } from '../resources/stay.ts'
import { holdsUnits } from '../stays/status.ts'
import { nightDates, nights } from '../stays/stay-dates.ts'
import { publishAvailability } from './availability-events.ts'
import { lateDepartures, type Moment, momentIn } from './availability-moment.ts'
import { mostDates } from './availability-period.ts'
import { holdNights, type NightChange } from './inventory-nights.ts'

/** What of a stay decides for which nights it holds units of which types. */
export type HoldingStay = Pick<Stay, 'status' | 'startDate' | 'endDate' | 'units'>

/** The nights for which a stay holds its units, or the day of a day use. One that is over, canceled or waiting holds none. */
export function heldNights({ status, startDate, endDate }: HoldingStay): string[] {
  if (!holdsUnits(status)) return []
  return endDate > startDate ? nightDates({ startDate, endDate }) : [startDate]
}

/** The nights for which a guest takes his units only because he is still there past his time. */
export function lateNights({ status, startDate, endDate }: HoldingStay, moment: Moment): string[] {
  if (status !== 'InHouse') return []
  const late = lateDepartures(moment).filter(
    ({ date, departure }) => endDate <= departure && startDate < date,
  )
  return late.map(({ date }) => date)
}

/** By `nightKey`. */
type NightChanges = ReadonlyMap<string, NightChange>

/** By which `NightChanges` name a night of a unit type. */
export function nightKey({ unitTypeId, date }: Pick<NightChange, 'unitTypeId' | 'date'>): string {
  return `${unitTypeId}/${date}`
}

/** Of which nights the stays take more units than before, or fewer; `nightsOf` says which nights one stay takes. */
export function nightChanges(
  before: readonly HoldingStay[],
  after: readonly HoldingStay[],
  nightsOf: (stay: HoldingStay) => readonly string[] = heldNights,
): NightChanges {
  const changes = new Map<string, NightChange>()
  const count = (stay: HoldingStay, by: 1 | -1) => {
    for (const date of nightsOf(stay))
      for (const { unitTypeId } of stay.units) {
        const key = nightKey({ unitTypeId, date })
        changes.set(key, { unitTypeId, date, by: (changes.get(key)?.by ?? 0) + by })
      }
  }
  for (const stay of before) count(stay, -1)
  for (const stay of after) count(stay, 1)
  return new Map([...changes].filter(([, { by }]) => by !== 0))
}

/** Each night is counted. */
function refuseEndless(stay: HoldingStay): void {
  if (!holdsUnits(stay.status) || nights(stay) <= mostDates) return
  throw invalidValue('/endDate', `A stay has at most ${mostDates} nights.`, { limit: mostDates })
}

/**
 * Keeps the inventory in line with a stay that was written, made (before is null) or removed (after is null), and publishes
 * what that changes about availability. A guest who was in house past his time took a unit until today, whatever nights his
 * stay held.
 */
export function countNights(tx: Transaction, before: HoldingStay | null, after: HoldingStay | null): void {
  if (after) refuseEndless(after)
  const changes = [...nightChanges(before ? [before] : [], after ? [after] : []).values()]
  if (changes.length === 0) return
  holdNights(tx, changes)
  const until = before?.status === 'InHouse' ? momentIn(tx).today : ''
  for (const [unitTypeId, each] of Map.groupBy(changes, (change) => change.unitTypeId)) {
    const dates = each.map(({ date }) => date).sort()
    const [first, last] = [dates[0]!, dates.at(-1)!]
    publishAvailability(tx, unitTypeId, { first, last: last < until ? until : last })
  }
}
