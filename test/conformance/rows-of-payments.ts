import assert from 'node:assert/strict'
import { bodies, booked, nobody, overpaid, refundedPayment } from './facts.ts'
import type { Row } from './row.ts'
import { listRows, readRows } from './rows-of-lists.ts'

const onStay = 'POST /reservations/{reservationId}/stays/{stayId}/actions/record-payment'
const onReservation = 'POST /reservations/{reservationId}/actions/record-payment'

const refund = 'POST /reservations/{reservationId}/stays/{stayId}/actions/record-refund'

const { payment } = bodies
const whole = { ...payment, amount: 5_000 }

/** What was taken for stays and reservations. */
export const paymentRows: Row[] = [
  {
    of: onStay,
    status: 201,
    body: payment,
    also: ({ body }) => assert.equal(typeof body.meta.outstanding, 'number'),
  },
  { of: onStay, status: 400, body: '{"amount"', code: 'malformed-json' },
  { of: onStay, status: 422, body: { ...payment, amount: 0.5 }, code: 'validation-failed' },
  { of: onStay, status: 422, body: { ...payment, amount: 999_999 }, code: 'payment-exceeds-outstanding' },
  { of: onStay, status: 500, in: 'ruins', body: payment, code: 'internal' },
  {
    of: onReservation,
    status: 201,
    body: whole,
    given: async (house) => ({ reservationId: (await booked(house)).reservationId }),
    also: ({ body }) => assert.equal(body.meta.outstanding, 0),
  },
  { of: onReservation, status: 400, body: '{"amount"', code: 'malformed-json' },
  { of: onReservation, status: 422, body: { ...whole, brand: 'Gold' }, code: 'validation-failed' },
  { of: onReservation, status: 422, body: { ...whole, amount: 1 }, code: 'payment-amount-mismatch' },
  { of: onReservation, status: 500, in: 'ruins', body: whole, code: 'internal' },

  {
    of: refund,
    status: 201,
    given: overpaid,
    body: payment,
    as: 'frontdesk',
    also: ({ body }) => {
      assert.deepEqual([body.data.attributes.kind, body.meta.outstanding], ['Refund', -900])
    },
  },
  { of: refund, status: 400, body: '{"amount"', code: 'malformed-json' },
  { of: refund, status: 404, given: async () => ({ stayId: nobody }), body: payment, code: 'not-found' },
  {
    of: refund,
    status: 409,
    given: async (house) => {
      const facts = await overpaid(house)
      const body = { ...payment, terminalTransactionId: 'R1' }
      await house.ask('POST', `${facts.path}/actions/record-refund`, { body })
      return facts
    },
    body: { ...payment, terminalTransactionId: 'R1' },
    code: 'payment-duplicate',
  },
  { of: refund, status: 422, given: overpaid, body: { ...payment, amount: 0 }, code: 'validation-failed' },
  { of: refund, status: 500, in: 'ruins', body: payment, code: 'internal' },

  ...listRows('GET /payments'),
  ...readRows('GET /payments/{paymentId}'),
  {
    of: 'DELETE /payments/{paymentId}',
    status: 204,
    given: async (house) => {
      const { path } = await booked(house)
      const { body } = await house.ask('POST', `${path}/actions/record-payment`, { body: payment })
      return { paymentId: body.data.id }
    },
  },
  {
    of: 'DELETE /payments/{paymentId}',
    status: 409,
    given: refundedPayment,
    code: 'payment-refunded',
  },
]
