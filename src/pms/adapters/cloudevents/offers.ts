import { DeviceFault } from '../../../devices/fault.ts'
import type { SharedStay } from '../../sync/shared-reservation.ts'
import type { Intent, Offer, OfferAnswer, StepResult } from '../../sync-contract.ts'
import { excessIn } from './messages/bounds.ts'
import type { WireAnswer, WireOffer, WireResult } from './messages/message-data.ts'
import { answerSchema } from './messages/message-schemas.ts'
import { schemaErrors } from './messages/read-message.ts'

/** The form of an outbound change on the wire, for a PMS that implements this version of the contract. */
export function wireOffer({ value, intents, facts, ...offer }: Offer, contract: 1 | 2): WireOffer {
  const reservation = { ...value, stays: value.stays.map(withFirstNames) }
  return { ...offer, reservation, ...(contract === 2 && { intents: intents.map(wireIntent), facts }) }
}

function wireIntent({ from, to, ...intent }: Intent): Intent {
  return { ...intent, from: withFirstNames(from), to: withFirstNames(to) }
}

/** A PMS that was written to an earlier form of the contract takes no empty first name. */
const noFirstName = '-'

function withFirstNames<Value extends Pick<SharedStay, 'guests'>>(value: Value): Value {
  if (!value.guests) return value
  const guests = value.guests.map((guest) => ({ ...guest, firstName: guest.firstName || noFirstName }))
  return { ...value, guests }
}

/** Splits the outbound changes into ordered batches, none larger than one request permits. */
export function batchesOf(offers: readonly WireOffer[], largest: number): WireOffer[][] {
  const batches: WireOffer[][] = []
  let bytesLeft = 0
  for (const offer of offers) {
    const size = Buffer.byteLength(JSON.stringify(offer))
    if (size > bytesLeft || batches.length === 0) {
      batches.push([])
      bytesLeft = largest
    }
    batches.at(-1)!.push(offer)
    bytesLeft -= size
  }
  return batches
}

/**
 * The answer to each outbound change, in their order. An invalid answer refuses only its own change. When an answer is
 * missing, the result is a vendor-error, and all changes may be sent again.
 */
export async function answersIn(data: unknown, offers: readonly WireOffer[]): Promise<OfferAnswer[]> {
  const answers = listIn(data)
  const byId = new Map(answers.map((answer) => [(answer as { id?: unknown } | null)?.id, answer]))
  const missing = offers.find(({ id }) => !byId.has(id))
  if (missing) throw new DeviceFault('vendor-error', `The PMS sent no answer to the offer ${missing.id}.`)
  return Promise.all(offers.map(({ id }) => answerIn(byId.get(id))))
}

function listIn(data: unknown): unknown[] {
  const answers = (data as { answers?: unknown } | null)?.answers
  if (Array.isArray(answers)) return answers
  throw new DeviceFault('vendor-error', 'The answer of the PMS to an offer has no list of answers.')
}

async function answerIn(answer: unknown): Promise<OfferAnswer> {
  const wrong = excessIn(answer) ?? (await schemaErrors(answerSchema, answer, 'answer'))
  if (wrong !== null) {
    return { is: 'refused', reason: `The answer of the PMS cannot be used: ${wrong}`.slice(0, 500) }
  }
  const { id: _, ...valid } = answer as WireAnswer
  if (valid.is === 'refused') return refusal(valid)
  const { externalId, revision } = valid
  const value = valid.reservation ? { ...valid.reservation, externalId } : null
  if (valid.is === 'accepted') {
    const results = (valid.results ?? []).map(resultOf)
    return { is: 'accepted', externalId, revision, ...(value && { value }), results }
  }
  const changedAt = valid.changedAt ? Date.parse(valid.changedAt) : Number.NaN
  return {
    is: 'outdated',
    change: {
      is: 'reservation',
      externalId,
      revision,
      changedAt: Number.isNaN(changedAt) ? null : changedAt,
      value,
    },
  }
}

function refusal({ code, reason }: { code?: string | null; reason?: string | null }) {
  return {
    is: 'refused' as const,
    reason: reason ?? 'The PMS gave no reason.',
    ...(code && { code }),
  }
}

function resultOf({ id, is, ...why }: WireResult): StepResult {
  return is === 'refused' ? { id, ...refusal(why) } : { id, is }
}
