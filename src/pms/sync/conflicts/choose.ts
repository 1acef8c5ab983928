import { hasNightPrices } from '../../../reservation/pricing/price-follows-dates.ts'
import { reservation } from '../../../reservation/resources/reservation.ts'
import { type StayInput, stay } from '../../../reservation/resources/stay.ts'
import { refreshReservation } from '../../../reservation/stays/refresh-reservation.ts'
import { isLive } from '../../../reservation/stays/rules/status-rules.ts'
import { deskPolicy, type StayPorts } from '../../../reservation/stays/stay-policy.ts'
import { writeStay } from '../../../reservation/stays/write-stay.ts'
import type { Document, Transaction } from '../../../resource/command.ts'
import { Problem } from '../../../resource/problem.ts'
import type { Owner } from '../../resources/conflict-policy.ts'
import { type SyncConflict, syncConflict } from '../../resources/sync-conflict.ts'
import { syncRecord } from '../../resources/sync-record.ts'
import { codesIn } from '../inbound/codes.ts'
import { changedStay } from '../inbound/keep-stay.ts'
import { statesPrice, withStatedPrice } from '../inbound/unstated-price.ts'
import { same } from '../merge/same.ts'
import { noteIntentsAt, retrySteps } from '../outbound/intents.ts'
import { markForOffer } from '../outbound/outbox.ts'
import type { SharedReservation, SharedStay } from '../shared-reservation.ts'
import { snapshot } from '../snapshot.ts'
import { hasOpenConflicts, isThere, keepRecord, recordOf } from '../sync-state.ts'
import { resolve } from './conflicts.ts'
import { decideDoubleBooking, rivalsOf } from './double-booking.ts'

export interface ChooseInput {
  id: string
  /** Of the conflict, as the caller has read it. */
  revision?: number | undefined
  /** Absent: what counts already is agreed to. */
  counts?: Owner | undefined
}

/**
 * A person agrees with what counts in a conflict, or has the other side count: what that one said is carried out by the
 * rules of the house, and refused by them. He may change his mind, until nothing is left to choose, or it has become a third
 * thing: then conflict-resolved is thrown for what does not count.
 */
export function choose(tx: Transaction, input: ChooseInput, ports: StayPorts): Document {
  tx.expectRevision(syncConflict, { id: input.id, revision: input.revision })
  const conflict = tx.find(syncConflict, input.id)
  const { id, reservationId, counts, state } = conflict
  const now = state === 'reversed' ? other[counts] : counts
  const side = input.counts ?? now
  if (state === 'settled' && side !== now)
    throw isSettled('There is nothing left to choose in this conflict.')
  if (conflict.reason === 'double-booked') decide(tx, conflict, side, ports)
  else if (side !== now) carryOut(tx, conflict, side, ports)
  else if (side === 'Local' && state !== 'settled') standBy(tx, conflict, ports)
  if (state === 'open' || side !== now) resolve(tx, conflict, side === counts ? 'accepted' : 'reversed')
  const record = recordOf(tx, reservationId)
  if (record) {
    const sharing = { configurationId: conflict.configurationId, reservationId }
    keepRecord(tx, sharing, record, {}, { hasConflicts: hasOpenConflicts(tx, reservationId) })
  }
  return tx.document(syncConflict, id)
}

const other: Record<Owner, Owner> = { Pms: 'Local', Local: 'Pms' }

function isSettled(detail: string): Problem {
  return new Problem('conflict-resolved', detail, { meta: { state: 'settled' } })
}

function decide(tx: Transaction, conflict: SyncConflict, side: Owner, ports: StayPorts): void {
  if (!isThere(tx, conflict.reservationId)) throw isSettled('The reservation no longer exists.')
  if (conflict.state === 'settled') throw isSettled('There is nothing left to choose in this conflict.')
  decideDoubleBooking(tx, conflict, side, ports)
}

/** The local value counts and is sent to the PMS. Where the PMS has refused it, the stay to which it has given the unit loses the unit. */
function standBy(tx: Transaction, conflict: SyncConflict, ports: StayPorts): void {
  if (conflict.reason !== 'refused-by-pms') {
    noteIntentsAt(tx, conflict, Object.keys(conflict.local ?? {}))
    return
  }
  const others = rivalsOf(tx, conflict.reservationId)
  for (const { id } of others) choose(tx, { id, counts: 'Local' }, ports)
  // It is offered again when the PMS has taken the unit from them.
  if (others.length > 0) return
  retrySteps(tx, conflict.reservationId)
  markForOffer(tx, conflict)
}

