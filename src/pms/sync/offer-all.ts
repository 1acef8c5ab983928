import { DeviceFault } from '../../devices/fault.ts'
import { validate } from '../../jsonapi/validate.ts'
import { closedObject, textOf } from '../../reservation/value-schema.ts'
import type { JsonSchema } from '../../resource/field.ts'
import { Problem } from '../../resource/problem.ts'
import { mostOffers, type Offer, type OfferAnswer, type SyncSide } from '../sync-contract.ts'
import { eachOf } from './each-of.ts'
import type { Linked } from './linked.ts'
import { asideOf } from './received.ts'
import { sharedReservationSchema } from './shared-reservation.ts'
import { obstacleTo, rulesOf } from './take-in.ts'
import type { Turn } from './turn.ts'

const mostAtOnce = 32
/** Offers in a row that the PMS could not be asked about even alone; then it is not they who are the reason. */
const mostFailures = 3

/**
 * Offers what waits in the outbox until nothing is left to be offered now, or the turn is over. Answers whether something is left.
 * Where a PMS fails over a batch, or does not answer to it in time, it is offered in smaller ones, so that an offer it cannot bear
 * keeps back no other, and one that is slow is asked for no more than it can do.
 */
export async function offerAll(linked: Linked, side: OfferSide, turn: Turn): Promise<boolean> {
  const { write, changes, configuration } = linked
  const configurationId = configuration.id
  const { accepts = null, offersAtOnce = mostOffers } = side
  const { batch } = linked
  let failures = 0
  while (turn.goesOn() && !linked.isOver()) {
    const limit = Math.min(batch.size, offersAtOnce)
    const offers = await write(changes.takeOffers, { configurationId, limit, accepts })
    if (offers.length === 0) {
      batch.most = mostOffers
      return false
    }
    try {
      await offered(linked, offers)
      batch.size = Math.min(batch.most, limit * 2)
      failures = 0
    } catch (error) {
      if (!isOverOffers(error)) throw error
      batch.size = Math.ceil(offers.length / 2)
      if (isSilence(error)) batch.most = batch.size
      else if (offers.length > 1) continue
      if (offers.length === 1) await postpone(linked, offers[0]!)
      if (isSilence(error) || ++failures >= mostFailures) throw error
    }
  }
  return true
}

type OfferSide = Pick<SyncSide, 'accepts' | 'offersAtOnce'>

async function postpone({ write, changes, configuration }: Linked, { localId }: Offer): Promise<void> {
  await write(changes.postponeOffer, { configurationId: configuration.id, reservationId: localId })
}

/** The PMS was reached, and failed over what it was told or has not answered to it. */
function isOverOffers(error: unknown): boolean {
  if (!(error instanceof DeviceFault)) return false
  return ['vendor-error', 'adapter-crashed'].includes(error.code) || isSilence(error)
}

/** It may be the line, so it is waited before anything else is offered. */
function isSilence(error: unknown): boolean {
  return error instanceof DeviceFault && error.code === 'adapter-timeout' && error.outcomeUnknown
}

async function offered(linked: Linked, offers: readonly Offer[]): Promise<void> {
  const { name } = linked.configuration
  const question = { what: 'offers', changes: true }
  const answers = await linked.ask(question, async (sync, call) =>
    checkedAnswers(name, offers, await sync.push?.(offers, call)),
  )
  linked.counts.offered += offers.length
  const pairs = offers.map((offer, index) => ({ offer, answer: answers[index]! }))
  await eachOf(pairs, mostAtOnce, ({ offer, answer }) => settled(linked, offer, answer))
}

const revision = { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }
const forms: Record<OfferAnswer['is'], JsonSchema> = {
  accepted: closedObject({ is: {}, externalId: textOf(1, 128), revision, value: sharedReservationSchema }, [
    'is',
    'externalId',
    'revision',
  ]),
  // What the change says is looked at when it is taken in.
  outdated: closedObject({ is: {}, change: { type: 'object' } }, ['is', 'change']),
  refused: closedObject({ is: {}, reason: { type: 'string' } }, ['is', 'reason']),
}

/** One answer to each offer, each of one of the forms. Throws vendor-error: nothing of it can be relied on then. */
async function checkedAnswers(
  name: string,
  offers: readonly Offer[],
  answer: unknown,
): Promise<readonly OfferAnswer[]> {
  const count = Array.isArray(answer) ? answer.length : 0
  if (count !== offers.length) {
    throw new DeviceFault('vendor-error', `${name} gave ${count} answers to ${offers.length} offers.`)
  }
  for (const each of answer as OfferAnswer[]) {
    const form = Object.hasOwn(forms, String(each?.is)) ? forms[each.is] : null
    if (!form) throw new DeviceFault('vendor-error', `${name} sent no valid answer to an offer.`)
    try {
      await validate(form, each)
    } catch (error) {
      if (!(error instanceof Problem)) throw error
      throw new DeviceFault('vendor-error', `${name} sent an invalid answer to an offer: ${error.message}`, {
        cause: error,
      })
    }
  }
  return answer as OfferAnswer[]
}

async function settled(linked: Linked, offer: Offer, answer: OfferAnswer): Promise<void> {
  const { write, changes, configuration, counts } = linked
  const ids = { configurationId: configuration.id, reservationId: offer.localId }
  const input = { ...ids, offerId: offer.id, answer, ...rulesOf(linked) }
  try {
    const is = await write(changes.settleOffer, input)
    if (is !== 'unknown') counts[is]++
  } catch (error) {
    if (error instanceof Problem && error.status === 503) throw error
    // Its newer state, or what it made of the offer, cannot be taken in: that is put aside like any other, and the offer waits.
    if (answer.is === 'outdated') await putAsideChange(linked, answer.change)
    else linked.failed(error)
    await write(changes.postponeOffer, ids)
  }
}

async function putAsideChange(linked: Linked, change: unknown): Promise<void> {
  const reason = await obstacleTo(linked, change)
  if (reason === null) return
  const { write, changes, configuration } = linked
  await write(changes.putAside, { configurationId: configuration.id, ...asideOf(change, reason) })
  linked.counts.quarantined++
}
