import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { guestFound } from '../../guest-found.ts'
import { openHouse, type ReservationHouse, refused } from './house.ts'
import { cash, euros, paidInFull, partlyPaid, party, pay, priced, record } from './paid-stays.ts'
import { type Scenario, scenarios } from './scenario.ts'

const unknown = '0197c0de-0000-7000-8000-000000000000'

/** Two stays; 10.00 in cash on the first, 20.00 by card on the second, 5.00 on the first taken back, the rest at once. */
async function booked(house: ReservationHouse) {
  const made = await party(house, [euros(50), euros(60)])
  const id = (path: string) => path.split('/').at(-1)
  await pay(house, made.first, cash(1_000))
  await pay(house, made.second, cash(2_000, { brand: 'Visa' }))
  const { payment } = await pay(house, made.first, cash(500))
  assert.equal((await house.ask('DELETE', payment)).status, 204)
  await pay(house, made.reservation, cash(8_000, { brand: 'Twint' }))
  return { ...made, id: id(made.reservation), firstId: id(made.first), voided: payment }
}

const list = (name: string, query: string, amounts: number[]): Scenario => ({
  name,
  given: booked,
  request: ['GET', `/api/v2/payments?filter[reservationId]={id}&${query}`],
  status: 200,
  lists: amounts.map((amount) => ({ amount })),
})

scenarios('GET /payments', [
  list(
    'lists the payments of a reservation, the first first, without those that were voided',
    '',
    [1_000, 2_000, 8_000],
  ),
  list('of a stay', 'filter[stayId]={firstId}', [1_000]),
  list(
    'of a stay, with its share of what was paid for all',
    'filter[allotments.stayId]={firstId}',
    [1_000, 8_000],
  ),
  list('that were voided', 'filter[voided]=true', [500]),
  list('that were not', 'filter[voided]=false', [1_000, 2_000, 8_000]),
  list('that were voided since', 'filter[voidedAt][gte]=2026-06-01T00:00:00Z', [500]),
  list('of a brand', 'filter[brand]=Visa', [2_000]),
  list('of a currency', 'filter[currency]=CHF', []),
  list('from an amount to another', 'filter[amount][gte]=1000&filter[amount][lte]=2000', [1_000, 2_000]),
  list(
    'of a day',
    'filter[createdAt][gte]=2026-06-01T00:00:00Z&filter[createdAt][lt]=2026-06-02T00:00:00Z',
    [1_000, 2_000, 8_000],
  ),
  list('of another day', 'filter[createdAt][gte]=2026-06-02T00:00:00Z', []),
  list('of what they were for', 'filter[stay.outstanding]=0', [1_000, 2_000]),
  list('by amount', 'sort=-amount', [8_000, 2_000, 1_000]),
  list('by moment', 'sort=-createdAt,-amount', [8_000, 2_000, 1_000]),
  list('in pages', 'page[size]=2', [1_000, 2_000]),
  {
    name: 'lists nothing for a reservation that is not there',
    request: ['GET', `/api/v2/payments?filter[reservationId]=${unknown}`],
    status: 200,
    lists: [],
  },
  {
    name: 'lists all without a filter',
    given: booked,
    request: ['GET', '/api/v2/payments?page[size]=100&filter[amount]=2000&fields[payment]=brand'],
    status: 200,
    header: ['content-type', /json/],
  },
  {
    name: 'brings along what they are for',
    given: partlyPaid,
    request: ['GET', '/api/v2/payments?filter[stayId]={id}&include=stay&fields[stay]=outstanding'],
    status: 200,
    lists: [{ amount: 900 }],
    includes: [{ type: 'stay', id: '{id}' }],
  },
  {
    name: '400 for an id that is none',
    request: ['GET', '/api/v2/payments?filter[stayId]=1'],
    status: 400,
    error: { code: 'invalid-filter-value' },
  },
  {
    name: '400 for a filter on what a receipt says',
    request: ['GET', '/api/v2/payments?filter[customerReceipt][like]=VISA'],
    status: 400,
    error: { code: 'invalid-filter-field' },
  },
])

