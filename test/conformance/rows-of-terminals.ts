import assert from 'node:assert/strict'
import type { HouseWithPms } from '../pms/adapters/scripted-adapter.ts'
import { booked, nobody } from './facts.ts'
import type { Facts, Row } from './row.ts'
import { listRows, readRows } from './rows-of-lists.ts'

const pay = 'POST /stays/{stayId}/actions/pay-at-terminal'
const cancel = 'POST /stays/{stayId}/actions/cancel-terminal-payment'
const last = 'GET /stays/{stayId}/terminal-payment'
const settle = 'POST /stays/{stayId}/actions/settle-terminal-payment'

/** A guest who has not paid. */
async function owing(house: HouseWithPms): Promise<Facts> {
  return { stayId: (await booked(house)).id }
}

/** A payment over the terminal of the house. */
async function paid(house: HouseWithPms): Promise<Facts> {
  const { stayId } = await owing(house)
  const { status, text } = await house.ask('POST', `/api/v2/stays/${stayId}/actions/pay-at-terminal`)
  assert.equal(status, 201, text)
  const { body } = await house.ask('GET', `/api/v2/terminal-payments?filter[stayId]=${stayId}`)
  return { stayId: stayId!, terminalPaymentId: body.data[0].id }
}

/** The terminal does not say what became of a payment: when it is asked four times, and when it shall cancel. */
const silent = Array.from({ length: 5 }, () => ({ at: '*', does: 'silence' as const }))

const said = { terminalPaymentId: '{terminalPaymentId}', charged: true, reason: 'The guest has the receipt.' }

/** What guests pay at a terminal. */
export const terminalRows: Row[] = [
  {
    of: pay,
    status: 201,
    given: owing,
    as: 'kiosk',
    also: ({ body }) => assert.equal(body.meta.outstanding, 0),
  },
  { of: pay, status: 400, body: '{', code: 'malformed-json' },
  { of: pay, status: 404, given: async () => ({ stayId: nobody }), code: 'not-found' },
  { of: pay, status: 409, given: owing, body: { terminalId: nobody }, code: 'terminal-missing' },
  { of: pay, status: 422, given: paid, code: 'payment-exceeds-outstanding' },
  { of: pay, status: 422, given: owing, body: { language: 'German' }, code: 'validation-failed' },
  { of: pay, status: 500, in: 'ruins', code: 'internal', given: async () => ({}) },
  {
    of: pay,
    status: 502,
    code: 'payment-outcome-unknown',
    given: async (house) => {
      house.lobby.terminal.misbehaviours.push({ at: 'pay', does: 'close' })
      return owing(house)
    },
  },
  {
    of: cancel,
    status: 200,
    given: paid,
    as: 'kiosk',
    also: ({ body }) => assert.equal(body.data.attributes.state, 'paid'),
  },
  { of: cancel, status: 400, query: 'dryRun=true', given: paid, code: 'unknown-parameter' },
  { of: cancel, status: 404, given: owing, code: 'not-found' },
  {
    of: cancel,
    status: 409,
    cannot: 'the guest pays at once; test/terminal/cancel-payment.real.test.ts has a guest who waits',
    code: 'terminal-busy',
  },
  { of: cancel, status: 500, in: 'ruins', code: 'internal', given: async () => ({}) },
  {
    of: cancel,
    status: 502,
    code: 'payment-outcome-unknown',
    given: async (house) => {
      const facts = await owing(house)
      house.lobby.terminal.misbehaviours.push({ at: 'pay', does: 'late' }, ...silent)
      await house.ask('POST', `/api/v2/stays/${facts.stayId}/actions/pay-at-terminal`)
      return facts
    },
  },
  {
    of: last,
    status: 200,
    given: paid,
    as: 'kiosk',
    also: ({ body }) => assert.equal(body.data.attributes.state, 'paid'),
  },
  { of: last, status: 400, query: 'include=stay', given: paid, code: 'unknown-parameter' },
  { of: last, status: 404, given: owing, code: 'not-found' },
  { of: last, status: 500, in: 'ruins', code: 'internal', given: async () => ({}) },
  {
    of: settle,
    status: 200,
    given: paid,
    as: 'frontdesk',
    body: said,
    also: ({ body }) => assert.equal(body.data.attributes.state, 'paid'),
  },
  { of: settle, status: 400, body: '{', code: 'malformed-json' },
  { of: settle, status: 404, given: owing, body: said, code: 'not-found' },
  { of: settle, status: 409, given: paid, body: { ...said, charged: false }, code: 'payment-settled' },
  {
    of: settle,
    status: 409,
    cannot: 'the guest pays at once; test/terminal/by-hand.test.ts has a guest who waits',
    code: 'terminal-busy',
  },
  { of: settle, status: 422, given: paid, body: { ...said, reason: '-' }, code: 'validation-failed' },
  { of: settle, status: 500, in: 'ruins', body: said, code: 'internal', given: async () => ({}) },
  ...listRows('GET /terminal-payments'),
  ...readRows('GET /terminal-payments/{terminalPaymentId}').map((row) =>
    row.status === 200 ? { ...row, given: paid } : row,
  ),
]
