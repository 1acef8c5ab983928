import { signal } from '@preact/signals'
import { moneyText } from '../../lib/language/format.ts'
import { ApiError, type Resource, sendOne } from '../../lib/server/api.ts'
import { isLineDead } from '../../lib/server/line.ts'
import type { Payment } from '../../lib/server/resources.ts'
import { forgetRequest, type Kept, keepRequest, keptRequest } from '../stay/kept-request.ts'
import { g } from '../stay/texts.ts'

export interface NewPayment {
  stayId: string
  /** The URL of the stay's action that records a payment, or a refund. */
  path: string
  currency: string
  /** In minor units of the currency. */
  amount: number
  brand: string
  /** Only for a refund: the payment that is given back, and why. */
  refundOf?: string
  reason?: string
}

/** A payment whose first answer was lost, with its known state. */
export interface Doubtful {
  sum: string
  kind: Payment['kind']
  /** `unknown`: it is too late to repeat the request, and the clerk must check the list of payments. */
  state: 'looking' | 'recorded' | 'refused' | 'unknown'
  /** Why the box refused it; null if it did not. */
  problem: ApiError | null
}

/** The payments whose first answer was lost, by stay. */
export const doubtful = signal<ReadonlyMap<string, Doubtful>>(new Map())

const timeoutMs = 30_000
const pauseMs = 2_000
/** An older payment is not sent again, because the clerk may have recorded it in another way by then. */
const validMs = 10 * 60_000

interface PaymentBody {
  data: { type: 'payment'; attributes: Omit<NewPayment, 'stayId' | 'path'> }
}

/** The action of a stay by which a kind of payment is recorded. */
export const actions = { Payment: 'record-payment', Refund: 'record-refund' } as const

const kindOf = (path: string): Payment['kind'] => (path.endsWith(actions.Refund) ? 'Refund' : 'Payment')

/** Returns the texts about payments, or about refunds. */
export const textsOf = (kind: Payment['kind']) =>
  kind === 'Refund' ? { ...g.value, ...g.value.refund } : g.value

/** The way in which something was paid, in the words of the page. */
export const brandOf = ({ attributes: { brand, brandText } }: Resource<Payment>) =>
  brandText ?? g.value.brands[brand] ?? brand

const nameOf = (stayId: string) => `payment.${stayId}`

/** Stays whose payment request has no answer yet. */
const underWay = new Set<string>()

/**
 * Records a payment or a refund and returns the message for the clerk. Returns null when the answer was lost; the outcome is then
 * queried. A payment that was not sent or was refused is not stored. Throws ApiError.
 */
export async function recordPayment({ stayId, path, ...attributes }: NewPayment): Promise<string | null> {
  const kind = kindOf(path)
  if (isLineDead.value || !navigator.onLine) throw notSent(kind)
  const kept = keepRequest<PaymentBody>(nameOf(stayId), path, { data: { type: 'payment', attributes } })
  underWay.add(stayId)
  try {
    return textsOf(kind).recorded(await recorded(stayId, kept))
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    if (isNoAnswer(error)) {
      void look(stayId)
      return null
    }
    forgetRequest(nameOf(stayId))
    throw error
  } finally {
    underWay.delete(stayId)
  }
}

/** Records the payment of a new booking, and shows the outcome on the sheet. */
export async function recordWithBooking(payment: NewPayment): Promise<void> {
  const sum = moneyText(payment.amount, payment.currency)
  try {
    if ((await recordPayment(payment)) !== null)
      show(payment.stayId, { sum, kind: 'Payment', state: 'recorded', problem: null })
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    show(payment.stayId, { sum, kind: 'Payment', state: 'refused', problem: error })
  }
}

/** Queries the outcome of a payment that was in progress when the page was reloaded. */
export function resumeRecording(stayId: string): void {
  if (underWay.has(stayId) || doubtful.value.has(stayId)) return
  if (keptRequest(nameOf(stayId))) void look(stayId)
}

/** Removes the outcome of a payment from the screen. */
export function forgetDoubtful(stayId: string): void {
  doubtful.value = new Map([...doubtful.value].filter(([each]) => each !== stayId))
}

function show(stayId: string, state: Doubtful): void {
  doubtful.value = new Map(doubtful.value).set(stayId, state)
}

async function recorded(stayId: string, { path, body, idempotencyKey }: Kept): Promise<string> {
  const { data } = await sendOne<Payment>('POST', path, { body, idempotencyKey, timeoutMs })
  forgetRequest(nameOf(stayId))
  return moneyText(data.attributes.amount, data.attributes.currency)
}

/** Repeats the request with the same idempotency key, so that the payment is recorded once. */
async function look(stayId: string): Promise<void> {
  for (;;) {
    const kept = keptRequest<PaymentBody>(nameOf(stayId))
    // Another person has taken over and must not send it.
    if (!kept) return forgetDoubtful(stayId)
    const { amount, currency } = kept.body.data.attributes
    const about = { sum: moneyText(amount, currency), kind: kindOf(kept.path) }
    if (Date.now() - kept.keptAt > validMs) {
      forgetRequest(nameOf(stayId))
      return show(stayId, { ...about, state: 'unknown', problem: null })
    }
    if (!doubtful.value.has(stayId)) show(stayId, { ...about, state: 'looking', problem: null })
    await new Promise((resolve) => setTimeout(resolve, pauseMs))
    if (isLineDead.value || keptRequest(nameOf(stayId))?.idempotencyKey !== kept.idempotencyKey) continue
    try {
      await recorded(stayId, kept)
      return show(stayId, { ...about, state: 'recorded', problem: null })
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
      if (isNoAnswer(error) || isNotHeard(error)) continue
      forgetRequest(nameOf(stayId))
      // The box asks for the secret before it looks whether it knows the request.
      if (error.code === 'reauthentication-required')
        return show(stayId, { ...about, state: 'unknown', problem: null })
      return show(stayId, { ...about, state: 'refused', problem: error })
    }
  }
}

/** Returns whether it is unknown if the box recorded the payment. */
const isNoAnswer = ({ status, code }: ApiError) =>
  status === 0 || status === 503 || code === 'idempotency-in-progress'

/** Returns whether the box refused the repeat before it looked at the request, and may take it later. */
const isNotHeard = ({ status, code }: ApiError) =>
  status === 401 || status === 429 || code === 'session-locked'

function notSent(kind: Payment['kind']): ApiError {
  const { payNotSent, payNotSentWhy } = textsOf(kind)
  return new ApiError(0, [{ code: 'not-sent', title: payNotSent, detail: payNotSentWhy }], null)
}