/** The other side counts: its value replaces the local one, and the result is sent to the PMS. */
function carryOut(tx: Transaction, conflict: SyncConflict, side: Owner, ports: StayPorts): void {
  const { reservationId, configurationId } = conflict
  if (conflict.fieldGroup === 'payments')
    throw isSettled('A payment that was taken here stays. Void the payment if it was a mistake.')
  const here = isThere(tx, reservationId) ? snapshot(tx, reservationId) : null
  if (!here) throw isSettled('The reservation no longer exists.')
  if (isOvertaken(conflict, here)) {
    throw isSettled('The value has changed since then. Change the reservation instead.')
  }
  const said = (side === 'Pms' ? conflict.upstream : conflict.local) ?? {}
  const wanted = structuredClone(here)
  for (const [pointer, value] of Object.entries(said)) put(wanted, pointer, value)
  const changed = ['channel', 'purpose', 'comment', 'guestComment'] as const
  tx.patch(
    reservation,
    reservationId,
    Object.fromEntries(changed.map((name) => [name, wanted[name] || null])),
  )
  for (const each of here.stays) {
    const after = wanted.stays.find(({ localId }) => localId === each.localId)
    changeStay(tx, each, after ?? null, ports)
  }
  for (const each of wanted.stays) {
    if (each.localId && here.stays.some(({ localId }) => localId === each.localId)) continue
    const given = changedStay(tx, codesIn(tx), { ...each, localId: null }, null, '/stays/0')
    writeStay(tx, { reservationId, before: null, input: given }, deskPolicy(ports))
  }
  refreshReservation(tx, reservationId)
  const record = recordOf(tx, reservationId)
  if (record) tx.patch(syncRecord, record.id, { pending: true })
  noteIntentsAt(tx, { configurationId, reservationId }, Object.keys(said))
}

/**
 * Whether it has become a third thing since: to choose would undo a later change. Units also change without
 * a person, so they are left out.
 */
function isOvertaken({ local, upstream, fieldGroup }: SyncConflict, view: SharedReservation): boolean {
  if (fieldGroup === 'units') return false
  return Object.keys(local ?? {}).some((pointer) => {
    const place = placeOf(view, pointer)
    const is = place?.holder[place.name]
    return place !== null && !same(is, local?.[pointer]) && !same(is, upstream?.[pointer])
  })
}

function changeStay(tx: Transaction, here: SharedStay, wanted: SharedStay | null, ports: StayPorts): void {
  const row = tx.find(stay, here.localId!)
  const change = (input: StayInput) =>
    writeStay(tx, { reservationId: row.reservationId, before: row, input }, deskPolicy(ports))
  if (!wanted) {
    if (isLive(row.status)) change({ status: 'Canceled' })
    return
  }
  const changed = changedStay(tx, codesIn(tx), wanted, here, '/stays/0')
  // A total that the PMS stated with its dates was taken over with the report, before the dates were decided.
  const base = recordOf(tx, row.reservationId)?.base ?? null
  const isTotalOfPms = base && statesPrice(base, here, base) && !hasNightPrices(row.amount)
  const given = isTotalOfPms ? withStatedPrice(changed, wanted) : changed
  if (Object.keys(given).length > 0) change(given)
}

/** Puts a value where a pointer by ids says: a member, an item of a list, a guest, or a whole stay. */
function put(value: SharedReservation, pointer: string, said: unknown): void {
  const place = placeOf(value, pointer)
  if (place) {
    place.holder[place.name] = said
    return
  }
  const [, , stayId, list, key = ''] = pointer.split('/')
  const at = value.stays.findIndex(({ localId }) => localId === stayId)
  if (!list) putStay(value, at, said as SharedStay | null)
  else if (at >= 0) putItem(value.stays[at]!, list, key, said)
}

/** A stay that was ended here by the PMS's word is there still, and canceled. */
function putStay(value: SharedReservation, at: number, said: SharedStay | null): void {
  if (said === null && at >= 0) value.stays.splice(at, 1)
  else if (said && at < 0) value.stays.push(said)
  else if (said) value.stays[at] = { ...value.stays[at]!, ...said, localId: value.stays[at]!.localId ?? null }
}

type Listed = Record<string, unknown>[]

function putItem(holder: SharedStay, list: string, key: string, said: unknown): void {
  const names: Record<string, string> = { guests: 'localId', services: 'serviceCode', reservationIds: 'type' }
  const items = ((holder as unknown as Record<string, unknown>)[list] ?? []) as Listed
  const name = names[list] ?? 'localId'
  const left = items.filter((each) => each[name] !== key.split('#')[0])
  Object.assign(holder, { [list]: said ? [...left, said] : left })
}

type Holder = Record<string, unknown>

/** Where a member is written that a pointer by ids names; null when what holds it is not there. */
function placeOf(value: SharedReservation, pointer: string): { holder: Holder; name: string } | null {
  const [, ...names] = pointer.split('/')
  const name = names.pop()!
  let holder: unknown = value
  for (let at = 0; at < names.length; at += 2) {
    const list = (holder as Holder)[names[at]!]
    holder = Array.isArray(list) ? list.find((each) => each.localId === names[at + 1]) : undefined
    if (holder === undefined) return null
  }
  const isMember = names.length % 2 === 0 && name !== 'stays' && name !== 'guests'
  return isMember ? { holder: holder as Holder, name } : null
}
