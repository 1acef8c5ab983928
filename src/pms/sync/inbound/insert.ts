import { reservation } from '../../../reservation/resources/reservation.ts'
import type { Stay } from '../../../reservation/resources/stay.ts'
import { isLive } from '../../../reservation/stays/rules/status-rules.ts'
import type { StayPorts } from '../../../reservation/stays/stay-policy.ts'
import type { Transaction } from '../../../resource/command.ts'
import { type SyncRecord, syncRecord } from '../../resources/sync-record.ts'
import { keepConflicts } from '../conflicts/conflicts.ts'
import { doubleBookings } from '../conflicts/double-booking.ts'
import type { Disagreement } from '../merge/merge-members.ts'
import { defined } from '../merge/shadow-document.ts'
import { noteIntentsAt } from '../outbound/intents.ts'
import type { SharedReservation, SharedStay } from '../shared-reservation.ts'
import type { Applied, ApplyInput } from './apply.ts'
import { canonical } from './canonical.ts'
import type { Codes } from './codes.ts'
import { keepReservation } from './keep-reservation.ts'

interface Reported {
  value: SharedReservation
  digest: string
  /** What is left of a reservation of this name that was deleted here. */
  record?: SyncRecord
}

/** Inserts a reservation that the PMS reports for the first time, as far as it can be stored. */
export function insertReported(
  tx: Transaction,
  { configurationId, change, direction }: ApplyInput,
  { value, digest, record }: Reported,
  { ports, codes }: { ports: StayPorts; codes: Codes },
): Applied {
  const reported = canonical(value)
  const { externalId, revision, changedAt } = change
  const row = tx.insert(reservation, {
    externalId,
    integrationId: configurationId,
    channel: reported.channel || null,
    purpose: reported.purpose ?? null,
    comment: reported.comment || null,
    guestComment: reported.guestComment || null,
    status: 'Tentative',
    source: 'Pms',
    paid: 0,
  })
  const names = { externalId, localId: row.id }
  const sharing = { configurationId, reservationId: row.id }
  const local = { ...reported, ...names, stays: [] }
  const result = { ...local, stays: reported.stays.map((stay) => ({ ...stay, localId: null })) }
  const kept = keepReservation(tx, { ...sharing, local, result, upstream: value, ended: [], codes }, ports)
  const found = [
    ...kept.conflicts,
    ...doubleBookings(tx, kept.placed, []),
    ...deletions(record?.base ?? null, kept.rows, reported),
  ]
  const base = {
    ...defined(reported),
    stays: reported.stays.map((stay, at) => shadowOf(stay, kept.rows[at]!)),
  }
  const toOffer = direction !== 'FromPms' && kept.offered.length > 0
  if (toOffer) noteIntentsAt(tx, sharing, kept.offered)
  const conflictIds = keepConflicts(tx, sharing, found, { before: base, changedAt })
  const values = {
    externalId,
    upstreamRevision: revision,
    digest,
    base,
    lastSyncedAt: tx.now,
    pending: toOffer,
    state: conflictIds.length > 0 ? 'Conflict' : toOffer ? 'Pending' : 'Synced',
  } as const
  if (record) tx.patch(syncRecord, record.id, { ...values, reservationId: row.id })
  else tx.insert(syncRecord, { ...values, integrationId: configurationId, reservationId: row.id })
  return { is: 'inserted', reservationId: row.id, toOffer, conflictIds }
}

/** Stays that were deleted here, which the PMS has not taken but has changed since: they come back. */
function deletions(
  was: SharedReservation | null,
  rows: readonly Stay[],
  { stays }: SharedReservation,
): Disagreement[] {
  return rows.flatMap(({ id }, at): Disagreement[] => {
    const upstream = stays[at]!
    const base = was?.stays.find(({ externalId }) => externalId && externalId === upstream.externalId)
    if (!base?.status || !isLive(base.status)) return []
    const said = { [`/stays/${id}`]: { base, local: null, upstream } }
    return [{ stayId: id, group: 'dates', said, counts: 'Pms', reason: 'both-changed' }]
  })
}

/** A stay as it was reported, with the ids that it and its guests have here. */
function shadowOf(stay: SharedStay, { id, profiles }: Stay): SharedStay {
  const guests = stay.guests?.map((guest, at) => ({ ...defined(guest), localId: profiles?.[at]?.id ?? null }))
  const units = stay.units?.map((place) => ({ ...place, unitName: place.unitName ?? null }))
  return { ...defined(stay), localId: id, ...(units && { units }), ...(guests && { guests }) }
}
