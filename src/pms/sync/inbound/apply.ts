import { reservation } from '../../../reservation/resources/reservation.ts'
import type { StayPorts } from '../../../reservation/stays/stay-policy.ts'
import type { Transaction } from '../../../resource/command.ts'
import { Problem } from '../../../resource/problem.ts'
import { ridOf } from '../../../resource/uuid-sql.ts'
import type { PmsChange, ReservationChange } from '../../sync-contract.ts'
import { settle } from '../quarantine/quarantine.ts'
import { digestOf } from '../snapshot.ts'
import type { Rules } from '../sync-changes.ts'
import { type Codes, codesIn } from './codes.ts'
import { fastForward } from './fast-forward.ts'
import { applyHousekeeping } from './housekeeping.ts'
import { insertReported } from './insert.ts'
import { keepLease } from './keep-lease.ts'
import { rebase } from './rebase.ts'
import { type Shadow, type Shadows, shadowsOf } from './shadows.ts'

/** A report of a reservation. */
export interface ApplyInput extends Rules {
  change: ReservationChange
}

export interface ChangesInput extends Rules {
  changes: readonly PmsChange[]
}

export interface Applied {
  /**
   * `inserted` is new here; `merged` has changed something here; `unchanged` changed nothing but what is known of the PMS;
   * `duplicate` and `stale` were applied before, or are older than what was; `ignored` is gone there and was never here.
   */
  is: 'inserted' | 'merged' | 'unchanged' | 'duplicate' | 'stale' | 'ignored'
  reservationId: string | null
  /** A local value is kept, and is to be sent. */
  toOffer: boolean
  /** Of those that are new. */
  conflictIds: string[]
}

/** What became of an allotment, or of the status of a unit. */
interface Kept {
  is: 'taken' | 'duplicate' | 'stale' | 'ignored'
}

/** What became of a change; a `reason` says why it cannot be applied. */
export type Outcome = Applied | Kept | { reason: string }

/** What the reports of a page share. */
interface Page {
  ports: StayPorts
  shadows: Shadows
  codes: Codes
  digests: ReadonlyMap<ReservationChange, string>
}

const quarantined = `SELECT count(*) FROM quarantined_message WHERE configurationId = ${ridOf('pms_configuration')}
  AND externalId IS NOT NULL`

/** Applies changes of a PMS. Each fails alone; what was quarantined of a reservation before is settled by a newer report. */
export function applyChanges(
  tx: Transaction,
  { changes, ...rules }: ChangesInput,
  ports: StayPorts,
): Outcome[] {
  const { configurationId } = rules
  const page = pageOf(tx, configurationId, changes.filter(isReport), ports)
  const outcomes = tx.together(() => changes.map((change) => outcomeOf(tx, rules, change, page)))
  page.shadows.flush()
  if (tx.count(quarantined, configurationId) === 0) return outcomes
  for (const [at, change] of changes.entries()) {
    if (!isReport(change) || 'reason' in outcomes[at]!) continue
    settle(tx, { configurationId, externalId: change.externalId, revision: change.revision })
  }
  return outcomes
}

/** Applies one report. Throws the Problem of one that cannot be applied. */
export function applyReport(tx: Transaction, input: ApplyInput, ports: StayPorts): Applied {
  const page = pageOf(tx, input.configurationId, [input.change], ports)
  const applied = apply(tx, input, page)
  page.shadows.flush()
  return applied
}

function isReport(change: PmsChange): change is ReservationChange {
  return change.is === 'reservation'
}

function pageOf(
  tx: Transaction,
  configurationId: string,
  reports: readonly ReservationChange[],
  ports: StayPorts,
): Page {
  const digests = new Map(reports.map((report) => [report, digestOf(report.value)] as const))
  const named = Array.from(digests, ([{ externalId }, digest]) => ({ externalId, digest }))
  const shadows = shadowsOf(tx, configurationId, named)
  const fresh = reports.filter(({ externalId }) => shadows.isNew(externalId))
  return { ports, shadows, codes: codesIn(tx, fresh.flatMap(guestNames)), digests }
}

function guestNames({ value }: ReservationChange): string[] {
  const guests = value?.stays.flatMap((stay) => stay.guests ?? []) ?? []
  return guests.flatMap(({ externalId }) => externalId ?? [])
}

function outcomeOf(tx: Transaction, rules: Rules, change: PmsChange, page: Page): Outcome {
  const { configurationId } = rules
  try {
    if (isReport(change)) return apply(tx, { ...rules, change }, page)
    return tx.part((part) =>
      change.is === 'lease'
        ? { is: keepLease(part, configurationId, change) }
        : { is: applyHousekeeping(part, configurationId, change) },
    )
  } catch (error) {
    if (!(error instanceof Problem) || error.status === 503) throw error
    return { reason: reasonOf(error) }
  }
}

/**
 * Applies a report: nearly always the difference from the shadow alone, because nothing was changed here. A report of a new
 * reservation is inserted; everything else is merged with what was changed here.
 */
function apply(tx: Transaction, input: ApplyInput, page: Page): Applied {
  const { change, direction } = input
  const { externalId, revision, value } = change
  const { shadows } = page
  const shadow = shadows.find(externalId)
  const digest = page.digests.get(change)!
  if (shadow && shadow.revision !== null) {
    if (revision < shadow.revision) return unchanged('stale', shadow)
    const isSame = digest === shadow.digest
    if (revision === shadow.revision && isSame) return unchanged('duplicate', shadow)
    if (value && shadow.agrees && direction !== 'ToPms') {
      if (isSame) return advanced(tx, shadow, { revision, digest }, page)
      const forwarded = fastForward(tx, { ...input, shadow, value }, page)
      if (forwarded) {
        shadows.advance(shadow, { revision, digest, next: forwarded.next })
        return unchanged(forwarded.isWritten ? 'merged' : 'unchanged', shadow)
      }
    }
  }
  const isNew = value && !value.localId && direction !== 'ToPms' && shadows.isNew(externalId)
  shadows.forget(externalId)
  return tx.part((part) =>
    isNew ? insertReported(part, input, { value, digest }, page) : rebase(part, input, digest, page.ports),
  )
}

function unchanged(is: Applied['is'], { reservationId }: Shadow): Applied {
  return { is, reservationId, toOffer: false, conflictIds: [] }
}

/** A new revision in which nothing differs. The document of the reservation shows when it was reported. */
function advanced(
  tx: Transaction,
  shadow: Shadow,
  { revision, digest }: { revision: number; digest: string },
  { shadows }: Page,
): Applied {
  tx.touch(reservation, shadow.reservationId)
  shadows.advance(shadow, { revision, digest, next: null })
  return unchanged('unchanged', shadow)
}

/** Returns why a report cannot be applied, as sentences that name the fields. */
export function reasonOf(problem: Problem): string {
  return [problem, ...problem.others].map(sentenceOf).join(' ').slice(0, 1_000)
}

function sentenceOf({ message, options: { pointer } }: Problem): string {
  if (!pointer || message.includes(pointer.slice(1))) return message
  return `${message} (${pointer})`
}