scenarios('One payment', [
  {
    name: 'GET: 200 with what it is for, and its revision',
    given: partlyPaid,
    request: ['GET', '{payment}'],
    status: 200,
    holds: { stayId: '{id}', amount: 900, voided: false },
    header: ['etag', /^"1"$/],
  },
  {
    name: 'GET: 404 for one that is not there',
    request: ['GET', `/api/v2/payments/${unknown}`],
    status: 404,
    error: { code: 'not-found' },
  },
  {
    name: 'DELETE: 204, and it is kept with the moment',
    given: partlyPaid,
    request: ['DELETE', '{payment}'],
    status: 204,
    header: ['etag', /^"2"$/],
    afterwards: '{payment}',
    holds: { voided: true, voidedAt: '2026-06-01T16:00:00.000Z', amount: 900 },
  },
  {
    name: 'DELETE: what it has paid is outstanding again, on the stay',
    given: partlyPaid,
    request: ['DELETE', '{payment}'],
    status: 204,
    afterwards: '{path}',
    holds: { paid: 0, outstanding: 10_900 },
  },
  {
    name: 'DELETE: and on the reservation',
    given: paidInFull,
    request: ['DELETE', '{payment}'],
    status: 204,
    afterwards: '{reservation}',
    holds: { paid: 0, outstanding: 10_900 },
  },
  {
    name: 'DELETE: 204 once more, and nothing is changed',
    given: async (house) => {
      const made = await partlyPaid(house)
      await house.ask('DELETE', made.payment)
      return made
    },
    request: ['DELETE', '{payment}'],
    status: 204,
    header: ['etag', /^"2"$/],
  },
  {
    name: 'DELETE: 412 when it was voided since it was read',
    given: async (house) => {
      const made = await partlyPaid(house)
      await house.ask('DELETE', made.payment)
      return made
    },
    request: ['DELETE', '{payment}'],
    headers: { 'If-Match': '"1"' },
    status: 412,
    error: { code: 'revision-mismatch' },
  },
  {
    name: 'DELETE: 404 for one that is not there',
    request: ['DELETE', `/api/v2/payments/${unknown}`],
    status: 404,
    error: { code: 'not-found' },
  },
  {
    name: 'PUT: 405, a payment does not change',
    given: partlyPaid,
    request: ['PUT', '{payment}', cash(1)],
    status: 405,
    error: { code: 'method-not-allowed' },
  },
])

const may = (name: string, role: string, request: Scenario['request'], status: number): Scenario => ({
  name: `${status} for the ${role} that asks to ${name}`,
  given: async (house) => {
    const paid = await partlyPaid(house)
    const token = await house.tokenOf(role)
    if (role === 'kiosk') await guestFound(house.ask, token, paid.path.split('/').at(-1)!)
    return { ...paid, [role]: token }
  },
  as: role,
  request,
  status,
})

scenarios('Who may', [
  may('pay for a stay', 'kiosk', ['POST', `{path}/${record}`, cash(1)], 201),
  may('pay for a reservation', 'kiosk', ['POST', `{reservation}/${record}`, cash(10_000)], 201),
  may('read a payment', 'kiosk', ['GET', '{payment}'], 403),
  may('look through payments', 'kiosk', ['GET', '/api/v2/payments'], 403),
  may('take a payment back', 'kiosk', ['DELETE', '{payment}'], 403),
  may('read a payment', 'frontdesk', ['GET', '{payment}'], 200),
  may('take a payment back', 'frontdesk', ['DELETE', '{payment}'], 204),
  may('read a payment', 'integrator', ['GET', '{payment}'], 200),
  may('take a payment back', 'integrator', ['DELETE', '{payment}'], 403),
  may('pay for a stay', 'housekeeping', ['POST', `{path}/${record}`, cash(1)], 403),
])

