import type { HouseWithPms } from '../pms/adapters/scripted-adapter.ts'
import { booked, nobody } from './facts.ts'
import type { Facts, Row } from './row.ts'
import { createRows, listRows, readRows } from './rows-of-lists.ts'

const make = 'POST /stays/{stayId}/actions/hand-over'
const release = 'POST /stays/{stayId}/actions/release'
const one = '/hand-overs/{handOverId}'
const body = { failure: 'dispenser-jam', step: 'card', language: 'de' }

/** A hand-over of a stay of its own. */
async function open(house: HouseWithPms): Promise<Facts> {
  const { id } = await booked(house)
  const { body } = await house.ask('POST', `/api/v2/stays/${id}/actions/hand-over`)
  return { handOverId: body.data.id }
}

async function ownStay(house: HouseWithPms): Promise<Facts> {
  return { stayId: (await booked(house)).id }
}

const call = '/help-calls/{helpCallId}'
const why = { failure: 'guest-asks', step: 'number', language: 'fr' }

async function called(house: HouseWithPms): Promise<Facts> {
  return { helpCallId: await house.make('help-calls', why) }
}

/** Stays that a kiosk hands over to the front desk. */
export const handOverRows: Row[] = [
  { of: make, status: 201, body, as: 'kiosk' },
  { of: make, status: 400, body: '{', code: 'malformed-json' },
  { of: make, status: 404, body, given: async () => ({ stayId: nobody }), code: 'not-found' },
  { of: make, status: 422, body: { ...body, step: 'Mr Lindström' }, code: 'validation-failed' },
  { of: make, status: 422, body: { ...body, language: 'xx' }, code: 'validation-failed' },
  {
    of: make,
    status: 429,
    cannot: 'the quota of searches is 30 a minute; test/reservation/api/hand-over.test.ts uses it up',
  },
  { of: make, status: 500, in: 'ruins', body, code: 'internal', given: async () => ({}) },
  { of: release, status: 200, isPlain: true, as: 'frontdesk', given: ownStay },
  { of: release, status: 404, given: async () => ({ stayId: nobody }), code: 'not-found' },
  {
    of: release,
    status: 409,
    async given(house) {
      const { id, path } = await booked(house)
      await house.ask('PATCH', path, { body: { status: 'Canceled' } })
      return { stayId: id }
    },
    code: 'stay-status-transition',
  },
  ...listRows('GET /hand-overs'),
  ...readRows(`GET ${one}`).map((row) =>
    row.status === 200 ? { ...row, given: open, as: 'frontdesk' } : row,
  ),
  { of: `DELETE ${one}`, status: 204, given: open, as: 'frontdesk' },
  { of: `DELETE ${one}`, status: 404, given: async () => ({ handOverId: nobody }), code: 'not-found' },
  ...listRows('GET /help-calls'),
  ...createRows('POST /help-calls', why, { step: 'Mr Lindström' }),
  ...readRows(`GET ${call}`).map((row) => (row.status === 200 ? { ...row, given: called } : row)),
  { of: `POST ${call}/actions/take`, status: 200, given: called, as: 'frontdesk' },
  {
    of: `POST ${call}/actions/take`,
    status: 404,
    given: async () => ({ helpCallId: nobody }),
    code: 'not-found',
  },
  {
    of: `POST ${call}/actions/take`,
    status: 412,
    given: called,
    headers: { 'If-Match': '"999"' },
    code: 'revision-mismatch',
  },
]
