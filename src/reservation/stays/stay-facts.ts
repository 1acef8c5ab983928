import { localDate } from '../../host/zone.ts'
import type { Transaction } from '../../resource/command.ts'
import { blockOn } from '../assignment/unit-block.ts'
import { nobody, othersInHouse, overlappingStays } from '../assignment/unit-occupancy.ts'
import { momentOf } from '../availability/availability-moment.ts'
import { isPriced, outstandingAs } from '../pricing/stay-price.ts'
import type { Settings } from '../resources/settings.ts'
import type { Stay, StayDraft } from '../resources/stay.ts'
import { type Unit, unit } from '../resources/unit.ts'
import type { StayFacts } from './status.ts'
import { datesHeld, plannedRange } from './stay-dates.ts'

/**
 * Returns the facts for the status rules about a stay that becomes `after`. `before` is null for a new stay. Facts that
 * need a query are getters and are read only when a rule needs them.
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
      const range = plannedRange(after, house)
      // The guest is in the unit now, even if the stay was planned to end earlier.
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
 * Returns the outstanding amount of this stay; null when unknown. In a group, each guest can check out when the own
 * stay is paid. A check-out that also changes the price is checked against the new price.
 */
function outstandingOf(tx: Transaction, before: Stay | null, after: StayDraft): number | null {
  if (!before) return null
  const isCheckOut = before.status === 'InHouse' && after.status === 'CheckedOut'
  return isCheckOut ? outstandingAs(tx, before, after) : (before.outstanding ?? null)
}

/** Returns the existing units. An unknown id is skipped, because the write of the stay refuses it. */
function assignedUnits(tx: Transaction, { units }: StayDraft): Unit[] {
  const ids = units.flatMap(({ unitId }) => (unitId ? [unitId] : []))
  return ids.flatMap((value) => tx.select(unit, [{ path: 'id', operator: 'eq', value }], [], 1))
}

function isOfItsType({ units }: StayDraft, { id, unitTypeId }: Unit): boolean {
  return units.some((place) => place.unitId === id && place.unitTypeId === unitTypeId)
}
