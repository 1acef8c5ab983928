import { wasPaidFor } from '../../reservation/reservations/refresh-reservation.ts'
import { profile } from '../../reservation/resources/profile.ts'
import { reservation } from '../../reservation/resources/reservation.ts'
import { stay } from '../../reservation/resources/stay.ts'
import { staysOf } from '../../reservation/stays/find-stays.ts'
import { removeStay } from '../../reservation/stays/write-stay.ts'
import type { Transaction } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import { type SyncRecord, syncRecord } from '../resources/sync-record.ts'
import { applyChange } from './apply-change.ts'
import { keepConflicts, settleConflicts } from './conflicts.ts'
import { type Differing, houseView } from './house-view.ts'
import { tripledGuests, tripledStays } from './match.ts'
import { groupAt } from './merge-fields.ts'
import type { Said } from './merge-members.ts'
import { differences } from './same.ts'
import type { SharedReservation } from './shared-reservation.ts'
import { snapshot } from './snapshot.ts'
import type { Confirmed, ConfirmInput, RefuseInput, Sharing, SyncParts } from './sync-changes.ts'
import { hasOpenConflicts, isThere, keepRecord, recordOf } from './sync-state.ts'
import { withUntold } from './untold.ts'

/** The PMS has what it was offered, in a revision of its own and under names of its own. */
export function confirm(tx: Transaction, input: ConfirmInput, parts: SyncParts): Confirmed {
  const { configurationId, reservationId, offered, externalId, revision, value } = input
  const sharing = { configurationId, reservationId }
  foldTwin(tx, sharing, externalId, parts)
  if (isThere(tx, reservationId)) takeNames(tx, reservationId, externalId, offered, value)
  const record = recordOf(tx, reservationId)
  const isOld = (record?.upstreamRevision ?? revision) > revision
  const here = snapshot(tx, reservationId)
  const base = isOld ? record!.base : { ...offered, externalId }
  const differing = isOld ? record!.differing : toldAgain(record?.differing, offered)
  const view = here && houseView(here, differing)
  // What was deleted here while it was on its way is to be canceled there, and does not come back by the answer.
  const toOffer = view === null || differences(withUntold(base!, record?.untold, view), view).length > 0
  settleConflicts(tx, reservationId, ['refused-by-pms'])
  keepRecord(
    tx,
    sharing,
    record,
    {
      externalId,
      ...(!isOld && { base: base!, differing: differing ?? null, upstreamRevision: revision, digest: null }),
      lastSyncedAt: tx.now,
      pending: toOffer,
    },
    { hasConflicts: hasOpenConflicts(tx, reservationId) },
  )
  if (toOffer) parts.offer(tx, sharing)
  if (isOld || !value || view === null) return { toOffer }
  const { policy, direction } = input
  const change = { is: 'reservation' as const, externalId, revision, changedAt: null, value }
  const applied = applyChange(tx, { configurationId, policy, direction, change }, parts)
  return { toOffer: toOffer || applied.toOffer }
}

/** Stays that the PMS had no more and that it was offered again, it has again. */
function toldAgain(
  differing: Differing | null | undefined,
  { stays }: SharedReservation,
): Differing | null | undefined {
  if (!differing || differing.goneStays.length === 0) return differing
  const goneStays = differing.goneStays.filter((id) => !stays.some(({ localId }) => localId === id))
  return { ...differing, goneStays }
}

/** What the PMS calls the reservation, its stays and its guests, where they have no name of it yet. */
function takeNames(
  tx: Transaction,
  reservationId: string,
  externalId: string,
  offered: SharedReservation,
  value: SharedReservation | undefined,
): void {
  tx.patch(reservation, reservationId, { externalId })
  for (const { local, upstream } of tripledStays({
    base: [],
    local: offered.stays,
    upstream: value?.stays ?? [],
  })) {
    if (!local?.localId || !upstream) continue
    if (upstream.externalId && !local.externalId) patchIfThere(tx, stay, local.localId, upstream.externalId)
    const guests = { base: [], local: local.guests ?? [], upstream: upstream.guests ?? [] }
    for (const { local: here, upstream: there } of tripledGuests(guests)) {
      if (!here?.localId || here.externalId || !there?.externalId) continue
      patchIfThere(tx, profile, here.localId, there.externalId)
    }
  }
}

