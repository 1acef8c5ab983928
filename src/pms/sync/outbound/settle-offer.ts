import { reservation } from '../../../reservation/resources/reservation.ts'
import type { StayPorts } from '../../../reservation/stays/stay-policy.ts'
import { command, type Transaction } from '../../../resource/command.ts'
import { syncOffer } from '../../resources/sync-offer.ts'
import type { Offer, OfferAnswer } from '../../sync-contract.ts'
import { settleConflicts } from '../conflicts/conflicts.ts'
import { applyReport } from '../inbound/apply.ts'
import { rebase } from '../inbound/rebase.ts'
import { digestOf, snapshot } from '../snapshot.ts'
import type { Rules, Sharing } from '../sync-changes.ts'
import { hasOpenConflicts, isThere, keepRecord, recordOf } from '../sync-state.ts'
import { factsOf } from './facts.ts'
import { intentsIn, intentsOf, isRefused, refusalOf, retrySteps } from './intents.ts'
import { offeredValue } from './offered-value.ts'
import { markForOffer, outboxRow, putOff, refusedOffers, waitMs } from './outbox.ts'
import { foldTwin, takeNames } from './pms-names.ts'
import { finishSteps, refusalsLeft, refuse } from './step-results.ts'
import { withoutSteps } from './steps.ts'

export interface SettleInput extends Rules {
  /** The reservation and the offer that was answered. */
  reservationId: string
  offerId: string
  answer: OfferAnswer
}

/** `unknown`: the offer was settled before, or is not ours. */
export type SettledOffer = OfferAnswer['is'] | 'unknown'

type Answer<Is> = Extract<OfferAnswer, { is: Is }>

/** An offer with what it was sent for. */
interface Answered extends Rules, Sharing {
  offer: Offer
  offeredMark: number
  ports: StayPorts
}

/**
 * Carries out what a PMS has answered to an offer: whole, or not at all. The reservation leaves the outbox, unless something of it is
 * still to be sent. Throws the Problem of a newer state that cannot be applied.
 */
export function settle(tx: Transaction, input: SettleInput, ports: StayPorts): SettledOffer {
  const { answer, offerId, ...rest } = input
  const row = outboxRow(tx, input)
  const offer = row?.offer
  if (!row || !offer || offer.id !== offerId) return 'unknown'
  const answered: Answered = { ...rest, offer, offeredMark: row.offeredMarks ?? row.marks, ports }
  const release = () => tx.patch(syncOffer, row.id, { offer: null, offeredMarks: null })
  // What is applied below may mark the reservation once more.
  const isSame = () => row.marks === row.offeredMarks && outboxRow(tx, input)?.marks === row.marks
  const isTwice = answer.is === 'accepted' && !foldTwin(tx, input, answer.externalId, ports)
  if (answer.is === 'accepted' && !isTwice) {
    release()
    const { toOffer, refused } = accepted(tx, answered, answer)
    if (answer.results?.some(({ is }) => is === 'unknown')) putOff(tx, row)
    else if (!toOffer && isSame()) {
      if (refused === null) tx.remove(syncOffer, row.id)
      else tx.patch(syncOffer, row.id, { refused })
    }
    return answer.is
  }
  // A newer state may contain the offer, whose answer was lost: until it is merged the offer stays.
  const refusal = refusalIn(tx, answered, answer)
  release()
  if (refusal === null) {
    const attempts = row.attempts + 1
    const notBefore = attempts < patientFrom ? 0 : tx.now + waitMs(attempts)
    tx.patch(syncOffer, row.id, { attempts, notBefore })
    return answer.is
  }
  settleConflicts(tx, input.reservationId, ['refused-by-pms'])
  refuse(tx, answered, offer, refusal)
  // What has changed since it was offered may be accepted.
  if (isSame()) tx.patch(syncOffer, row.id, { refused: refusal })
  return isTwice ? 'refused' : answer.is
}

/** Why the offer counts as refused; null where it is to be sent anew. What is accepted and cannot be taken in is refused, too. */
function refusalIn(tx: Transaction, answered: Answered, answer: OfferAnswer): string | null {
  if (answer.is === 'outdated') return outdated(tx, answered, answer)
  if (answer.is === 'refused') return refusalOf(answer)
  return `It has the reservation already, as ${answer.externalId}, and that one is used here. Delete one of the two.`
}

