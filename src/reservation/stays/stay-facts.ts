import { localDate } from '../../host/zone.ts'
import type { Transaction } from '../../resource/command.ts'
import { fullName } from '../../resource/values/person-name.ts'
import { isReleased } from '../hand-over/release.ts'
import { missingRegistrations } from '../registration/registration-commands.ts'
import { type Moment, momentOf, settingsIn } from '../resources/house.ts'
import { profile } from '../resources/profile.ts'
import type { Settings } from '../resources/settings.ts'
import { type Stay, type StayDraft, stay } from '../resources/stay.ts'
import { type Unit, unit } from '../resources/unit.ts'
import { blockOn } from '../units/unit-block.ts'
import {
  noStay,
  overlappingStays,
  type Party,
  partyOf,
  staysInHouse,
  unitsOfParty,
} from '../units/unit-occupancy.ts'
import { guestIds, type MissingRegistration } from '../values/registration-fields.ts'
import { datesHeld, plannedRange } from './rules/stay-dates.ts'
import type { GuestInTheWay, StayFacts } from './rules/stay-guards.ts'
import { isPriced, outstandingAs } from './stay-price.ts'
import type { StayRights } from './stay-rights.ts'
import { isOver } from './time-left.ts'

/**
 * The facts for the status rules about a stay that becomes `after`. `before` is null for a new stay. A fact that needs a
 * query is a getter and is read only when a rule needs it.
 *
 * The getters belong to a class. V8 gives an object literal with getters a hidden class of its own, which keeps all that
 * its getters use, until the next collection of the whole heap: creates then allocate six times as much old memory.
 */
export class FactsOfStay implements StayFacts {
  readonly today: string
  readonly startDate: string
  readonly endDate: string
  readonly unitAssigned: boolean
  readonly allowOpenBalance: boolean
  readonly canReinstate: boolean
  readonly #tx: Transaction
  readonly #before: Stay | null
  readonly #after: StayDraft
  readonly #house: Settings
  readonly #moment: Moment
  readonly #mayWrite: boolean

  constructor(tx: Transaction, before: Stay | null, after: StayDraft, { reinstate, write }: StayRights) {
    const house = settingsIn(tx)
    this.#tx = tx
    this.#before = before
    this.#after = after
    this.#house = house
    this.#moment = momentOf(tx.now, house)
    this.today = this.#moment.today
    this.startDate = after.startDate
    this.endDate = after.endDate
    this.unitAssigned = after.units.every(({ unitId }) => unitId)
    this.allowOpenBalance = house.allowOpenBalance === true
    this.canReinstate = reinstate
    this.#mayWrite = write
  }

  get isOverAtKiosk() {
    return !this.#mayWrite && isOver(this.#after, this.#tx.now)
  }

  get mayCheckInUnpaid() {
    const { now } = this.#tx
    return this.#mayWrite || this.#house.keyBeforePayment === true || isReleased(this.#tx, this.#id(), now)
  }

  get missingRegistrations(): MissingRegistration[] {
    return missingRegistrations(this.#tx, this.#house, this.#id(), guestIds(this.#after.profiles))
  }

  get isRegistrationWaived() {
    return typeof this.#after.registrationWaiver === 'string'
  }

  get unitStatus() {
    return this.#units()[0]?.status ?? null
  }

  get unitStatusAllowed() {
    const allowed = this.#house.assignableStatuses
    const isReady = ({ status }: Unit) => status && allowed?.includes(status)
    return this.#units().every((each) => isReady(each) || this.#joins(each))
  }

  get outOfOrder() {
    // A block takes the night of its dates: a guest who comes after midnight may sleep until it begins.
    const sleepsTonight = this.today <= datesHeld(this.#after).last
    const today = { first: this.today, last: this.today }
    const [found] = this.#units().flatMap((each) => {
      if (this.#joins(each)) return []
      const block = sleepsTonight ? blockOn(each.blocks, today) : undefined
      if (!block && each.status !== 'OutOfOrder') return []
      // A kiosk does not learn what is broken.
      const why = block ? block.reason : each.outOfOrderReason
      const until = (block ? block.endDate : each.outOfOrderUntil) ?? null
      return [{ unitName: each.name, until, reason: (this.#mayWrite && why) || null }]
    })
    return found ?? null
  }

  get othersInHouse() {
    return this.#units().flatMap((each) =>
      staysInHouse(this.#tx, each.id, this.#party()).map((id) => this.#inTheWay(each, id)),
    )
  }

  get mayKnowOthers() {
    return this.#mayWrite
  }

  get unitBookedTwice() {
    const range = plannedRange(this.#after, this.#house)
    const others = { party: this.#party(), moment: this.#moment }
    return this.#units().some((each) => overlappingStays(this.#tx, each.id, range, others) > 0)
  }

  get outstanding() {
    return outstandingOf(this.#tx, this.#before, this.#after)
  }

  get isPriced() {
    return isPriced(this.#after)
  }

  get unitStillFree() {
    const { now } = this.#tx
    const range = plannedRange(this.#after, this.#house)
    // The guest is in the unit now, even if the stay was planned to end earlier.
    if (this.#after.status === 'InHouse') range.endsAt = Math.max(range.endsAt, now + 1)
    const others = { party: this.#party(), moment: this.#moment }
    return this.#units().every((each) => overlappingStays(this.#tx, each.id, range, others) === 0)
  }

  get unitStillFits() {
    const dates = datesHeld(this.#after)
    return this.#units().every((each) => isOfItsType(this.#after, each) && !blockOn(each.blocks, dates))
  }

  get checkedInToday() {
    return this.#isToday(this.#before?.checkedInAt)
  }

  get checkedOutToday() {
    return this.#isToday(this.#before?.checkedOutAt)
  }

  #id(): string {
    return this.#before?.id ?? noStay
  }

  #party(): Party {
    return partyOf(this.#before, this.#after)
  }

  #inTheWay({ name: unitName }: Unit, id: string): GuestInTheWay {
    const { reservationId, checkedInAt, startDate, endDate, profiles } = this.#tx.find(stay, id)
    const main = profiles?.find(({ role }) => role === 'PrimaryGuest') ?? profiles?.[0]
    const guestName = (main && fullName(this.#tx.find(profile, main.id))) || null
    const since = checkedInAt ? localDate(checkedInAt, this.#house.timeZone) : startDate
    return { stayId: id, reservationId, guestName, unitName, since, endDate }
  }

  /** Whether the guest joins another one who is in the unit already. The unit is in use then, and need not be ready. */
  #joins({ id }: Unit): boolean {
    const range = plannedRange(this.#after, this.#house)
    return unitsOfParty(this.#tx, this.#party(), range).some(
      ({ unitId, isInUse }) => isInUse && unitId === id,
    )
  }

  /** The existing units. An unknown id is skipped, because the write of the stay refuses it. */
  #units(): Unit[] {
    const tx = this.#tx
    return this.#after.units.flatMap(({ unitId }) =>
      unitId && tx.revision(unit, unitId) !== null ? tx.find(unit, unitId) : [],
    )
  }

  #isToday(instant: number | null | undefined): boolean {
    return typeof instant === 'number' && localDate(instant, this.#house.timeZone) === this.today
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

function isOfItsType({ units }: StayDraft, { id, unitTypeId }: Unit): boolean {
  return units.some((place) => place.unitId === id && place.unitTypeId === unitTypeId)
}
