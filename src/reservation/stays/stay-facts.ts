import { localDate } from '../../host/zone.ts'
import type { Transaction } from '../../resource/command.ts'
import { blockOn } from '../assignment/unit-block.ts'
import { nobody, othersInHouse, overlappingStays } from '../assignment/unit-occupancy.ts'
import { momentOf } from '../availability/availability-moment.ts'
import { isPriced, outstandingAs } from '../pricing/stay-price.ts'
import { houseTimes, type Settings } from '../resources/settings.ts'
import type { Stay, StayDraft } from '../resources/stay.ts'
import { type Unit, unit } from '../resources/unit.ts'
import type { StayFacts } from './status.ts'
import { datesHeld, plannedRange } from './stay-dates.ts'

/**
 * What the status rules ask about a stay that is to become `after`; `before` is null for a new one. What has to be looked up
 * is looked up when a rule asks for it.
 */
export function factsOf(
  tx: Transaction,
  before: Stay | null,
  after: StayDraft,
  { house, canReinstate }: { house: Settings; canReinstate: boolean },
): StayFacts {
  const moment = momentOf(tx.now, house)
  const id = before?.id ?? nobody
  const isToday = (instant: number | null | undefined) =>
    typeof instant === 'number' && localDate(instant, house.timeZone) === moment.today
  const units = () => assignedUnits(tx, after)
  return {
    today: moment.today,
    startDate: after.startDate,
    endDate: after.endDate,
    unitAssigned: after.units.every(({ unitId }) => unitId),
    allowOpenBalance: house.allowOpenBalance === true,
    canReinstate,
    get unitStatus() {
      return units()[0]?.status ?? null
    },
    get unitStatusAllowed() {
      return units().every(({ status }) => status && house.assignableStatuses?.includes(status))
    },
    get otherInHouse() {
      return units().some((each) => othersInHouse(tx, each.id, id) > 0)
    },
    get outstanding() {
      return outstandingOf(tx, before, after)
    },
    get isPriced() {
      return isPriced(after)
    },
    get unitStillFree() {
      const range = plannedRange(after, houseTimes(house))
      // A guest in house is in the unit now, whenever the stay was to end.
      if (after.status === 'InHouse') range.endsAt = Math.max(range.endsAt, tx.now + 1)
      return units().every((each) => overlappingStays(tx, each.id, range, { except: id, moment }) === 0)
    },
    get unitStillFits() {
      return units().every((each) => isOfItsType(after, each) && !blockOn(each.blocks, datesHeld(after)))
    },
    get checkedInToday() {
      return isToday(before?.checkedInAt)
    },
    get checkedOutToday() {
      return isToday(before?.checkedOutAt)
    },
  }
}

/**
 * What is still to be paid for this stay: of a group, each guest leaves when his own stay is settled. Who checks out and
 * says another price at once is held to that price.
 */
function outstandingOf(tx: Transaction, before: Stay | null, after: StayDraft): number | null {
  if (!before) return null
  const isCheckOut = before.status === 'InHouse' && after.status === 'CheckedOut'
  return isCheckOut ? outstandingAs(tx, before, after) : (before.outstanding ?? null)
}

/** The units that are there; an id that is none is refused when the stay is written. */
function assignedUnits(tx: Transaction, { units }: StayDraft): Unit[] {
  const ids = units.flatMap(({ unitId }) => (unitId ? [unitId] : []))
  return ids.flatMap((value) => tx.select(unit, [{ path: 'id', operator: 'eq', value }], [], 1))
}

function isOfItsType({ units }: StayDraft, { id, unitTypeId }: Unit): boolean {
  return units.some((place) => place.unitId === id && place.unitTypeId === unitTypeId)
}
