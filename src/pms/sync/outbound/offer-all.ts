import { DeviceFault } from '../../../devices/fault.ts'
import { validate } from '../../../jsonapi/schemas/validate.ts'
import { closedObject, textOf } from '../../../reservation/values/value-schema.ts'
import type { JsonSchema } from '../../../resource/field.ts'
import { Problem } from '../../../resource/problem.ts'
import { ridOf } from '../../../resource/uuid-sql.ts'
import { mostOffers, type Offer, type OfferAnswer, type SyncSide, stepOutcomes } from '../../sync-contract.ts'
import { obstacleTo, rulesOf } from '../inbound/pull.ts'
import { messageOf } from '../inbound/received.ts'
import type { Linked } from '../loop/linked.ts'
import { eachOf, type Turn } from '../loop/turn.ts'
import { sharedReservationSchema } from '../shared-reservation.ts'

const mostAtOnce = 32
/** Offers in a row that the PMS could not be asked about even alone; then it is not they who are the reason. */
const mostFailures = 3
const mostNamed = 100

/** Asked of the reader, so that the writer has nothing to do while the outbox is empty. */
const waiting = `SELECT EXISTS (SELECT 1 FROM sync_offer WHERE configurationId = ${ridOf('pms_configuration')})`

/**
 * Offers what waits in the outbox until nothing is left to be offered now, or the turn is over. Answers whether something is left.
 * Where a PMS fails over a batch, or does not answer to it in time, it is offered in smaller ones, so that an offer it cannot bear
 * keeps back no other, and one that is slow is asked for no more than it can do.
 */
export async function offerAll(linked: Linked, side: OfferSide, turn: Turn): Promise<boolean> {
  const { reader, write, changes, configuration } = linked
  const configurationId = configuration.id
  const { accepts = null, offersAtOnce = mostOffers } = side
  const { batch } = linked
  let failures = 0
  while (turn.goesOn() && !linked.isOver()) {
    const limit = Math.min(batch.size, offersAtOnce)
    const isWaiting = reader.count(waiting, configurationId) > 0
    const offers = isWaiting ? await write(changes.takeOffers, { configurationId, limit, accepts }) : []
    if (!isWaiting) linked.failures.clear()
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
      if (offers.length === 1) await postpone(linked, offers[0]!, error)
      if (isSilence(error) || ++failures >= mostFailures) throw error
    }
  }
  return true
}

type OfferSide = Pick<SyncSide, 'accepts' | 'offersAtOnce'>

/** Named while it waits: a PMS that fails over one reservation is asked about all others. */
async function postpone(linked: Linked, { localId }: Offer, { message }: DeviceFault): Promise<void> {
  const { write, changes, configuration, failures } = linked
  if (failures.size < mostNamed) failures.set(localId, message)
  await write(changes.postponeOffer, { configurationId: configuration.id, reservationId: localId })
}

/** The PMS was reached, and failed over what it was sent, or has not answered. */
function isOverOffers(error: unknown): error is DeviceFault {
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
  for (const { localId } of offers) linked.failures.delete(localId)
  const pairs = offers.map((offer, index) => ({ offer, answer: answers[index]! }))
  await eachOf(pairs, mostAtOnce, ({ offer, answer }) => settled(linked, offer, answer))
}

const revision = { type: 'integer', minimum: Number.MIN_SAFE_INTEGER, maximum: Number.MAX_SAFE_INTEGER }
const code = textOf(1, 60)
const results: JsonSchema = {
  type: 'array',
  maxItems: 2_000,
  items: closedObject({ id: textOf(1, 200), is: { enum: stepOutcomes }, code, reason: { type: 'string' } }, [
    'id',
    'is',
  ]),
}
const forms: Record<OfferAnswer['is'], JsonSchema> = {
  accepted: closedObject(
    { is: {}, externalId: textOf(1, 128), revision, value: sharedReservationSchema, results },
    ['is', 'externalId', 'revision'],
  ),
  // What the change says is looked at when it is taken in.
  outdated: closedObject({ is: {}, change: { type: 'object' } }, ['is', 'change']),
  refused: closedObject({ is: {}, code, reason: { type: 'string' } }, ['is', 'reason']),
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
  for (const [at, each] of (answer as OfferAnswer[]).entries()) {
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
    expectSame(name, offers[at]!, each)
  }
  return answer as OfferAnswer[]
}

/** What is said of another reservation than the offer was about is carried out on none. */
function expectSame(name: string, { externalId }: Offer, answer: OfferAnswer): void {
  if (externalId === null || answer.is === 'refused') return
  const { externalId: named } = answer.is === 'accepted' ? answer : answer.change
  if (named === externalId) return
  throw new DeviceFault(
    'vendor-error',
    `${name} answered to an offer of the reservation ${externalId} with the reservation ${String(named).slice(0, 128)}.`,
  )
}

async function settled(linked: Linked, offer: Offer, answer: OfferAnswer): Promise<void> {
  const { write, changes, configuration, counts } = linked
  const ids = { configurationId: configuration.id, reservationId: offer.localId }
  const input = { ...rulesOf(linked), reservationId: offer.localId, offerId: offer.id, answer }
  try {
    const is = await write(changes.settleOffer, input)
    if (is !== 'unknown') counts[is]++
  } catch (error) {
    if (error instanceof Problem && error.status === 503) throw error
    // Its newer state, or what it made of the offer, cannot be taken in: that is quarantined like any other, and the offer waits.
    if (answer.is === 'outdated') await quarantineChange(linked, answer.change)
    else linked.failed(error)
    await write(changes.postponeOffer, ids)
  }
}

async function quarantineChange(linked: Linked, change: unknown): Promise<void> {
  const reason = await obstacleTo(linked, change)
  if (reason === null) return
  const { write, changes, configuration } = linked
  await write(changes.quarantine, { configurationId: configuration.id, ...messageOf(change, reason) })
  linked.counts.quarantined++
}