/** A PMS that answers so again and again is asked less and less often. */
const patientFrom = 3

/** Applies the newer state. Returns why the offer counts as refused all the same; null where it is to be sent anew. */
function outdated(tx: Transaction, answered: Answered, { change }: Answer<'outdated'>): string | null {
  const { offer, ports, ...rules } = answered
  const { is } = applyReport(tx, { ...rules, change }, ports)
  const isNew = is !== 'duplicate' && is !== 'stale'
  if (isNew || offer.baseRevision === null || change.revision > offer.baseRevision) return null
  // The offer is based on that revision already: offered anew it would say the same, without end.
  return change.value ? 'It reports nothing newer than that.' : 'It is gone there.'
}

interface Confirmed {
  /** Something is to be sent: it has changed since, or its result is unknown. */
  toOffer: boolean
  /** Why the PMS has refused what is left; null where nothing is refused. */
  refused: string | null
}

/** The PMS has carried out a message, but for some of its steps, in a revision and under names of its own. */
function accepted(tx: Transaction, answered: Answered, answer: Answer<'accepted'>): Confirmed {
  const { configurationId, reservationId, offer, policy, direction, ports } = answered
  const { externalId, revision, value, results = [] } = answer
  const sharing = { configurationId, reservationId }
  if (isThere(tx, reservationId)) takeNames(tx, sharing, { externalId, offered: offer.value, value }, ports)
  const record = recordOf(tx, reservationId)
  const { undone, refused } = finishSteps(tx, answered, results)
  const has = record?.base ? withoutSteps(record.base, offer.value, undone) : offer.value
  const base = { ...has, externalId }
  const here = snapshot(tx, reservationId)
  const intents = intentsIn(intentsOf(tx, reservationId))
  const isPaid = factsOf(tx, reservationId).some((each) => !isRefused(each))
  const left = refusalsLeft(tx, reservationId)
  // What was deleted here while it was on its way is to be canceled there, and does not come back by the answer.
  const toOffer =
    here === null || offeredValue({ base, here, intents, isPaid, accepts: null }).changed.length > 0
  const isOld = (record?.upstreamRevision ?? revision) > revision
  const state = { externalId, base, upstreamRevision: revision, digest: null, lastSyncedAt: tx.now }
  keepRecord(
    tx,
    sharing,
    record,
    { ...state, pending: toOffer || left !== null },
    { hasConflicts: hasOpenConflicts(tx, reservationId) },
  )
  for (const { steps, reason } of refused) refuse(tx, sharing, { value: offer.value, ...steps }, reason)
  if (toOffer) markForOffer(tx, sharing)
  becomesItsOwn(tx, sharing)
  // What the PMS has reported since it took the message is a change of what it took.
  const since = isOld ? { revision: record!.upstreamRevision!, value: record!.base! } : { revision, value }
  if (!since.value || here === null) return { toOffer, refused: left }
  const change = { is: 'reservation' as const, externalId, changedAt: null, ...since, value: since.value }
  const rules = { configurationId, policy, direction }
  const applied = rebase(tx, { ...rules, change }, digestOf(since.value), ports)
  return { toOffer: toOffer || applied.toOffer, refused: left }
}

/** What was made here and named no PMS belongs to the one that has taken it. */
function becomesItsOwn(tx: Transaction, { configurationId, reservationId }: Sharing): void {
  if (!isThere(tx, reservationId) || tx.find(reservation, reservationId).integrationId) return
  tx.patch(reservation, reservationId, { integrationId: configurationId })
}

/** Puts off a message that the PMS has failed over, so that others are sent first. */
export const postponeOffer = command('postpone-offer', (tx, input: Sharing): null => {
  const row = outboxRow(tx, input)
  if (row) putOff(tx, row)
  return null
})

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
    for (const { id, reservationId, refused } of rows) {
      if (refused) retrySteps(tx, reservationId)
      tx.patch(syncOffer, id, { refused: null, attempts: 0, notBefore: 0 })
    }
    return rows.length
  },
)
