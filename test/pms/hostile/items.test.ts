import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { reservationChanged } from '../../../src/pms/adapters/cloudevents/messages/message-examples.ts'
import { serveHttp } from '../../../src/simulators/cloudevents/http-server.ts'
import fc from '../../seed.ts'
import { aReservation } from '../adapters/adapter-contract.ts'
import {
  expectHealing,
  type HostileHouse,
  type HostileWire,
  hostileWire,
  openHostileHouse,
} from './hostile-house.ts'

let house: HostileHouse
let wire: HostileWire
const closing: (() => Promise<void>)[] = []
before(async () => {
  house = await openHostileHouse(async (pms, { clock }) => {
    const server = await serveHttp(pms, { port: 0, clock })
    wire = await hostileWire(server.baseUrl)
    closing.push(wire.close, server.close)
    return { transport: 'http', connection: { baseUrl: wire.baseUrl } }
  }, 40)
})
after(async () => {
  await house.stop()
  for (const close of closing) await close()
})

type Value = Record<string, unknown>

/** A message of a reservation of the PMS, with other members of its data, of the reservation and of its stay. */
function change(externalId: unknown, data: Value = {}, reservation: Value = {}, stay: Value = {}): Value {
  const value = aReservation('hostile')
  const stays = [{ ...value.stays[0], ...stay }]
  return {
    ...reservationChanged,
    data: {
      externalId,
      revision: 1,
      changedAt: null,
      reservation: { ...value, stays, ...reservation },
      ...data,
    },
  }
}

/** Every page has these messages behind those of the PMS. */
function pagesWith(items: unknown[]) {
  wire.hostile = (response, { after }) => {
    const page = house.pms.book.changesAfter(after, 500)
    if (!page) return void response.writeHead(410).end()
    const text = JSON.stringify({ ...page, changes: [...page.changes, ...items] })
    response.writeHead(200).end(text.replaceAll(`"${huge}"`, huge))
  }
}

/** A number of JSON that is Infinity here. */
const huge = '1e999'

const named: [what: string, item: (externalId: string) => unknown[], kind?: string][] = [
  ['a number where a text belongs', (id) => [change(id, {}, { comment: 7 })]],
  ['a text where a number belongs', (id) => [change(id, {}, {}, { personCount: { adults: 'two' } })]],
  ['the date 2026-02-30', (id) => [change(id, {}, {}, { startDate: '2026-02-30' })]],
  [
    'a stay that ends before it starts',
    (id) => [change(id, {}, {}, { startDate: '2026-08-02', endDate: '2026-08-01' })],
    'Reservation',
  ],
  ['a reservation of 60,000 stays', (id) => [change(id, {}, { stays: Array(60_000).fill({}) })]],
  [
    'a unit type of another property',
    (id) => [change(id, {}, {}, { units: [{ unitTypeCode: 'ELSEWHERE', unitName: null }] })],
    'Reservation',
  ],
  ['an unknown status', (id) => [change(id, {}, {}, { status: 'Levitating' })]],
  ['the same message three times', (id) => Array(3).fill(change(id, {}, { comment: 7 }))],
  ['a revision that is a fraction', (id) => [change(id, { revision: 0.5 })]],
  ['a revision without end', (id) => [change(id, { revision: huge })]],
  ['persons without end', (id) => [change(id, {}, {}, { personCount: { adults: huge } })]],
  ['a time of change that no calendar has', (id) => [change(id, { changedAt: '99999-01-01T00:00:00Z' })]],
]

/** The house cannot know which reservation is meant, so they wait for a person. */
const nameless: [what: string, item: unknown][] = [
  ['null', null],
  ['a text', 'R-1'],
  ['a list of lists', [[[]]]],
  ['a message without data', { ...reservationChanged, data: undefined }],
  ['a number as id', change(4711)],
  ['an id of 200 characters', change('x'.repeat(200))],
  ['a type that is no change', { ...reservationChanged, type: 'pms.folio.changed' }],
]

let next = 0

describe('A PMS that sends in each page', () => {
  for (const [what, items, kind = 'Unreadable'] of named) {
    it(`${what} stops nothing else, is named by the status, and heals with the next right message`, async () => {
      const externalId = `HOSTILE-${++next}`
      await expectHealing(
        house,
        what,
        { says: /could not be processed: 1/, quarantined: { kind }, arrives: true },
        {
          begin: () => pagesWith(items(externalId)),
          end() {
            wire.hostile = null
            house.pms.book.put(externalId, aReservation(`right ${externalId}`))
          },
        },
      )
    })
  }

  for (const [what, item] of nameless) {
    it(`${what} stops nothing else, and is kept once for a person`, async () => {
      await expectHealing(
        house,
        what,
        { says: /could not be processed: 1/, quarantined: { kind: 'Unreadable' }, arrives: true },
        { begin: () => pagesWith([item]), end: clean },
      )
    })
  }

  /** As a person does. */
  async function clean(): Promise<void> {
    wire.hostile = null
    for (const { id } of await house.quarantined())
      assert.equal((await house.ask('DELETE', `/api/config/v1/quarantined-messages/${id}`)).status, 204)
  }

  it('changes of a clock that is ahead by years has them, and those of the right clock after them', async () => {
    const ahead = { changedAt: '2199-12-31T23:59:59Z' }
    pagesWith([change('AHEAD', ahead, { comment: 'ahead' })])
    await house.ask('POST', `${house.configuration}/actions/pull`)
    pagesWith([change('AHEAD', { revision: 2, changedAt: '2026-06-01T12:00:00Z' }, { comment: 'right' })])
    await house.ask('POST', `${house.configuration}/actions/pull`)
    assert.equal((await house.ask('GET', '/api/v2/reservations?filter[comment]=right')).body.data.length, 1)
    await clean()
  })

  it('a reservation twice has it once', async () => {
    const item = change('TWICE', {}, { comment: 'twice' })
    pagesWith([])
    await house.ask('POST', `${house.configuration}/actions/pull`)
    pagesWith([item, item, { ...item, data: { ...(item.data as Value), revision: 0 } }])
    const { body } = await house.ask('POST', `${house.configuration}/actions/pull`)
    assert.deepEqual([body.meta.counts.applied, body.meta.counts.quarantined], [1, 0])
    assert.equal((await house.ask('GET', '/api/v2/reservations?filter[comment]=twice')).body.data.length, 1)
    await clean()
  })

  it('texts of any characters, or members of any value, keeps them or quarantines that message alone', async () => {
    const texts = fc.sample(fc.string({ unit: 'binary', minLength: 1, maxLength: 50 }), 10)
    const values = fc.sample(fc.jsonValue(), 10)
    const items = [
      ...['a\u0000b', '\ud800', 'a\udfff', '\u202e\u0007', ...texts].map((comment, at) =>
        change(`T-${at}`, {}, { comment }),
      ),
      ...values.map((stays, at) => change(`V-${at}`, {}, { stays })),
    ]
    pagesWith(items)
    const { body, text } = await house.ask('POST', `${house.configuration}/actions/pull`)
    assert.equal(body.meta?.counts.received, items.length, text)
    for (const { attributes } of await house.quarantined())
      assert.ok(String(attributes.payload).isWellFormed() && String(attributes.reason).length > 10)
    await clean()
  })
})
