import { localDate, localTime } from '../host/zone.ts'
import { completed } from '../resource/attributes.ts'
import { change, type Transaction } from '../resource/change.ts'
import { expectRevision, type Written } from '../resource/plain-changes.ts'
import { Problem } from '../resource/problem.ts'
import type { Attributes } from '../resource/resource.ts'
import { feeAmount, feeAtCancellation } from './cancellation-fee.ts'
import type { CancellationTerms } from './cancellation-policy-terms.ts'
import { refuseFrozenChange, type StayAttributes } from './frozen-stay.ts'
import { refreshReservation } from './refresh-reservation.ts'
import { profile } from './resources/profile.ts'
import { reservation } from './resources/reservation.ts'
import { type Settings, settingsIn } from './resources/settings.ts'
import { type Stay, stay } from './resources/stay.ts'
import { unit } from './resources/unit.ts'
import { type Effect, type StayFacts, type StayStatus, transition } from './status.ts'
import { stayAmount } from './stay-amount.ts'
import { plannedRange } from './stay-dates.ts'
import { freeOfType, othersInHouse, overlappingStays, unitTypeOf } from './unit-occupancy.ts'
import type { UnitStatus } from './unit-status.ts'

/** A stay as a body says it: a profile entry is an id with a role, or a profile to be made. */
export type StayInput = Record<string, unknown> & {
  profiles?: { id?: string; role?: string; profile?: Record<string, unknown> }[] | null
}

/** What another room does when a stay takes a status: keys follow their stay. Runs in the same transaction. */
export type Follower = (tx: Transaction, effect: Effect, stay: Stay) => void

type StayRow = Attributes<typeof stay.fields>

/** The changes of stays. What happens elsewhere because of them is done by the followers. */
export function stayChanges(followers: readonly Follower[]) {
  const addStay = change(
    'add-stay',
    (tx, input: { reservationId: string; stay: StayInput; revision?: number | undefined }) => {
      expectRevision(tx, reservation, {
        type: 'reservation',
        id: input.reservationId,
        revision: input.revision,
      })
      const { id } = insertStay(tx, tx.find(reservation, input.reservationId).id, input.stay)
      refreshReservation(tx, input.reservationId)
      return tx.document(stay, id)
    },
  )

  const updateStay = change(
    'update-stay',
    (
      tx,
      input: {
        reservationId: string
        stayId: string
        /** A whole stay, or some of its fields. */
        stay: StayInput
        whole: boolean
        canReinstate: boolean
        revision?: number | undefined
      },
    ): Written => {
      const before = stayOf(tx, input.reservationId, input.stayId)
      expectRevision(tx, stay, { type: 'stay', id: before.id, revision: input.revision })
      const row = applyToStay(tx, before, input.stay, input)
      refreshReservation(tx, before.reservationId)
      return { id: row.id, revision: tx.find(stay, row.id).revision }
    },
  )

  const removeStay = change(
    'remove-stay',
    (tx, input: { reservationId: string; stayId: string; revision?: number | undefined }) => {
      const { id, reservationId } = stayOf(tx, input.reservationId, input.stayId)
      expectRevision(tx, stay, { type: 'stay', id, revision: input.revision })
      const stays = tx.select(stay, [{ path: 'reservationId', operator: 'eq', value: reservationId }])
      if (stays.length < 2)
        throw new Problem('last-stay', 'A reservation keeps at least one stay; cancel it instead.')
      tx.remove(stay, id)
      refreshReservation(tx, reservationId)
      return null
    },
  )

  /** Sets fields of a stay by the status rules, with what follows from the new status. */
  function applyToStay(
    tx: Transaction,
    before: Stay,
    input: StayInput,
    how: { whole: boolean; canReinstate: boolean },
  ): Stay {
    const given = settleProfiles(tx, input)
    const changes = how.whole ? (completed(stay.fields, given) as StayInput) : given
    const after = { ...before, ...changes } as Stay
    const house = settingsIn(tx)
    const today = localDate(tx.now, house.timeZone)
    refuseFrozenChange(comparable(before), comparable({ ...before, ...changes } as Stay), today)
    refuseLockedChange(before, after)
    const { effects } = transition(
      before.status,
      after.status,
      factsOf(tx, before, after, house, how.canReinstate),
    )
    const derived = Object.assign({}, ...effects.map((effect) => derivedBy(tx, effect, before, after, house)))
    const row = tx.patch(stay, before.id, { ...changes, ...derived } as Partial<StayRow>) as Stay
    for (const effect of effects) {
      actOnUnits(tx, effect, row)
      for (const follow of followers) follow(tx, effect, row)
    }
    return row
  }

  return { addStay, updateStay, removeStay, applyToStay, all: [addStay, updateStay, removeStay] }
}

