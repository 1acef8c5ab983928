import { reservation } from '../../reservation/resources/reservation.ts'
import { type Command, command, type Transaction } from '../../resource/command.ts'
import type { ConflictPolicy } from '../resources/conflict-policy.ts'
import { type SyncOffer, syncOffer } from '../resources/sync-offer.ts'
import type { Offer, OfferAnswer } from '../sync-contract.ts'
import { outboxRow } from './outbox.ts'
import { waitMs } from './put-off.ts'
import { refusedOffers } from './refused-offers.ts'
import { firstToLetGo, takenWithout } from './ring-there.ts'
import type { ApplyInput, SyncChanges } from './sync-changes.ts'
import { isThere, recordOf } from './sync-state.ts'

interface SettleInput {
  configurationId: string
  /** The reservation and the offer that was answered. */
  reservationId: string
  offerId: string
  answer: OfferAnswer
  policy: ConflictPolicy
  direction: ApplyInput['direction']
}

/** `unknown`: the offer was settled before, or is not ours. */
type Settled = OfferAnswer['is'] | 'unknown'

/**
 * Carries out what a PMS has answered to an offer, and lets it go from the outbox: whole, or not at all. What has changed
 * here since is offered anew. Throws the Problem of a newer state that cannot be taken in.
 */
export const settleOffer = (sync: SyncChanges): Command<SettleInput, Settled> =>
  command('settle-offer', (tx, input: SettleInput): Settled => {
    const row = outboxRow(tx, input)
    const offer = row?.offer
    if (!row || !offer || offer.id !== input.offerId) return 'unknown'
    // Before anything else: what is taken in below may mark the reservation once more.
    const isChanged = row.marks !== row.offeredMarks
    const { answer } = input
    // What it says now may hold what it was offered, by another answer that was lost: until it is merged it is not let go.
    if (answer.is === 'outdated') outdated(tx, row, offer, isChanged, input, sync)
    const wasTried = row.withoutUnits === 'next' ? answer.is !== 'outdated' : row.withoutUnits === 'done'
    const withoutUnits = wasTried ? 'done' : null
    tx.patch(syncOffer, row.id, { offer: null, offeredMarks: null, withoutUnits })
    if (answer.is === 'accepted') accepted(tx, row, offer, isChanged, input, sync)
    if (answer.is === 'refused') refused(tx, row, offer, isChanged, input, sync)
    return answer.is
  })

function accepted(
  tx: Transaction,
  row: SyncOffer,
  { value: offered }: Offer,
  isChanged: boolean,
  input: SettleInput,
  { confirmOffer }: SyncChanges,
): void {
  const { configurationId, reservationId, answer, policy, direction } = input
  if (answer.is !== 'accepted') return
  const { externalId, revision, value } = answer
  const taken = () => takenWithout(recordOf(tx, reservationId)?.base ?? null, offered, value)
  confirmOffer.run(tx, {
    configurationId,
    reservationId,
    offered: row.withoutUnits === 'next' ? taken() : offered,
    externalId,
    revision,
    value,
    policy,
    direction,
  })
  becomesItsOwn(tx, configurationId, reservationId)
  const after = outboxRow(tx, input)
  if (after && !isChanged && after.marks === row.marks) tx.remove(syncOffer, row.id)
}

/** What was made here and named no PMS belongs to the one that has taken it. */
function becomesItsOwn(tx: Transaction, configurationId: string, reservationId: string): void {
  if (!isThere(tx, reservationId) || tx.find(reservation, reservationId).integrationId) return
  tx.patch(reservation, reservationId, { integrationId: configurationId })
}

/** A PMS that says it again and again is asked less and less often. */
const patientFrom = 3

function outdated(
  tx: Transaction,
  row: SyncOffer,
  offer: Offer,
  isChanged: boolean,
  input: SettleInput,
  sync: SyncChanges,
): void {
  const { configurationId, answer, policy, direction } = input
  if (answer.is !== 'outdated') return
  const { change } = answer
  const { is } = sync.applyUpstreamChange.run(tx, { configurationId, change, policy, direction })
  const isNew = is !== 'duplicate' && is !== 'stale'
  if (!isNew && offer.baseRevision !== null && change.revision <= offer.baseRevision) {
    // What it was offered is based on that already: offered anew it would say the same, for ever.
    const reason = change.value ? 'It tells nothing newer than that.' : 'It is gone there.'
    refused(tx, row, offer, isChanged, { ...input, answer: { is: 'refused', reason } }, sync)
    return
  }
  const attempts = row.attempts + 1
  tx.patch(syncOffer, row.id, { attempts, notBefore: attempts < patientFrom ? 0 : tx.now + waitMs(attempts) })
}

function refused(
  tx: Transaction,
  row: SyncOffer,
  { value: offered }: Offer,
  isChanged: boolean,
  input: SettleInput,
  { refuseOffer }: SyncChanges,
): void {
  const { configurationId, reservationId, answer } = input
  if (answer.is !== 'refused') return
  const reason = answer.reason.slice(0, 1_000)
  // That it will not let go either says nothing new to the desk, which was told what it has refused first.
  const wasWithout = row.withoutUnits === 'next'
  if (!wasWithout) refuseOffer.run(tx, { configurationId, reservationId, offered, reason })
  const after = outboxRow(tx, input)
  // What has changed since it was offered may be to the PMS's liking.
  if (!after || isChanged || after.marks !== row.marks) return
  const last = tx.patch(syncOffer, row.id, { refused: reason })
  const first = wasWithout ? null : firstToLetGo(tx, last)
  if (first) tx.patch(syncOffer, first.id, { refused: null, withoutUnits: 'next' })
}

/** Offers that the PMS could not be asked about one by one: they let others go first. */
export const postponeOffer = command(
  'postpone-offer',
  (tx, input: { configurationId: string; reservationId: string }): null => {
    const row = outboxRow(tx, input)
    if (!row) return null
    const attempts = row.attempts + 1
    tx.patch(syncOffer, row.id, { attempts, notBefore: tx.now + waitMs(attempts) })
    return null
  },
)

const mostAtOnce = 1_000

/** Offers again what the PMS has refused and what was put off. Answers how many; there may be more than were taken. */
export const offerAgain = command(
  'offer-again',
  (tx, { configurationId }: { configurationId: string }): number => {
    const of = { path: 'configurationId', operator: 'eq', value: configurationId } as const
    const rows = [
      ...refusedOffers(tx, configurationId, mostAtOnce),
      ...tx.select(syncOffer, [of, { path: 'notBefore', operator: 'gt', value: tx.now }], [], mostAtOnce),
    ]
    for (const { id, withoutUnits } of rows) {
      const anew = { refused: null, attempts: 0, notBefore: 0 }
      tx.patch(syncOffer, id, { ...anew, withoutUnits: withoutUnits === 'next' ? 'next' : null })
    }
    return rows.length
  },
)
