import { reservation } from '../../reservation/resources/reservation.ts'
import type { Transaction } from '../../resource/command.ts'
import { uuidBytes } from '../../resource/uuid-sql.ts'
import { type SyncRecord, syncRecord } from '../resources/sync-record.ts'
import type { ReservationChange } from '../sync-contract.ts'
import { canonical } from './canonical.ts'
import { keepConflicts, settleConflicts } from './conflicts.ts'
import { differingFrom, houseView } from './house-view.ts'
import { type Kept, keepReservation } from './keep-reservation.ts'
import { knownOf } from './known.ts'
import { tripledStays } from './match.ts'
import { type Merged, merge } from './merge.ts'
import { unanswered, withOffered } from './offered-base.ts'
import { isOver, keepOver } from './over-there.ts'
import { physicalFacts } from './physical-facts.ts'
import { differences } from './same.ts'
import type { SharedReservation } from './shared-reservation.ts'
import { digestOf, snapshot } from './snapshot.ts'
import type { Applied, ApplyInput, SyncParts } from './sync-changes.ts'
import { hasOpenConflicts, isThere, keepRecord, recordOf } from './sync-state.ts'
import { untoldOf, withUntold } from './untold.ts'
import { serveWaiting } from './waiting.ts'

const nothing = { toOffer: false, conflictIds: [], leftOut: [] }

/** Takes in what a PMS tells of a reservation in one of its revisions. */
export function applyChange(tx: Transaction, input: ApplyInput, parts: SyncParts): Applied {
  const { configurationId, change } = input
  const known = knownRecord(tx, configurationId, change)
  const digest = digestOf(change.value)
  const seen = known?.upstreamRevision ?? null
  if (known && seen !== null && change.revision <= seen) {
    const { reservationId } = known
    if (change.revision < seen) return { is: 'stale', reservationId, ...nothing }
    if (digest === known.digest) return { is: 'duplicate', reservationId, ...nothing }
  }
  const reservationId = known ? known.reservationId : firstMeeting(tx, configurationId, change)
  const here = reservationId === null ? null : snapshot(tx, reservationId)
  const upstream = change.value && canonical(change.value)
  if (reservationId !== null && here) {
    return takeIn(tx, input, { reservationId, record: known, here, upstream, digest }, parts)
  }
  if (!upstream || input.direction === 'ToPms') return { is: 'ignored', reservationId: null, ...nothing }
  if (known && isOver(upstream)) {
    keepOver(tx, known, upstream, { upstreamRevision: change.revision, digest })
    return { is: 'ignored', reservationId: null, ...nothing }
  }
  return insert(tx, input, { record: known, upstream, digest }, parts)
}

function knownRecord(
  tx: Transaction,
  integrationId: string,
  { externalId, value }: ReservationChange,
): SyncRecord | null {
  const named = [
    { path: 'integrationId', operator: 'eq', value: integrationId },
    { path: 'externalId', operator: 'eq', value: externalId },
  ] as const
  const [byName] = tx.select(syncRecord, [...named], [], 1)
  if (byName) return byName
  const byId = value?.localId ? recordOf(tx, value.localId) : null
  return byId && byId.integrationId === integrationId && !byId.externalId ? byId : null
}

/** The reservation that is here without a record: one that names this PMS, or that the PMS knows as the house's own. */
function firstMeeting(
  tx: Transaction,
  integrationId: string,
  { externalId, value }: ReservationChange,
): string | null {
  const same = tx.select(reservation, [{ path: 'externalId', operator: 'eq', value: externalId }], [], 10)
  const named = same.find((each) => each.integrationId === integrationId)
  if (named) return recordOf(tx, named.id) ? null : named.id
  const localId = value?.localId
  if (!localId || !isThere(tx, localId) || recordOf(tx, localId)) return null
  const owner = tx.find(reservation, localId).integrationId ?? integrationId
  return owner === integrationId ? localId : null
}

interface Meeting {
  reservationId: string
  record: SyncRecord | null
  /** As the house has it. */
  here: SharedReservation
  upstream: SharedReservation | null
  digest: string
}