export type StayChanges = ReturnType<typeof stayChanges>

/** Makes a stay of a reservation by the rules for new ones. Refreshing the reservation is the caller's. */
export function insertStay(tx: Transaction, reservationId: string, input: StayInput): Stay {
  const given = { ...settleProfiles(tx, input), reservationId } as unknown as StayRow
  const house = settingsIn(tx)
  transition(null, given.status as StayStatus, factsOf(tx, null, given as Stay, house, false))
  const row = tx.insert(stay, {
    ...given,
    ...(given.status === 'InHouse' && { checkedInAt: tx.now }),
  } as StayRow) as Stay
  if (row.status === 'InHouse') actOnUnits(tx, 'occupy-unit', row)
  return row
}

export function stayOf(tx: Transaction, reservationId: string, stayId: string): Stay {
  const found = tx.find(stay, stayId) as Stay
  const parent = tx.find(reservation, reservationId)
  if (found.reservationId !== parent.id) {
    throw new Problem('not-found', `Reservation ${parent.id} has no stay ${found.id}.`)
  }
  return found
}

/** Makes the profiles that a body brings along, so that only ids remain. */
function settleProfiles(tx: Transaction, input: StayInput): StayInput {
  if (!input.profiles) return input
  const profiles = input.profiles.map(({ id, role = 'PrimaryGuest', profile: attributes }) => ({
    id: id ?? tx.insert(profile, attributes as Attributes<typeof profile.fields>).id,
    role,
  }))
  return { ...input, profiles }
}

function factsOf(
  tx: Transaction,
  before: Stay | null,
  after: Stay,
  house: Settings,
  canReinstate: boolean,
): StayFacts {
  const today = localDate(tx.now, house.timeZone)
  const id = before?.id ?? '00000000-0000-0000-0000-000000000000'
  const assigned = after.units.flatMap(({ unitId }) => (unitId ? [unitId] : []))
  const known = assigned.filter((unitId) => unitTypeOf(tx, unitId) !== null)
  const statuses = known.map((unitId) => tx.find(unit, unitId).status as UnitStatus)
  const range = plannedRange(
    { ...after, startTime: after.startTime ?? null, endTime: after.endTime ?? null },
    { zone: house.timeZone, checkInTime: house.checkInTime, checkOutTime: house.checkOutTime },
  )
  const sameDay = (instant: number | null | undefined) =>
    typeof instant === 'number' && localDate(instant, house.timeZone) === today
  const needsAvailability = before !== null && after.status === 'Confirmed' && before.status !== 'Confirmed'
  return {
    today,
    startDate: after.startDate,
    endDate: after.endDate,
    available:
      !needsAvailability || after.units.every(({ unitTypeId }) => freeOfType(tx, unitTypeId, range, id) > 0),
    unitAssigned: assigned.length > 0 && assigned.length === after.units.length,
    unitStatus: statuses[0] ?? null,
    unitStatusAllowed: statuses.every((status) => (house.assignableStatuses ?? []).includes(status)),
    otherInHouse: known.some((unitId) => othersInHouse(tx, unitId, id) > 0),
    outstanding: before ? (tx.find(reservation, before.reservationId).outstanding ?? null) : null,
    allowOpenBalance: house.allowOpenBalance === true,
    canReinstate,
    unitStillFree: known.every((unitId) => overlappingStays(tx, unitId, range, id) === 0),
    checkedInToday: sameDay(before?.checkedInAt),
    checkedOutToday: sameDay(before?.checkedOutAt),
  }
}

