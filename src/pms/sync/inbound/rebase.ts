import { localDate } from '../../../host/zone.ts'
import { settingsIn } from '../../../reservation/resources/house.ts'
import { reservation } from '../../../reservation/resources/reservation.ts'
import { isLive } from '../../../reservation/stays/rules/status-rules.ts'
import type { StayPorts } from '../../../reservation/stays/stay-policy.ts'
import type { Transaction } from '../../../resource/command.ts'
import { uuidBytes } from '../../../resource/uuid-sql.ts'
import { type SyncRecord, syncRecord } from '../../resources/sync-record.ts'
import type { ReservationChange } from '../../sync-contract.ts'
import { keepConflicts, settleConflicts } from '../conflicts/conflicts.ts'
import { doubleBookings, settleDoubleBookings } from '../conflicts/double-booking.ts'
import { tripledStays } from '../merge/match.ts'
import { type Merged, merge } from '../merge/merge.ts'
import type { Disagreement } from '../merge/merge-members.ts'
import type { PhysicalFacts } from '../merge/merge-stay.ts'
import { differences } from '../merge/same.ts'
import { knownOf } from '../merge/shadow-document.ts'
import { adoptDifferences } from '../outbound/adopt-differences.ts'
import { adoptPayments } from '../outbound/facts.ts'
import { dropIntents, intentsIn, intentsOf, noteIntentsAt } from '../outbound/intents.ts'
import { withOffered } from '../outbound/offered-base.ts'
import { offeredValue } from '../outbound/offered-value.ts'
import { markForOffer, outboxRow } from '../outbound/outbox.ts'
import type { SharedReservation } from '../shared-reservation.ts'
import { snapshot } from '../snapshot.ts'
import type { Sharing } from '../sync-changes.ts'
import { hasOpenConflicts, isThere, keepRecord, recordOf } from '../sync-state.ts'
import type { Applied, ApplyInput } from './apply.ts'
import { canonical } from './canonical.ts'
import { codesIn } from './codes.ts'
import { insertReported } from './insert.ts'
import { leasedUnits } from './keep-lease.ts'
import { type Kept, keepReservation } from './keep-reservation.ts'
import { withoutFormerPrices, withoutPricesOfFormerDates } from './unstated-price.ts'

/** Applies a report, which is newer than the shadow, by a merge of the shadow, what is here with its intents, and the report. */
export function rebase(tx: Transaction, input: ApplyInput, digest: string, ports: StayPorts): Applied {
  const { configurationId, change } = input
  const known = knownRecord(tx, configurationId, change)
  const reservationId = known ? known.reservationId : firstMeeting(tx, configurationId, change)
  const here = reservationId === null ? null : snapshot(tx, reservationId)
  const upstream = change.value && canonical(change.value)
  if (reservationId !== null && here) {
    return takeIn(tx, input, { reservationId, record: known, here, upstream, digest }, ports)
  }
  const ignored: Applied = { is: 'ignored', reservationId: null, toOffer: false, conflictIds: [] }
  if (!upstream || input.direction === 'ToPms') return ignored
  if (known && staysDeleted(tx, known, upstream, { upstreamRevision: change.revision, digest }))
    return ignored
  const value = { value: upstream, digest, ...(known && { record: known }) }
  return insertReported(tx, input, value, { ports, codes: codesIn(tx) })
}

function knownRecord(
  tx: Transaction,
  integrationId: string,
  { externalId, value }: ReservationChange,
): SyncRecord | null {
  const [byName] = tx.rows(syncRecord, 'integrationId = +? AND externalId = +?', integrationId, externalId)
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
  const same = tx.rows(reservation, 'externalId = +?', externalId)
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
  here: SharedReservation
  upstream: SharedReservation | null
  digest: string
}

function takeIn(tx: Transaction, input: ApplyInput, met: Meeting, ports: StayPorts): Applied {
  const { configurationId, change, policy, direction } = input
  const { reservationId, here } = met
  const upstream = met.upstream && withoutPricesOfFormerDates(met.upstream, met.record?.base ?? null, here)
  const sharing = { configurationId, reservationId }
  const row = outboxRow(tx, sharing)
  adoptDifferences(tx, row, met.record, here)
  const record = met.record && { ...met.record, base: withoutFormerPrices(met.record.base ?? null, upstream) }
  const meeting = { ...met, upstream, record }
  const intents = intentsIn(intentsOf(tx, reservationId))
  const base = withOffered(record?.base ?? null, row?.offer ?? null, upstream, intents)
  const facts = physicalFacts(tx, here, ports)
  const merged: Merged =
    direction === 'ToPms'
      ? // Where the house sends and takes nothing, only what the PMS has is of interest.
        { result: here, ended: [], conflicts: [] }
      : merge({ base, local: here, upstream, policy, facts, intents })
  const result = { ...merged.result, externalId: change.externalId }
  const localAt = merged.conflicts.length > 0 ? changeTimes(tx, here) : {}
  const revision = tx.revision(reservation, reservationId)
  if (!record) tx.patch(reservation, reservationId, { integrationId: configurationId })
  const kept = keepReservation(
    tx,
    { ...sharing, local: here, result, upstream, ended: merged.ended, codes: codesIn(tx) },
    ports,
  )
  const after = kept.hasWorked ? snapshot(tx, reservationId)! : here
  const isShown = tx.revision(reservation, reservationId) !== revision
  const concluded = { ...meeting, here: after, before: here, localAt, isShown }
  return conclude(tx, input, concluded, { merged, kept })
}

