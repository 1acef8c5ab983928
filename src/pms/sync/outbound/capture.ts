import { hasFollowedDates } from '../../../reservation/pricing/price-follows-dates.ts'
import { payment } from '../../../reservation/resources/payment.ts'
import { profile } from '../../../reservation/resources/profile.ts'
import { reservation } from '../../../reservation/resources/reservation.ts'
import { stay } from '../../../reservation/resources/stay.ts'
import { unit } from '../../../reservation/resources/unit.ts'
import { isLive } from '../../../reservation/stays/rules/status-rules.ts'
import { kindOf } from '../../../reservation/values/payment-kind.ts'
import type { Transaction } from '../../../resource/command.ts'
import type { Observer, Observers, RowChange } from '../../../resource/observer.ts'
import type { Resource } from '../../../resource/resource.ts'
import { pmsActor } from '../../pms-actor.ts'
import { syncRecord } from '../../resources/sync-record.ts'
import { receivingPms } from '../../sharing-pms.ts'
import { withoutPrice } from '../inbound/unstated-price.ts'
import { guestGroups } from '../merge/merge-fields.ts'
import { recordOf } from '../sync-state.ts'
import { noteFact } from './facts.ts'
import { noteIntents } from './intents.ts'

// What is changed here is written down as intents by the transaction that changes it. What a PMS itself has reported is none.

/** Members of a stay as both sides call them, by the fields of its row. All other fields follow from these, or are not shared. */
const stayMembers: Readonly<Record<string, string>> = {
  status: 'status',
  startDate: 'startDate',
  startTime: 'startTime',
  endDate: 'endDate',
  endTime: 'endTime',
  personCount: 'personCount',
  units: 'units',
  shareId: 'shareId',
  reservationIds: 'reservationIds',
  ratePlanId: 'ratePlanCode',
  services: 'services',
  amount: 'amount',
  profiles: 'guests',
  comment: 'comment',
  guestComment: 'guestComment',
}
const reservationMembers = ['channel', 'purpose', 'comment', 'guestComment']

/** Stays of one guest, or in one unit, that are looked at. */
const mostStays = 1_000
/** For so long after it is over, the name on a stay's bill may still be put right. */
const recentMs = 30 * 86_400_000

type Row = Record<string, unknown>

/** Answers whether the PMS is to know of it. */
function note(
  tx: Transaction,
  reservationId: string,
  stayId: string | null,
  members: readonly string[],
): boolean {
  const configurationId = sharedWith(tx, reservationId)
  if (configurationId === null || tx.actor.by === pmsActor(configurationId)) return false
  noteIntents(tx, { configurationId, reservationId }, [{ stayId, members }])
  return true
}

/** The PMS of each reservation that a command has written, so that each row of it is captured with one query in all. */
const known = new WeakMap<Transaction, Map<string, string | null>>()

function sharedWith(tx: Transaction, reservationId: string): string | null {
  const ofCommand = known.getOrInsertComputed(tx, () => new Map<string, string | null>())
  if (ofCommand.has(reservationId)) return ofCommand.get(reservationId) ?? null
  const found = findShared(tx, reservationId)
  ofCommand.set(reservationId, found)
  return found
}

/** The PMS that receives changes of a reservation; null for none. A deleted reservation is found by its sync record. */
function findShared(tx: Transaction, reservationId: string): string | null {
  if (tx.revision(reservation, reservationId) !== null) {
    const { integrationId } = tx.find(reservation, reservationId)
    // What a PMS reports itself is no intent, so it is not asked whether that PMS takes any.
    return integrationId && tx.actor.by === pmsActor(integrationId) ? null : receivingPms(tx, integrationId)
  }
  const record = recordOf(tx, reservationId)
  return record?.externalId ? record.integrationId : null
}

function ofStay(tx: Transaction, { before, after, changed }: RowChange): void {
  const row = (after ?? before) as unknown as Row
  const isPriceDerived = before && after && changed.includes('amount') && hasFollowedDates(tx, String(row.id))
  const intended = isPriceDerived ? changed.filter((name) => name !== 'amount') : changed
  const members = intended.flatMap((name) => stayMembers[name] ?? [])
  if (before && after && members.length === 0) return
  if (isPriceDerived) forgetPrice(tx, String(row.reservationId), String(row.id))
  note(tx, String(row.reservationId), before && after ? String(row.id) : null, before && after ? members : [])
}

/**
 * A price that followed the dates is no intent: a PMS that has prices states that of the new dates. The one that it stated
 * for the former dates counts no more, so that it is news when the PMS states it again.
 */
function forgetPrice(tx: Transaction, reservationId: string, stayId: string): void {
  const record = recordOf(tx, reservationId)
  if (!record?.base || sharedWith(tx, reservationId) === null) return
  const stays = record.base.stays.map((each) => (each.localId === stayId ? withoutPrice(each) : each))
  tx.patch(syncRecord, record.id, { base: { ...record.base, stays } })
}

function ofReservation(tx: Transaction, { before, after, changed }: RowChange): void {
  const members = changed.filter((name) => reservationMembers.includes(name))
  if (!before || (after && members.length === 0)) return
  note(tx, String((before as unknown as Row).id), null, members)
}

/** The PMS receives neither refunds nor that a payment goes, which has been kept long enough. */
function ofPayment(tx: Transaction, { before, after, changed }: RowChange): void {
  if (!after || (before && !changed.includes('voidedAt')) || kindOf(after) === 'Refund') return
  const { id, reservationId } = after as unknown as Row
  if (note(tx, String(reservationId), null, []))
    noteFact(tx, String(reservationId), String(id), before ? 'void' : 'payment')
}

function ofProfile(tx: Transaction, { before, after, changed }: RowChange): void {
  if (!before || !after) return
  const { id } = after as unknown as { id: string }
  const names = changed.filter((name) => (guestGroups as Record<string, unknown>)[name])
  if (names.length === 0) return
  for (const each of staysWith(tx, 'profiles.id', id))
    note(
      tx,
      each.reservationId,
      each.id,
      names.map((name) => `guests/${id}/${name}`),
    )
}

function ofUnit(tx: Transaction, { before, after, changed }: RowChange): void {
  if (!before || !after || !changed.includes('name')) return
  const { id } = after as unknown as { id: string }
  for (const each of staysWith(tx, 'units.unitId', id)) note(tx, each.reservationId, each.id, ['units'])
}

/** A stay that has long been over is not sent anew because a guest has another phone number now. */
function staysWith(tx: Transaction, path: string, value: string) {
  const recently = new Date(tx.now - recentMs).toISOString().slice(0, 10)
  const stays = tx.select(stay, [{ path, operator: 'eq', value }], [], mostStays)
  return stays.filter(({ status, endDate }) => isLive(status) || endDate >= recently)
}

/** Called for each row that a command writes. */
export const captureIntents: Observers = new Map<Resource, Observer>([
  [stay as Resource, ofStay],
  [reservation as Resource, ofReservation],
  [payment as Resource, ofPayment],
  [profile as Resource, ofProfile],
  [unit as Resource, ofUnit],
])