/** A name that somebody else has already is left with him. */
function patchIfThere(
  tx: Transaction,
  resource: typeof stay | typeof profile,
  id: string,
  externalId: string,
): void {
  try {
    tx.patch(resource as typeof stay, id, { externalId })
  } catch (error) {
    if (!(error instanceof Problem)) throw error
  }
}

/**
 * The PMS may have told of the reservation as of one of its own before it has answered that it has taken it: the two
 * are one. Throws external-id-conflict where the twin has a life of its own by now.
 */
function foldTwin(
  tx: Transaction,
  { configurationId, reservationId }: Sharing,
  externalId: string,
  parts: SyncParts,
): void {
  const [twin] = tx.select(
    syncRecord,
    [
      { path: 'integrationId', operator: 'eq', value: configurationId },
      { path: 'externalId', operator: 'eq', value: externalId },
    ],
    [],
    1,
  )
  if (!twin || twin.reservationId === reservationId) return
  if (isThere(tx, twin.reservationId)) removeTwin(tx, twin, parts)
  tx.remove(syncRecord, twin.id)
}

function removeTwin(tx: Transaction, { reservationId }: SyncRecord, { ports }: SyncParts): void {
  const stays = staysOf(tx, reservationId)
  const isUsed = stays.some(
    ({ id, status }) => status === 'InHouse' || wasPaidFor(tx, id) || ports.everHadKey(tx, id),
  )
  if (isUsed) {
    throw new Problem('external-id-conflict', `Reservation ${reservationId} has this externalId.`, {
      meta: { id: reservationId },
    })
  }
  for (const each of stays) removeStay(tx, each)
  tx.remove(reservation, reservationId)
}

/** Pointers that are told in a conflict. */
const mostSaid = 20

/** The PMS does not want what it was offered. The house keeps it, and the desk is told why. */
export function refuse(tx: Transaction, input: RefuseInput): { conflictId: string } {
  const { configurationId, reservationId, offered, reason } = input
  const sharing = { configurationId, reservationId }
  const record = recordOf(tx, reservationId)
  const base = record?.base ?? null
  const found = base ? unlikeKnown(base, offered).slice(0, mostSaid) : []
  const first = found[0]?.pointer ?? ''
  const [, top, id] = first.split('/')
  const said: Said = Object.fromEntries(
    found.map(({ pointer, known, offered }) => [pointer, { base: known, local: offered, upstream: known }]),
  )
  const disagreement = {
    stayId: top === 'stays' ? (id ?? null) : null,
    group: groupAt(first) ?? 'dates',
    said,
    counts: 'Local' as const,
    reason: 'refused-by-pms' as const,
  }
  const seen = { before: snapshot(tx, reservationId) ?? offered, changedAt: null, refusal: reason }
  settleConflicts(tx, reservationId, ['refused-by-pms'])
  const [conflictId = ''] = keepConflicts(tx, sharing, [disagreement], seen)
  keepRecord(tx, sharing, record, { pending: true }, { hasConflicts: true })
  return { conflictId }
}

/** What was offered otherwise than the PMS has it; where it is all new there, what it has never told of. */
function unlikeKnown(base: SharedReservation, offered: SharedReservation) {
  const otherwise = differences(base, offered).map(({ pointer, told: known, has }) => ({
    pointer,
    known,
    offered: has,
  }))
  if (otherwise.length > 0) return otherwise
  return differences(offered, base).map(({ pointer, told, has: known }) => ({
    pointer,
    known,
    offered: told,
  }))
}