/** When the stays were changed last. */
function changeTimes(tx: Transaction, { stays }: SharedReservation): Record<string, number> {
  const sql = `SELECT updatedAt FROM stay WHERE id = ${uuidBytes()}`
  return Object.fromEntries(
    stays.flatMap(({ localId }) => (localId ? [[localId, tx.count(sql, localId)]] : [])),
  )
}

interface Concluded extends Meeting {
  /** As it was here. */
  before: SharedReservation
  localAt: Readonly<Record<string, number>>
  /** Its document has got a new revision already. */
  isShown: boolean
}

/** Writes down the shadow, the intents that are open now, and what the two do not agree on. */
function conclude(
  tx: Transaction,
  { configurationId, change, direction }: ApplyInput,
  meeting: Concluded,
  { merged, kept }: { merged: Merged; kept: Kept },
): Applied {
  const { reservationId, record, here, upstream, digest, before, localAt, isShown } = meeting
  const sharing = { configurationId, reservationId }
  const reported = upstream ?? { externalId: change.externalId, stays: [] }
  const stays = tripledStays({ base: record?.base?.stays ?? [], local: here.stays, upstream: reported.stays })
  const known = knownOf(record?.base ?? null, reported, stays)
  const shared = doubleBookings(tx, kept.placed, before.stays)
  const found = [...merged.conflicts, ...kept.conflicts, ...shared]
  if (direction !== 'FromPms') followConflicts(tx, sharing, merged.conflicts, kept.offered)
  const { changed, done } = offeredValue({
    base: known,
    here,
    intents: intentsIn(intentsOf(tx, reservationId)),
    accepts: null,
  })
  dropIntents(tx, reservationId, done)
  const toOffer = direction !== 'FromPms' && changed.length > 0
  if (!record) adoptPayments(tx, reservationId, known.payments, here.payments)
  const conflictIds = keepConflicts(tx, sharing, found, { before, changedAt: change.changedAt, localAt })
  if (kept.isWhole && kept.placed.length > 0 && record?.state === 'Conflict')
    settleConflicts(tx, reservationId, ['unit-taken'], conflictIds)
  keepRecord(
    tx,
    sharing,
    record,
    {
      externalId: change.externalId,
      upstreamRevision: change.revision,
      digest,
      base: known,
      lastSyncedAt: tx.now,
      pending: toOffer || (record?.pending ?? false),
    },
    {
      hasConflicts:
        conflictIds.length > 0 || (record?.state === 'Conflict' && hasOpenConflicts(tx, reservationId)),
      isShown,
    },
  )
  if (toOffer) markForOffer(tx, sharing)
  if (kept.placed.some(({ hadUnit }) => hadUnit)) settleDoubleBookings(tx)
  return { is: isShown ? 'merged' : 'unchanged', reservationId, toOffer, conflictIds }
}

/** What the PMS is to have instead of its own value is an intent; what its value has taken the place of is none any more. */
function followConflicts(
  tx: Transaction,
  sharing: Sharing,
  conflicts: readonly Disagreement[],
  offered: readonly string[],
): void {
  const lost = conflicts.filter(({ counts }) => counts === 'Pms').flatMap(({ said }) => Object.keys(said))
  dropIntents(tx, sharing.reservationId, lost)
  const kept = conflicts.filter(({ counts }) => counts === 'Local').flatMap(({ said }) => Object.keys(said))
  noteIntentsAt(tx, sharing, [...kept, ...offered])
}

/** Whether no stay of the reservation is planned or in house. */
function isOver({ stays }: SharedReservation): boolean {
  return stays.every(({ status }) => status !== undefined && !isLive(status))
}

/**
 * A reservation that was deleted here does not come back where it is over at the PMS, or as the PMS was known to have it: then only its
 * shadow is stored.
 */
function staysDeleted(
  tx: Transaction,
  { id, base = null }: SyncRecord,
  upstream: SharedReservation,
  reported: Pick<SyncRecord, 'upstreamRevision' | 'digest'>,
): boolean {
  const stays = tripledStays({ base: base?.stays ?? [], local: [], upstream: upstream.stays })
  const has = knownOf(base, upstream, stays)
  if (!isOver(upstream) && (base === null || differences(has, base).length > 0)) return false
  tx.patch(syncRecord, id, { ...reported, base: has })
  return true
}

/** What has physically happened, read when a merge asks for it. */
function physicalFacts(tx: Transaction, { stays }: SharedReservation, ports: StayPorts): PhysicalFacts {
  const ofStays = (names: (stayId: string) => readonly string[]) =>
    Object.fromEntries(stays.flatMap(({ localId }) => (localId ? [[localId, names(localId)]] : [])))
  return {
    get today() {
      return localDate(tx.now, settingsIn(tx).timeZone)
    },
    get locked() {
      return ofStays((stayId) => ports.keyedUnits(tx, stayId))
    },
    get leased() {
      return ofStays((stayId) => leasedUnits(tx, stayId))
    },
  }
}