describe('The merchant’s copy of a receipt', () => {
  let house: ReservationHouse
  before(async () => {
    house = await openHouse()
  })
  after(() => house.stop())

  const copy = 'MERCHANT COPY signed M. Visitor'

  it('is shown to who holds its scope, and nowhere to anybody else', async () => {
    const recorder = await house.tokenOf('frontdesk')
    const { path, reservation } = await priced(house)
    const body = cash(900, { customerReceipt: 'yours', merchantReceipt: copy })
    const headers = { 'Idempotency-Key': 'copy-1' }
    const ask = () => house.ask('POST', `${path}/${record}`, { body, headers, token: recorder })
    const made = await ask()
    assert.equal(made.status, 201, made.text)
    const payment = `/api/v2/payments/${made.body.data.id}`
    const seen = [made, await ask()]
    const paths = [
      payment,
      `${payment}?include=stay,reservation,allotments`,
      `${payment}?fields[payment]=customerReceipt`,
      '/api/v2/payments?include=stay,reservation',
      `${reservation}?include=stays`,
      path,
    ]
    for (const each of paths) seen.push(await house.ask('GET', each, { token: recorder }))
    for (const { status, text } of seen) {
      assert.ok(status === 200 || status === 201, text)
      assert.doesNotMatch(text, /MERCHANT|merchantReceipt/)
    }
    const whole = await house.tokenOf('frontdesk', ['payments.read-merchant'])
    for (const each of [payment, `${payment}?fields[payment]=merchantReceipt`]) {
      const { body: read } = await house.ask('GET', each, { token: whole })
      assert.equal(read.data.attributes.merchantReceipt, copy)
    }
    const { body: page } = await house.ask('GET', '/api/v2/payments', { token: whole })
    const listed = page.data.find(({ id }: { id: string }) => id === made.body.data.id)
    assert.equal(listed.attributes.merchantReceipt, copy)
    for (const query of ['?dryRun=true', '']) {
      const other = cash(100, { merchantReceipt: copy })
      const recorded = await house.ask('POST', `${path}/${record}${query}`, { body: other, token: whole })
      assert.equal(recorded.body.data.attributes.merchantReceipt, copy, recorded.text)
    }
    for (let time = 0; time < 4; time++) {
      for (const each of [payment, '/api/v2/payments']) {
        assert.match((await house.ask('GET', each, { token: whole })).text, /MERCHANT/)
        const again = await house.ask('GET', each, { token: recorder })
        assert.doesNotMatch(again.text, /MERCHANT/, 'a kept text is of the reader it was made for')
      }
    }
  })

  it('403 for who asks for it by name and lacks the scope', async () => {
    const token = await house.tokenOf('frontdesk')
    const { payment } = await partlyPaid(house, { merchantReceipt: copy })
    for (const path of [payment, '/api/v2/payments']) {
      const reply = await house.ask('GET', `${path}?fields[payment]=merchantReceipt`, { token })
      refused(reply, 403, 'scope-required', undefined, { scope: 'payments.read-merchant' })
    }
  })

  it('is neither filtered nor sorted by', async () => {
    for (const query of [
      'filter[merchantReceipt][notnull]=1',
      'filter[merchantReceipt]=x',
      'sort=merchantReceipt',
    ])
      assert.equal((await house.ask('GET', `/api/v2/payments?${query}`)).status, 400, query)
  })

  it('is in no event and in no answer that is kept', async () => {
    const { path } = await priced(house)
    const headers = { 'Idempotency-Key': 'copy-2' }
    const body = cash(900, { merchantReceipt: copy, customerReceipt: 'CUSTOMER COPY' })
    const made = await house.ask('POST', `${path}/${record}`, { body, headers })
    const subject = `payments/${made.body.data.id}`
    await house.ask('DELETE', `/api/v2/${subject}`)
    const db = new Database(join(house.data, 'nightporter.db'), { readonly: true })
    const lines = db
      .prepare('SELECT type, data FROM journal WHERE subject = ? ORDER BY sequence')
      .all(subject)
    const texts = db.prepare('SELECT data FROM journal').pluck().all().join()
    const answers = db.prepare('SELECT output FROM idempotency').pluck().all().join()
    db.close()
    assert.deepEqual(lines, [
      { type: 'payment.recorded', data: '{"revision":1}' },
      { type: 'payment.voided', data: '{"revision":2,"changed":["voidedAt"]}' },
    ])
    assert.doesNotMatch(texts, /COPY/)
    assert.doesNotMatch(answers, /MERCHANT/)
  })
})

