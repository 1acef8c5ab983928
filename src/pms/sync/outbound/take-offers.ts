import { randomUUID } from 'node:crypto'
import { reservation } from '../../../reservation/resources/reservation.ts'
import { stay } from '../../../reservation/resources/stay.ts'
import { command, type Transaction } from '../../../resource/command.ts'
import type { Filter } from '../../../resource/query.ts'
import { uuidBytes } from '../../../resource/uuid-sql.ts'
import type { FieldGroup } from '../../resources/conflict-policy.ts'
import { type SyncOffer, syncOffer } from '../../resources/sync-offer.ts'
import type { SyncRecord } from '../../resources/sync-record.ts'
import type { Fact, Offer } from '../../sync-contract.ts'
import { settleConflicts } from '../conflicts/conflicts.ts'
import type { SharedReservation } from '../shared-reservation.ts'
import { snapshot } from '../snapshot.ts'
import { recordOf } from '../sync-state.ts'
import { adoptDifferences } from './adopt-differences.ts'
import { factId, factsOf, finishFacts } from './facts.ts'
import { finishIntents, intentsIn, intentsOf, isRefused } from './intents.ts'
import { offeredValue } from './offered-value.ts'
import { keepPending, longestWaitMs } from './outbox.ts'
import { stepsIn } from './steps.ts'

interface TakeInput {
  configurationId: string
  limit: number
  /** The groups that the PMS takes from here; null for all. */
  accepts: readonly FieldGroup[] | null
}

/** Rows that one command looks at; those with nothing to send leave the outbox. */
const mostLookedAt = 500

/**
 * What is to be offered now, the longest waiting first, at most `limit`. An offer that has no answer yet is given as it
 * was sent, under its id; a new one is kept before it is given. What differs in nothing from what the PMS has leaves the outbox.
 */
export const takeOffers = command('take-offers', (tx, input: TakeInput): Offer[] => {
  const { configurationId, limit, accepts } = input
  const offers: Offer[] = []
  for (const row of waiting(tx, configurationId)) {
    const offer = row.offer ? withSteps(tx, row, row.offer) : made(tx, row, accepts)
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

function made(tx: Transaction, row: SyncOffer, accepts: TakeInput['accepts']): Offer | null {
  const { reservationId } = row
  const record = recordOf(tx, reservationId)
  const isThere = tx.count(thereSql, reservationId) > 0
  const here = isThere ? snapshot(tx, reservationId) : null
  const base = record?.base ?? null
  adoptDifferences(tx, row, record, here)
  const intents = intentsOf(tx, reservationId)
  const facts = factsOf(tx, reservationId).filter((each) => !isRefused(each))
  const offered = here
    ? offeredValue({ base, here, intents: intentsIn(intents), isPaid: facts.length > 0, accepts })
    : record?.externalId
      ? canceled(record)
      : null
  if (!offered || offered.changed.length === 0) {
    finish(tx, row, record)
    return null
  }
  const { value, changed } = offered
  const message = { id: randomUUID(), localId: reservationId, value, changed }
  const steps = stepsIn({ base, offer: message, intents, facts })
  const isTaken = ({ is }: Fact) =>
    (is !== 'payment' && is !== 'void') || accepts === null || accepts.includes('payments')
  const offer: Offer = {
    ...message,
    ...steps,
    facts: steps.facts.filter(isTaken),
    externalId:
      record?.externalId ?? (isThere ? (tx.find(reservation, reservationId).externalId ?? null) : null),
    baseRevision: record?.upstreamRevision ?? null,
    value: value.stays.length > 0 ? value : withEnded(tx, value),
    leaseIds: isThere ? leasesOf(tx, reservationId) : [],
  }
  tx.patch(syncOffer, row.id, { offer, offeredMarks: row.marks })
  return offer
}

/** A message of a program before the intents says by its members what was changed. It is stored with its steps, which its answer needs. */
function withSteps(tx: Transaction, { id }: SyncOffer, offer: Offer): Offer {
  const stored = offer as Partial<Offer>
  if (stored.intents && stored.facts) return offer
  const base = recordOf(tx, offer.localId)?.base ?? null
  const whole = { ...offer, ...stepsIn({ base, offer, intents: intentsOf(tx, offer.localId), facts: null }) }
  tx.patch(syncOffer, id, { offer: whole })
  return whole
}

/** There is nothing to send now: what the PMS has, or does not take, is done. What it has refused waits. */
function finish(tx: Transaction, row: SyncOffer, record: SyncRecord | null): void {
  const { reservationId } = row
  finishIntents(tx, reservationId, row.marks)
  const facts = factsOf(tx, reservationId)
  finishFacts(tx, reservationId, facts.filter((each) => !isRefused(each)).map(factId), new Map())
  const left = [...intentsOf(tx, reservationId), ...facts].find(isRefused)
  if (left) {
    tx.patch(syncOffer, row.id, { refused: left.refused ?? null })
    return
  }
  tx.remove(syncOffer, row.id)
  if (record?.state === 'Conflict') settleConflicts(tx, reservationId, ['refused-by-pms'])
  keepPending(tx, row, false)
}

const thereSql = `SELECT count(*) FROM reservation WHERE id = ${uuidBytes()}`

/** A PMS that has none of its stays any more receives their last state, because a reservation has at least one stay. */
function withEnded(tx: Transaction, value: SharedReservation): SharedReservation {
  const here = value.localId ? snapshot(tx, value.localId) : null
  return { ...value, stays: here?.stays ?? [] }
}

/** A reservation that was deleted here is sent as canceled: a PMS keeps what it has ever had. */
function canceled({ base }: SyncRecord): { value: SharedReservation; changed: string[] } | null {
  if (!base) return null
  const over = ['CheckedOut', 'NoShow', 'Canceled']
  const stays = base.stays.map((each) =>
    each.status && over.includes(each.status) ? each : { ...each, status: 'Canceled' as const },
  )
  const changed = stays.flatMap((each, at) => (each === base.stays[at] ? [] : [`/stays/${at}/status`]))
  return { value: { ...base, stays }, changed }
}

function leasesOf(tx: Transaction, reservationId: string): string[] {
  const stays = tx.select(stay, [{ path: 'reservationId', operator: 'eq', value: reservationId }])
  return [...new Set(stays.flatMap(({ lent }) => (lent ?? []).map(({ leaseId }) => leaseId)))]
}
