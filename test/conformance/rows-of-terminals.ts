import assert from 'node:assert/strict'
import type { HouseWithPms } from '../pms/adapters/scripted-adapter.ts'
import { booked, nobody } from './facts.ts'
import type { Facts, Row } from './row.ts'
import { listRows, readRows } from './rows-of-lists.ts'

const pay = 'POST /stays/{stayId}/actions/pay-at-terminal'

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
    code: 'terminal-offline',
    given: async (house) => {
      house.lobby.terminal.misbehaviours.push({ at: 'pay', does: 'close' })
      return owing(house)
    },
  },
  ...listRows('GET /terminal-payments'),
  ...readRows('GET /terminal-payments/{terminalPaymentId}').map((row) =>
    row.status === 200 ? { ...row, given: paid } : row,
  ),
]
