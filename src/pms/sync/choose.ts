import { refreshReservation } from '../../reservation/reservations/refresh-reservation.ts'
import { reservation } from '../../reservation/resources/reservation.ts'
import { type StayInput, stay } from '../../reservation/resources/stay.ts'
import { isLive } from '../../reservation/stays/status-rules.ts'
import { deskPolicy, type StayPorts } from '../../reservation/stays/stay-policy.ts'
import { writeStay } from '../../reservation/stays/write-stay.ts'
import type { Document, Transaction } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import type { Owner } from '../resources/conflict-policy.ts'
import { type SyncConflict, syncConflict } from '../resources/sync-conflict.ts'
import { syncRecord } from '../resources/sync-record.ts'
import { codesIn } from './codes.ts'
import { resolve } from './conflicts.ts'
import { conflictsOfThoseWaiting, freeFor, tellAsItIsHere, without } from './decided-here.ts'
import { houseView, placeOf } from './house-view.ts'
import { changedStay } from './keep-stay.ts'
import { differences, same } from './same.ts'
import type { SharedReservation, SharedStay } from './shared-reservation.ts'
import { snapshot } from './snapshot.ts'
import type { SyncParts } from './sync-changes.ts'
import { hasOpenConflicts, isThere, keepRecord, recordOf } from './sync-state.ts'

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
export function choose(tx: Transaction, input: ChooseInput, parts: SyncParts): Document {
  tx.expectRevision(syncConflict, { id: input.id, revision: input.revision })
  const conflict = tx.find(syncConflict, input.id)
  const { id, reservationId, counts, state } = conflict
  const now = state === 'reversed' ? other[counts] : counts
  const side = input.counts ?? now
  if (state === 'settled' && side !== now)
    throw isSettled('There is nothing left to choose in this conflict.')
  if (side !== now) carryOut(tx, conflict, side, parts)
  else if (side === 'Local' && state !== 'settled') standBy(tx, conflict, parts)
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

/** What counts is what is here: the PMS is told it. Where it has refused that, whoever it has given the unit to has to do without. */
function standBy(tx: Transaction, conflict: SyncConflict, parts: SyncParts): void {
  if (conflict.reason !== 'refused-by-pms') {
    tellAsItIsHere(tx, conflict, parts)
    return
  }
  const others = conflictsOfThoseWaiting(tx, conflict)
  for (const { id } of others) choose(tx, { id, counts: 'Local' }, parts)
  // It is offered again when the PMS has taken the unit from them.
  if (others.length === 0) parts.offer(tx, conflict, { isAnew: true })
}

/** The other side counts: what it had said takes the place of what is here, and the PMS is told what is here then. */
function carryOut(tx: Transaction, conflict: SyncConflict, side: Owner, parts: SyncParts): void {
  const { ports, offer } = parts
  const { reservationId, configurationId } = conflict
  const here = isThere(tx, reservationId) ? snapshot(tx, reservationId) : null
  if (!here) throw isSettled('The reservation no longer exists.')
  const record = recordOf(tx, reservationId)
  if (isOvertaken(conflict, houseView(here, record?.differing))) {
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
    if (after && side === 'Pms') freeFor(tx, configurationId, after, parts)
    changeStay(tx, each, after ?? null, ports)
  }
  for (const each of wanted.stays) {
    if (each.localId && here.stays.some(({ localId }) => localId === each.localId)) continue
    const given = changedStay(tx, codesIn(tx), { ...each, localId: null }, null, '/stays/0')
    writeStay(tx, { reservationId, before: null, input: given }, deskPolicy(ports))
  }
  refreshReservation(tx, reservationId)
  const sharing = { configurationId, reservationId }
  const differing = record?.differing ? without(record.differing, Object.keys(said)) : null
  if (record) tx.patch(syncRecord, record.id, { differing, pending: true })
  const view = houseView(snapshot(tx, reservationId)!, differing)
  if (record && (!record.base || differences(record.base, view).length > 0)) offer(tx, sharing)
}

/**
 * Whether it has become a third thing since: to choose would undo what somebody has said later. Units are given and taken by
 * themselves, so that this says nothing of them.
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
  const given = changedStay(tx, codesIn(tx), wanted, { here, seen: here }, '/stays/0')
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