describe('A card number that was refused', () => {
  it('is told in no answer', async (test) => {
    const house = await openHouse()
    test.after(() => house.stop())
    const { path } = await priced(house)
    const pan = '4111111111111111'
    const bodies = [
      cash(1, { customerReceipt: pan }),
      cash(1, { terminalTransactionId: pan }),
      cash(1, { brand: pan }),
      cash(1, { currency: pan }),
      cash(1, { amount: pan }),
      cash(1, { [pan]: 1 }),
      cash(1, { customerReceipt: { '4111-1111 1111 1111': 1 } }),
      cash(1, { brandText: `${pan}${'x'.repeat(60)}` }),
      cash(1, { customerReceipt: { format: pan, encoding: pan, content: pan, issuedAt: pan } }),
      `{"currency": ${pan}`,
    ]
    for (const body of bodies) {
      const { status, text } = await house.ask('POST', `${path}/${record}`, { body })
      assert.ok(status === 422 || status === 400, text)
      // Four digits may be part of an id.
      assert.doesNotMatch(text, /4111[- ]?1111/)
    }
  })
})

describe('Payments at the same moment', () => {
  let house: ReservationHouse
  before(async () => {
    house = await openHouse()
  })
  after(() => house.stop())

  const paidBy = (replies: { status: number; body: { data: { attributes: { amount: number } } } }[]) =>
    replies
      .filter(({ status }) => status === 201)
      .reduce((total, { body }) => total + body.data.attributes.amount, 0)

  it('never come to more than what is outstanding, and every one that was answered counts', async () => {
    const { reservation, first, second } = await party(house, [euros(50), euros(60)])
    const ways = [first, second, reservation, first]
    const amounts = [700, 1_100, 11_000, 900]
    const asked = Array.from({ length: 20 }, (_, index) =>
      house.ask('POST', `${ways[index % 4]}/${record}`, { body: cash(amounts[index % 4]!) }),
    )
    const replies = await Promise.all(asked)
    const { due, paid, outstanding, stays } = await house.attributes(reservation)
    assert.equal(paid, paidBy(replies))
    assert.equal(outstanding, due - paid)
    assert.ok(paid > 0 && outstanding >= 0)
    for (const stay of stays) assert.ok(stay.outstanding >= 0 && stay.paid + stay.outstanding === stay.due)
    for (const { status, text } of replies) assert.ok(status === 201 || status === 422, text)
  })

  it('under one Idempotency-Key are one payment', async () => {
    const { path } = await priced(house)
    const headers = { 'Idempotency-Key': 'once' }
    const asked = Array.from({ length: 10 }, () =>
      house.ask('POST', `${path}/${record}`, { body: cash(900), headers }),
    )
    for (const { status, text } of await Promise.all(asked)) assert.ok(status === 201 || status === 409, text)
    const last = await house.ask('POST', `${path}/${record}`, { body: cash(900), headers })
    assert.equal(last.status, 201)
    assert.equal(last.headers.get('idempotency-replayed'), 'true')
    assert.equal((await house.attributes(path)).paid, 900)
    const other = await house.ask('POST', `${path}/${record}`, { body: cash(901), headers })
    refused(other, 422, 'idempotency-key-reused')
  })
})