function takeIn(tx: Transaction, input: ApplyInput, meeting: Meeting, parts: SyncParts): Applied {
  const { configurationId, change, policy, direction } = input
  const { reservationId, record, here, upstream } = meeting
  const sharing = { configurationId, reservationId }
  const gone = stillGone(record, here, upstream)
  const local = houseView(here, record?.differing && { ...record.differing, goneStays: gone })
  const offered = unanswered(tx, sharing, record)
  const base = withOffered(withReturned(record, local, gone), offered, upstream)
  const facts = physicalFacts(tx, sharing, local, parts)
  const merged =
    direction === 'ToPms' ? onlyKnown(base, local, upstream) : merge({ base, local, upstream, policy, facts })
  const result = { ...merged.result, externalId: change.externalId }
  const localAt = merged.conflicts.length > 0 ? changeTimes(tx, local) : {}
  const revision = tx.revision(reservation, reservationId)
  if (!record) tx.patch(reservation, reservationId, { integrationId: configurationId })
  const kept = keepReservation(
    tx,
    { ...sharing, local: here, view: local, result, ended: merged.ended },
    parts.ports,
  )
  const after = kept.hasWorked ? (kept.now ?? snapshot(tx, reservationId)!) : here
  const isShown = tx.revision(reservation, reservationId) !== revision
  return conclude(
    tx,
    input,
    { ...meeting, here: after, result, before: local, gone: [...gone, ...merged.ended], localAt, isShown },
    { merged, kept },
    parts,
  )
}

/** A stay that the PMS tells of again is one that it has again. */
function stillGone(
  record: SyncRecord | null,
  here: SharedReservation,
  upstream: SharedReservation | null,
): string[] {
  const told = upstream?.stays ?? []
  return (record?.differing?.goneStays ?? []).filter((id) => {
    const stay = here.stays.find(({ localId }) => localId === id)
    return !told.some(
      ({ externalId, localId }) => localId === id || (externalId && externalId === stay?.externalId),
    )
  })
}

/** A stay that is there again was ended here by its word alone: so it is as if both had had it like that. */
function withReturned(
  record: SyncRecord | null,
  { stays }: SharedReservation,
  gone: readonly string[],
): SharedReservation | null {
  const returned = (record?.differing?.goneStays ?? []).filter((id) => !gone.includes(id))
  const { base } = record ?? {}
  if (!base || returned.length === 0) return base ?? null
  return {
    ...base,
    stays: [...base.stays, ...stays.filter(({ localId }) => returned.includes(localId ?? ''))],
  }
}

/** When the stays were changed last. */
function changeTimes(tx: Transaction, { stays }: SharedReservation): Record<string, number> {
  const sql = `SELECT updatedAt FROM stay WHERE id = ${uuidBytes()}`
  return Object.fromEntries(
    stays.flatMap(({ localId }) => (localId ? [[localId, tx.count(sql, localId)]] : [])),
  )
}

/** Where the house tells and takes nothing, only what the PMS has is of interest. */
function onlyKnown(
  base: SharedReservation | null,
  local: SharedReservation,
  upstream: SharedReservation | null,
): Merged {
  const told = upstream ?? { externalId: local.externalId, stays: [] }
  const stays = tripledStays({ base: base?.stays ?? [], local: local.stays, upstream: told.stays })
  const known = knownOf(base, told, stays)
  const keepsLocal = differences(known, local).length > 0
  return { result: local, known, ended: [], conflicts: [], keepsLocal }
}

