import { bodyReader } from '../../jsonapi/body.ts'
import { type Description, exactly } from '../../jsonapi/description.ts'
import { listAnswer } from '../../jsonapi/document-answers.ts'
import { readQuery } from '../../jsonapi/query/query.ts'
import { created, type Store } from '../../jsonapi/resource-routes.ts'
import { type Answer, largeBody, type Request, type Route, routesAt } from '../../jsonapi/route.ts'
import { openedTo } from '../../jsonapi/serializer.ts'
import { expectedRevision, noContent, writeOptions } from '../../jsonapi/write-options.ts'
import type { Document } from '../../resource/command.ts'
import { expectSomeGuest } from '../reservations/shown-to-guest.ts'
import { payment } from '../resources/payment.ts'
import { ofGuest } from '../stays/rules/expect-guest.ts'
import { narrowed } from '../stays/rules/narrowed.ts'
import { checkReceipt } from '../values/payment-receipt.ts'
import { refuseCardNumbers } from './payment-card-number.ts'
import {
  type PaymentInput,
  type Recorded,
  recordReservationPayment,
  recordStayPayment,
  recordStayRefund,
  voidPayment,
} from './payment-commands.ts'

const base = '/api/v2'
const route = routesAt(base)
const one = 'reservations/:reservationId'
const record = 'actions/record-payment'

/** What lessens the sum that the guest has paid: a void, or a refund. A kiosk may do neither. */
const takesBack = 'payments.void'

const body = bodyReader(payment)

/** The routes that record, void and list payments and refunds. */
export function paymentRoutes(store: Store): Route[] {
  const { write, read } = payment.scopes
  const post = { method: 'POST', base, scope: write, largestBody: largeBody } as const
  const list = (request: Request) => listPayments(store, request)
  const remove = (request: Request) => removePayment(store, request)
  const ofStay = (request: Request) => recordOnStay(store, recordStayPayment, request)
  const ofAll = (request: Request) => recordOnReservation(store, request)
  return [
    route('GET', 'payments', read, says.list, list),
    route('DELETE', 'payments/:id', takesBack, says.remove, remove),
    { ...post, path: `${one}/${record}`, handle: ofAll, description: says.recordOnReservation },
    ofGuest({
      ...post,
      path: `${one}/stays/:stayId/${record}`,
      handle: ofStay,
      description: says.recordOnStay,
    }),
    {
      ...post,
      path: `${one}/stays/:stayId/actions/record-refund`,
      scope: takesBack,
      handle: (request) => recordOnStay(store, recordStayRefund, request),
      description: says.refund,
    },
  ]
}

async function recordOnStay(
  { writer }: Store,
  recorder: typeof recordStayPayment,
  request: Request,
): Promise<Answer> {
  const { reservationId = '', stayId = '' } = request.params
  const input = { reservationId, stayId, ...(await readPayment(request)) }
  return answer(await writer.execute(recorder, input, writeOptions(request)), input, request)
}

async function recordOnReservation({ reader, writer }: Store, request: Request): Promise<Answer> {
  const { reservationId = '' } = request.params
  expectSomeGuest(reader, request.caller, reservationId.toLowerCase())
  const input = { reservationId, ...(await readPayment(request)) }
  return answer(await writer.execute(recordReservationPayment, input, writeOptions(request)), input, request)
}

/** Voided payments are listed only when a filter names `voided` or `voidedAt`. */
function listPayments(store: Store, request: Request): Promise<Answer> {
  const asked = readQuery(store.resources, payment, request.query)
  const isAsked = asked.query.filters.some(({ path }) => path === 'voided' || path === 'voidedAt')
  return listAnswer(store, payment, isAsked ? asked : narrowed(asked, 'voided', 0), request)
}

async function removePayment({ writer }: Store, request: Request): Promise<Answer> {
  const input = { id: request.params.id ?? '', revision: expectedRevision(request) }
  return noContent((await writer.execute(voidPayment, input, writeOptions(request))).revision)
}

async function readPayment(request: Request) {
  const attributes = (await body.create(await request.body())) as PaymentInput
  for (const name of ['customerReceipt', 'merchantReceipt'] as const) {
    const receipt = attributes[name]
    if (receipt) checkReceipt(receipt, `/${name}`)
  }
  refuseCardNumbers(attributes)
  return { payment: attributes, revision: expectedRevision(request) }
}

function answer(
  { document, outstanding, currency }: Recorded,
  input: { payment: PaymentInput },
  { caller }: Request,
): Answer {
  const names = openedTo(caller, payment) as readonly (keyof PaymentInput)[]
  const opened = Object.fromEntries(names.map((name) => [name, input.payment[name] ?? null]))
  return created(payment, withAttributes(document, opened), { outstanding, currency })
}

/**
 * Adds the attributes that need a scope. The answer of a command contains only the attributes that every caller can
 * read.
 */
function withAttributes(document: Document, more: Record<string, unknown>): Document {
  if (Object.keys(more).length === 0) return document
  const shown = JSON.parse(document.text) as { attributes: Record<string, unknown> }
  Object.assign(shown.attributes, more)
  return { ...document, text: JSON.stringify(shown) }
}

const recordedMeta = exactly({ outstanding: { type: 'integer' }, currency: { type: 'string' } })

const refusals = [
  'revision-mismatch',
  'payment-due-unknown',
  'payment-currency-mismatch',
  'payment-duplicate',
  'receipt-contains-pan',
] as const

const says = {
  list: {
    summary: 'List payments and refunds',
    notes:
      'A refund has the kind Refund. Voided payments are listed only with a filter on voided or voidedAt.',
    answers: { 200: { list: payment } },
  },
  remove: {
    id: 'voidPayment',
    summary: 'Void a payment or a refund',
    notes:
      'It is kept; voidedAt holds the time. What is already voided is not changed. A payment that a refund names is voided after the refund.',
    answers: { 204: {} },
    problems: ['payment-refunded'],
  },
  recordOnReservation: {
    id: 'recordReservationPayment',
    summary: 'Record the payment of the whole outstanding balance of a reservation',
    body: { of: payment },
    answers: { 201: { one: payment, meta: recordedMeta } },
    problems: ['payment-amount-mismatch', 'payment-under-way', 'kiosk-scope', ...refusals],
  },
  recordOnStay: {
    id: 'recordStayPayment',
    summary: 'Record a payment of a stay, in part or in full',
    notes: `While a payment of the stay is open at a terminal, at most the rest of what is outstanding is recorded (409 \`payment-under-way\`), so that
the guest does not pay twice. A payment with a terminalTransactionId is recorded: a terminal has charged it already.`,
    body: { of: payment },
    answers: { 201: { one: payment, meta: recordedMeta } },
    problems: ['payment-exceeds-outstanding', 'payment-under-way', ...refusals],
  },
  refund: {
    id: 'recordStayRefund',
    summary: 'Record that a guest has got money back: what was paid too much for a stay, or a payment',
    notes: `The amount is positive, and at most what \`outstanding\` of the stay is below zero. With \`refundOf\`, the id of a payment of
the reservation, and a \`reason\`, it is at most what is left of that payment, less its refunds, and the stay owes it again.
The payment that is recorded has the kind Refund. The appliance moves no money, and sends the refund to no PMS. A repeat with the same Idempotency-Key or the same
terminalTransactionId records nothing.`,
    body: { of: payment },
    answers: { 201: { one: payment, meta: recordedMeta } },
    problems: ['refund-exceeds-surplus', 'refund-exceeds-payment', ...refusals],
  },
} satisfies Record<string, Description>
