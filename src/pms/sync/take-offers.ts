import { randomUUID } from 'node:crypto'
import { reservation } from '../../reservation/resources/reservation.ts'
import { stay } from '../../reservation/resources/stay.ts'
import { command, type Transaction } from '../../resource/command.ts'
import type { Filter } from '../../resource/query.ts'
import { uuidBytes } from '../../resource/uuid-sql.ts'
import type { FieldGroup } from '../resources/conflict-policy.ts'
import { type SyncOffer, syncOffer } from '../resources/sync-offer.ts'
import type { SyncRecord } from '../resources/sync-record.ts'
import type { Offer } from '../sync-contract.ts'
import { settleConflicts } from './conflicts.ts'
import { offeredValue } from './offered-value.ts'
import { keepPending } from './outbox.ts'
import { longestWaitMs } from './put-off.ts'
import { withoutWanted } from './ring-there.ts'
import type { SharedReservation } from './shared-reservation.ts'
import { snapshot } from './snapshot.ts'
import { recordOf } from './sync-state.ts'

/** How the house tells a reservation to its PMS; null when it is not there any more. */
export type Telling = (
  tx: Transaction,
  reservationId: string,
  record: SyncRecord | null,
) => SharedReservation | null

interface TakeInput {
  configurationId: string
  limit: number
  /** The groups that the PMS takes from here; null for all. */
  accepts: readonly FieldGroup[] | null
}

/** Looked at in one change, of which those with nothing to tell are let go. */
const mostLookedAt = 500

/**
 * What is to be offered now, the longest waiting first, at most `limit`. An offer that has no answer yet is given as it
 * was sent, under its id; a new one is kept before it is given. What differs in nothing from what the PMS has leaves the outbox.
 */
export const takeOffers = (telling: Telling) =>
  command('take-offers', (tx, input: TakeInput): Offer[] => {
    const { configurationId, limit, accepts } = input
    const offers: Offer[] = []
    for (const row of waiting(tx, configurationId)) {
      const offer = row.offer ?? made(tx, row, telling, accepts)
      if (offer) offers.push(offer)
      if (offers.length === limit) break
    }
    return offers
  })

/** Whatever is put off for longer than anything ever is was put off by a clock that was wrong. */
function waiting(tx: Transaction, configurationId: string): SyncOffer[] {
  const dueBy = (operator: 'lte' | 'gt', value: number): Filter[] => [
    { path: 'configurationId', operator: 'eq', value: configurationId },
    { path: 'notBefore', operator, value },
    { path: 'refused', operator: 'isnull', value: null },
  ]
  const order = [{ path: 'notBefore', descending: false }]
  const due = tx.select(syncOffer, dueBy('lte', tx.now), order, mostLookedAt)
  return due.length === mostLookedAt
    ? due
    : [...due, ...tx.select(syncOffer, dueBy('gt', tx.now + longestWaitMs), order, mostLookedAt - due.length)]
}

function made(
  tx: Transaction,
  row: SyncOffer,
  telling: Telling,
  accepts: TakeInput['accepts'],
): Offer | null {
  const { reservationId } = row
  const record = recordOf(tx, reservationId)
  const isThere = tx.count(thereSql, reservationId) > 0
  const whole = isThere ? telling(tx, reservationId, record) : record?.externalId ? canceled(record) : null
  const { base = null, untold } = record ?? {}
  const view = whole && row.withoutUnits === 'next' ? withoutWanted(base, whole) : whole
  const offered = view && offeredValue({ base, untold, view, accepts })
  if (!offered || offered.changed.length === 0) {
    tx.remove(syncOffer, row.id)
    if (record?.state === 'Conflict') settleConflicts(tx, reservationId, ['refused-by-pms'])
    keepPending(tx, row, false)
    return null
  }
  const { value, changed } = offered
  const offer: Offer = {
    id: randomUUID(),
    localId: reservationId,
    externalId:
      record?.externalId ?? (isThere ? (tx.find(reservation, reservationId).externalId ?? null) : null),
    baseRevision: record?.upstreamRevision ?? null,
    value: value.stays.length > 0 ? value : withEnded(tx, value),
    changed,
    leaseIds: isThere ? leasesOf(tx, reservationId) : [],
  }
  tx.patch(syncOffer, row.id, { offer, offeredMarks: row.marks })
  return offer
}

const thereSql = `SELECT count(*) FROM reservation WHERE id = ${uuidBytes()}`

/** A PMS that has none of its stays any more is told what has become of them, so that the rest has something to belong to. */
function withEnded(tx: Transaction, value: SharedReservation): SharedReservation {
  const here = value.localId ? snapshot(tx, value.localId) : null
  return { ...value, stays: here?.stays ?? [] }
}

/** What was deleted here is told as canceled: a PMS keeps what it has ever had. */
function canceled({ base }: SyncRecord): SharedReservation | null {
  if (!base) return null
  const over = ['CheckedOut', 'NoShow', 'Canceled']
  const stays = base.stays.map((each) =>
    each.status && over.includes(each.status) ? each : { ...each, status: 'Canceled' as const },
  )
  return { ...base, stays }
}

function leasesOf(tx: Transaction, reservationId: string): string[] {
  const stays = tx.select(stay, [{ path: 'reservationId', operator: 'eq', value: reservationId }])
  return [...new Set(stays.flatMap(({ lent }) => (lent ?? []).map(({ leaseId }) => leaseId)))]
}