/** The fields that a change of status sets by itself. */
function derivedBy(
  tx: Transaction,
  effect: Effect,
  before: Stay,
  after: Stay,
  house: Settings,
): Partial<Stay> {
  switch (effect) {
    case 'record-check-in':
      tx.journal('stay.checked-in', `stays/${before.id}`)
      return { checkedInAt: tx.now }
    case 'undo-check-in':
      tx.journal('stay.check-in-reverted', `stays/${before.id}`)
      return { checkedInAt: null }
    case 'record-check-out':
      tx.journal('stay.checked-out', `stays/${before.id}`)
      return { checkedOutAt: tx.now }
    case 'undo-check-out':
      return { checkedOutAt: null }
    case 'shorten-end':
      return { endDate: localDate(tx.now, house.timeZone), endTime: localTime(tx.now, house.timeZone) }
    case 'clear-unit':
      return { units: after.units.map(({ unitTypeId }) => ({ unitTypeId })) }
    case 'snapshot-fee':
      return { cancellationFee: feeOf(tx, before, house.timeZone) }
    default:
      return {}
  }
}

function feeOf(tx: Transaction, row: Stay, zone: string) {
  const { cancellationPolicy, amount, nights, plannedStartsAt, createdAt } = row
  if (!cancellationPolicy || !amount) return null
  const moments = { canceledAt: tx.now, createdAt, arrivesAt: plannedStartsAt ?? tx.now, zone }
  const fee = feeAtCancellation(cancellationPolicy as CancellationTerms, moments)
  if (!fee) return null
  const { amountWithTax, currency, perNight } = stayAmount(amount, row)
  return feeAmount(fee, {
    currency,
    amountWithTax,
    perNight: perNight.map((night) => night.amountWithTax),
    nights: nights ?? 0,
  })
}

/** A unit is entered, left, or left to be cleaned. */
function actOnUnits(tx: Transaction, effect: Effect, { units }: Stay): void {
  for (const { unitId } of units) {
    if (!unitId) continue
    if (effect === 'occupy-unit') tx.patch(unit, unitId, { occupied: true })
    if (effect === 'release-unit') tx.patch(unit, unitId, { occupied: false, idleSince: tx.now })
    if (effect === 'dirty-unit')
      tx.patch(unit, unitId, { status: 'Dirty', occupied: false, idleSince: tx.now })
  }
}

/** The card in the guest's hand opens the unit it was made for. */
function refuseLockedChange(before: Stay, after: Stay): void {
  for (const [index, { unitId, ...was }] of before.units.entries()) {
    const isLocked = (was as { locked?: boolean }).locked === true
    if (!isLocked || after.units.some((each) => each.unitId === unitId)) continue
    throw new Problem('unit-change-refused', 'A key was made for the unit. Block or erase it first.', {
      pointer: `/units/${index}/unitId`,
    })
  }
}

/** A stay as a body could say it, for telling what changes. */
function comparable(row: Stay): StayAttributes {
  const plain = (value: unknown) => value ?? null
  const units = row.units.map(({ unitTypeId, unitId }) => ({ unitTypeId, unitId: plain(unitId) }))
  const reservationIds = row.reservationIds.map(({ type, value, source }) => ({
    type,
    value,
    source: plain(source),
  }))
  const profiles = (row.profiles ?? []).map(({ id, role }) => ({ id, role }))
  const services = row.services ?? []
  const settable = Object.entries(stay.fields).filter(
    ([, { options }]) => !('readOnly' in options || 'computed' in options),
  )
  const values = Object.fromEntries(
    settable.map(([name]) => [name, plain((row as Record<string, unknown>)[name])]),
  )
  return { ...values, units, reservationIds, profiles, services } as unknown as StayAttributes
}