function insert(
  tx: Transaction,
  input: ApplyInput,
  { record, upstream, digest }: { record: SyncRecord | null; upstream: SharedReservation; digest: string },
  parts: SyncParts,
): Applied {
  const { configurationId, change } = input
  const { channel, purpose, comment, guestComment } = upstream
  const row = tx.insert(reservation, {
    externalId: change.externalId,
    integrationId: configurationId,
    channel: channel || null,
    purpose: purpose ?? null,
    comment: comment || null,
    guestComment: guestComment || null,
    status: 'Tentative',
    source: 'Pms',
    paid: 0,
  })
  const local: SharedReservation = { ...upstream, externalId: change.externalId, localId: row.id, stays: [] }
  const result = {
    ...upstream,
    externalId: change.externalId,
    localId: row.id,
    stays: upstream.stays.map(unnamed),
  }
  const sharing = { configurationId, reservationId: row.id }
  const kept = keepReservation(tx, { ...sharing, local, view: local, result, ended: [] }, parts.ports)
  const here = snapshot(tx, row.id)!
  const merged: Merged = { result, known: result, ended: [], conflicts: [], keepsLocal: false }
  const fresh = record && tx.patch(syncRecord, record.id, { base: null, untold: null, differing: null })
  const meeting = {
    reservationId: row.id,
    record: fresh,
    here,
    upstream,
    digest,
    result,
    before: here,
    gone: [],
    localAt: {},
    isShown: true,
  }
  return { ...conclude(tx, input, meeting, { merged, kept }, parts), is: 'inserted' }
}

/** Names that the house gave to something that is not here any more name nothing. */
function unnamed<Named extends { localId?: string | null }>(told: Named): Named {
  return { ...told, localId: null }
}

interface Concluded extends Meeting {
  result: SharedReservation
  /** As the house had it. */
  before: SharedReservation
  gone: readonly string[]
  localAt: Readonly<Record<string, number>>
  /** Its document has got a new revision already. */
  isShown: boolean
}

/** Writes down what the PMS is known to have, where the house keeps it otherwise, and what the two do not agree on. */
function conclude(
  tx: Transaction,
  { configurationId, change, direction }: ApplyInput,
  meeting: Concluded,
  { merged, kept }: { merged: Merged; kept: Kept },
  parts: SyncParts,
): Applied {
  const { reservationId, record, here, upstream, digest, result, before, gone, localAt, isShown } = meeting
  const sharing = { configurationId, reservationId }
  const told = upstream ?? { externalId: change.externalId, stays: [] }
  const known = knownOf(
    record?.base ?? null,
    told,
    tripledStays({ base: record?.base?.stays ?? [], local: here.stays, upstream: told.stays }),
  )
  const named = withNames(result, here)
  const differing = differingFrom(named, here, { offered: kept.offered, goneStays: gone })
  const view = houseView(here, differing)
  const untold = untoldOf(record?.untold ?? null, record?.base ?? null, known, here)
  const toOffer =
    direction !== 'FromPms' &&
    differences(withUntold(known, untold, view), view).some(({ pointer }) => isOffered(pointer))
  const found = [...merged.conflicts, ...kept.conflicts]
  const conflictIds = keepConflicts(tx, sharing, found, { before, changedAt: change.changedAt, localAt })
  const waitsFor = kept.waitsFor.length > 0 ? [...new Set(kept.waitsFor)] : null
  if (record?.waitsFor && !waitsFor) settleConflicts(tx, reservationId, ['unit-taken'], conflictIds)
  keepRecord(
    tx,
    sharing,
    record,
    {
      externalId: change.externalId,
      upstreamRevision: change.revision,
      digest,
      base: known,
      untold,
      differing,
      waitsFor,
      lastSyncedAt: tx.now,
      pending: toOffer || (record?.pending ?? false),
    },
    {
      hasConflicts: conflictIds.length > 0 || (record !== null && hasOpenConflicts(tx, reservationId)),
      isShown,
    },
  )
  if (toOffer) parts.offer(tx, sharing)
  serveWaiting(tx, configurationId, kept.loosened, parts)
  const leftOut = Object.keys(differing?.members ?? {})
  return { is: isShown ? 'merged' : 'unchanged', reservationId, toOffer, conflictIds, leftOut }
}

/** What a PMS has never had is not offered because of something else that it told. */
function isOffered(pointer: string): boolean {
  return pointer !== '/payments'
}

/** The result with the names that the house has given to what was new. */
function withNames(result: SharedReservation, here: SharedReservation): SharedReservation {
  const triples = tripledStays({ base: [], local: here.stays, upstream: result.stays })
  return knownOf(null, result, triples)
}
