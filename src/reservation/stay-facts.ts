import { localDate } from '../host/zone.ts'
import type { Transaction } from '../resource/change.ts'
import { momentOf } from './availability-moment.ts'
import { houseTimes, type Settings } from './resources/settings.ts'
import type { Stay } from './resources/stay.ts'
import { type Unit, unit } from './resources/unit.ts'
import type { StayFacts } from './status.ts'
import { datesHeld, plannedRange, type Range } from './stay-dates.ts'
import { isPriced, outstandingAs } from './stay-price.ts'
import { blockOn } from './unit-block.ts'
import { nobody, othersInHouse, overlappingStays } from './unit-occupancy.ts'

/** What the status rules ask about a stay that is to become `after`; `before` is null for a new one. */
export function factsOf(
  tx: Transaction,
  before: Stay | null,
  after: Stay,
  { house, canReinstate }: { house: Settings; canReinstate: boolean },
): StayFacts {
  const moment = momentOf(tx.now, house)
  const id = before?.id ?? nobody
  const units = assignedUnits(tx, after)
  const range = rangeOfDates(after, house)
  // A guest in house is in the unit now, whenever the stay was to end.
  const needed = after.status === 'InHouse' ? { ...range, endsAt: Math.max(range.endsAt, tx.now + 1) } : range
  const isToday = (instant: number | null | undefined) =>
    typeof instant === 'number' && localDate(instant, house.timeZone) === moment.today
  return {
    today: moment.today,
    startDate: after.startDate,
    endDate: after.endDate,
    unitAssigned: after.units.every(({ unitId }) => unitId),
    unitStatus: units[0]?.status ?? null,
    unitStatusAllowed: units.every(({ status }) => status && house.assignableStatuses?.includes(status)),
    otherInHouse: units.some((each) => othersInHouse(tx, each.id, id) > 0),
    outstanding: outstandingOf(tx, before, after),
    isPriced: isPriced(after),
    allowOpenBalance: house.allowOpenBalance === true,
    canReinstate,
    unitStillFree: units.every((each) => overlappingStays(tx, each.id, needed, { except: id, moment }) === 0),
    unitStillFits: units.every((each) => isOfItsType(after, each) && !blockOn(each.blocks, datesHeld(after))),
    checkedInToday: isToday(before?.checkedInAt),
    checkedOutToday: isToday(before?.checkedOutAt),
  }
}

/**
 * What is still to be paid for this stay: of a group, each guest leaves when his own stay is settled. Who checks out and
 * says another price at once is held to that price.
 */
function outstandingOf(tx: Transaction, before: Stay | null, after: Stay): number | null {
  if (!before) return null
  const isCheckOut = before.status === 'InHouse' && after.status === 'CheckedOut'
  return isCheckOut ? outstandingAs(tx, before, after) : (before.outstanding ?? null)
}

/** The units that are there; an id that is none is refused when the stay is written. */
function assignedUnits(tx: Transaction, { units }: Stay) {
  const ids = units.flatMap(({ unitId }) => (unitId ? [unitId] : []))
  return ids.flatMap((value) => tx.select(unit, [{ path: 'id', operator: 'eq', value }], [], 1))
}

function isOfItsType({ units }: Stay, { id, unitTypeId }: Unit): boolean {
  return units.some((place) => place.unitId === id && place.unitTypeId === unitTypeId)
}

function rangeOfDates({ startDate, startTime, endDate, endTime }: Stay, house: Settings): Range {
  const dates = { startDate, startTime: startTime ?? null, endDate, endTime: endTime ?? null }
  return plannedRange(dates, houseTimes(house))
}
