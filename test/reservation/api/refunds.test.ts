import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import fc, { seed } from '../../seed.ts'
import { openHouse, type ReservationHouse, refused } from './house.ts'
import { cash, euros, openInHouse, party, pay, priced, product, record } from './paid-stays.ts'
import { inHouse } from './stay-samples.ts'

const refund = 'actions/record-refund'

let house: ReservationHouse
before(async () => {
  house = await openHouse()
})
after(() => house.stop())

const money = async (path: string) => {
  const { due, paid, outstanding } = await house.attributes(path)
  return [due, paid, outstanding]
}

/** A guest in house who has paid 109.00 EUR, of which `surplus` cents are too much by now. */
async function overpaid(surplus: number) {
  const made = await openInHouse(house)
  const paid = await pay(house, made.path, cash(10_900, { terminalTransactionId: 'T-1' }))
  await house.ask('PATCH', made.path, { body: { amount: euros((10_900 - surplus) / 100) } })
  return { ...made, ...paid }
}

const give = (path: string, body: object, headers: Record<string, string> = {}) =>
  house.ask('POST', `${path}/${refund}`, { body, headers })

/** What is given back of 100 parts of a surplus, one after the other. */
const parts = fc.array(fc.integer({ min: 1, max: 20 }), { minLength: 2, maxLength: 5 })
const drawn = fc.sample(fc.record({ surplus: fc.integer({ min: 200, max: 10_900 }), parts }), {
  numRuns: 2,
  seed,
})

describe('A refund', () => {
  for (const { surplus, parts: given } of [
    { surplus: 10_000, parts: [100] },
    { surplus: 10_000, parts: [50, 50] },
    { surplus: 10_900, parts: [100] },
    { surplus: 100, parts: [1, 99] },
    ...drawn,
  ]) {
    it(`of ${given} % of ${surplus} lowers what is paid, and no more than that is taken`, async () => {
      const { path, reservation } = await overpaid(surplus)
      const due = 10_900 - surplus
      let left = surplus
      for (const part of given) {
        const amount = Math.floor((surplus * part) / 100)
        const made = await give(path, cash(amount, { brand: 'Visa' }))
        assert.equal(made.status, 201, made.text)
        left -= amount
        assert.deepEqual(made.body.meta, { outstanding: left === 0 ? 0 : -left, currency: 'EUR' })
        const { kind, amount: shown, brand, stayId } = made.body.data.attributes
        assert.deepEqual([kind, shown, brand, path.endsWith(stayId)], ['Refund', amount, 'Visa', true])
        for (const each of [path, reservation])
          assert.deepEqual(await money(each), [due, due + left, left === 0 ? 0 : -left])
      }
      const more = await give(path, cash(left + 1))
      refused(more, 422, 'refund-exceeds-surplus', '/data/attributes/amount', {
        outstanding: left === 0 ? 0 : -left,
        currency: 'EUR',
      })
      const checkedOut = await house.ask('PATCH', path, { body: { status: 'CheckedOut' } })
      assert.equal(checkedOut.status, 204, checkedOut.text)
    })
  }

  it('is listed with the payments, and found by its kind', async () => {
    const { path, id, paymentId } = await overpaid(900)
    const { body } = await give(path, cash(900))
    const listed = async (query: string) => {
      const list = await house.ask('GET', `/api/v2/payments?filter[stayId]=${id}${query}`)
      return list.body.data.map((each: { id: string; attributes: { kind: string } }) => [
        each.id,
        each.attributes.kind,
      ])
    }
    const [paid, back] = [
      [paymentId, 'Payment'],
      [body.data.id, 'Refund'],
    ]
    assert.deepEqual(await listed('&sort=createdAt'), [paid, back])
    assert.deepEqual(await listed('&filter[kind]=Refund'), [back])
    assert.deepEqual(await listed('&filter[kind]=Payment'), [paid])
  })

  it('is recorded after the check-out too', async () => {
    const { path } = await overpaid(900)
    await house.ask('PATCH', path, { body: { status: 'CheckedOut' } })
    assert.equal((await give(path, cash(400))).status, 201)
    assert.deepEqual(await money(path), [10_000, 10_500, -500])
  })

  for (const [what, body, code] of [
    ['nothing', cash(0), 'validation-failed'],
    ['less than nothing', cash(-900), 'validation-failed'],
    ['another currency', cash(900, { currency: 'CHF' }), 'payment-currency-mismatch'],
    ['an unknown brand', cash(900, { brand: 'Gold' }), 'validation-failed'],
    ['a whole card number', cash(900, { customerReceipt: '4111111111111111' }), 'receipt-contains-pan'],
  ] as const) {
    it(`of ${what} is refused`, async () => {
      const { path } = await overpaid(900)
      refused(await give(path, body), 422, code)
      assert.deepEqual(await money(path), [10_000, 10_900, -900])
    })
  }

  it('is refused where nothing is paid too much, or the price is not known', async () => {
    const { path } = await priced(house)
    refused(await give(path, cash(1)), 422, 'refund-exceeds-surplus')
    const dollars = product(12, 10, { code: 'USD-R', currencyCode: 'USD' })
    const services = [{ serviceId: await house.make('services', dollars) }]
    await house.ask('PATCH', path, { body: { services } })
    refused(await give(path, cash(1)), 422, 'payment-due-unknown')
  })

  it('is no payment: what is to be given back cannot be paid', async () => {
    const { path } = await overpaid(900)
    const body = cash(900, { kind: 'Refund' })
    refused(await house.ask('POST', `${path}/${record}`, { body }), 422, 'payment-exceeds-outstanding')
  })

  it('needs the right to void payments, which a kiosk does not have', async () => {
    const { path } = await overpaid(900)
    for (const role of ['kiosk', 'housekeeping', 'integrator']) {
      const token = await house.tokenOf(role)
      const reply = await house.ask('POST', `${path}/${refund}`, { body: cash(900), token })
      assert.equal(reply.status, 403, role)
    }
    const token = await house.tokenOf('frontdesk')
    const made = await house.ask('POST', `${path}/${refund}`, { body: cash(900), token })
    assert.equal(made.status, 201, made.text)
  })
})

/** Whatever makes a paid stay cheaper: a change of the stay, by the extras that were booked with it. */
const causes: [what: string, extras: [pricingType: number, euros: number][], change: object][] = [
  ['the price is cut', [], { amount: euros(59.9) }],
  ['the price is gone', [], { amount: null }],
  ['the price is nothing', [], { amount: euros(0) }],
  ['an extra is canceled', [[12, 15]], { services: [] }],
  ['a night less is paid for', [[19, 10]], { endDate: '2026-06-03' }],
  ['a person less is paid for', [[20, 8]], { personCount: { adults: 1 } }],
]
describe('What a guest has paid too much is given back and does not keep him, where', () => {
  for (const [what, extras, change] of causes) {
    it(what, async () => {
      const services = await Promise.all(
        extras.map(async ([type, price]) => ({
          serviceId: await house.make('services', product(type, price, { code: what.slice(0, 30) })),
        })),
      )
      const stay = { amount: euros(109), services, endDate: '2026-06-04', personCount: { adults: 2 } }
      const { path } = await inHouse(house, stay)
      await pay(house, path, cash((await money(path))[0]))
      const changed = await house.ask('PATCH', path, { body: change })
      assert.ok(changed.status < 300, changed.text)
      const [due, paid, outstanding] = await money(path)
      assert.ok(outstanding < 0, String(outstanding))
      const left = await house.ask('PATCH', path, { body: { status: 'CheckedOut' } })
      assert.equal(left.status, 204, left.text)
      assert.deepEqual(await money(path), [due, paid, outstanding])
      assert.equal((await give(path, cash(-outstanding))).status, 201)
      assert.deepEqual(await money(path), [due, due, 0])
    })
  }
})

describe('A refund is recorded once', () => {
  it('for one Idempotency-Key', async () => {
    const { path } = await overpaid(900)
    const headers = { 'Idempotency-Key': 'refund-1' }
    const [first, again] = [await give(path, cash(400), headers), await give(path, cash(400), headers)]
    assert.deepEqual([first.status, again.status], [201, 201])
    assert.equal(again.body.data.id, first.body.data.id)
    assert.deepEqual(await money(path), [10_000, 10_500, -500])
  })

  it('for one transaction of the terminal, which may have the number of the payment', async () => {
    const { path } = await overpaid(900)
    const body = cash(400, { terminalTransactionId: 'T-1' })
    const first = await give(path, body)
    assert.equal(first.status, 201, first.text)
    refused(await give(path, body), 409, 'payment-duplicate', '/data/attributes/terminalTransactionId', {
      paymentId: first.body.data.id,
    })
    assert.deepEqual(await money(path), [10_000, 10_500, -500])
    await house.ask('PATCH', path, { body: { amount: euros(200) } })
    const later = cash(400, { terminalTransactionId: 'T-2' })
    await pay(house, path, later)
    refused(await house.ask('POST', `${path}/${record}`, { body: later }), 409, 'payment-duplicate')
  })

  it('and once more when the first was voided', async () => {
    const { path } = await overpaid(900)
    const body = cash(900, { terminalTransactionId: 'T-9' })
    const first = await give(path, body)
    const location = first.headers.get('location') ?? ''
    for (let times = 0; times < 2; times++) {
      assert.equal((await house.ask('DELETE', location)).status, 204)
      assert.deepEqual(await money(path), [10_000, 10_900, -900])
    }
    assert.equal((await give(path, body)).status, 201)
    assert.deepEqual(await money(path), [10_000, 10_000, 0])
  })

  it('with events of its own, which no reader of payments takes for a payment', async () => {
    const { path } = await overpaid(900)
    const { headers, body } = await give(path, cash(900))
    await house.ask('DELETE', headers.get('location') ?? '')
    const db = new Database(join(house.data, 'nightporter.db'), { readonly: true })
    const types = db
      .prepare('SELECT type FROM journal WHERE subject = ? ORDER BY sequence')
      .pluck()
      .all(`payments/${body.data.id}`)
    db.close()
    assert.deepEqual(types, ['payment.refunded', 'payment.refund-voided'])
  })
})

describe('The surplus of a party', () => {
  const cancel = (path: string) => house.ask('PATCH', path, { body: { status: 'Canceled' } })

  it('is given back on the stay that has it, also on a canceled one', async () => {
    const { reservation, first, second } = await party(house, [euros(50), euros(60)])
    await pay(house, reservation, cash(11_000))
    await cancel(first)
    assert.deepEqual(await money(first), [0, 5_000, -5_000])
    refused(await give(second, cash(1)), 422, 'refund-exceeds-surplus')
    assert.equal((await give(first, cash(5_000))).status, 201)
    assert.deepEqual(await money(first), [0, 0, 0])
    assert.deepEqual(await money(second), [6_000, 6_000, 0])
    assert.deepEqual(await money(reservation), [6_000, 6_000, 0])
    refused(await house.ask('DELETE', first), 409, 'resource-referenced')
  })

  it('pays for the other stays first: only the rest is given back', async () => {
    const { reservation, first, second } = await party(house, [euros(50), euros(20)])
    await pay(house, first, cash(5_000))
    await cancel(first)
    assert.deepEqual(await money(first), [0, 3_000, -3_000])
    refused(await give(first, cash(3_001)), 422, 'refund-exceeds-surplus')
    assert.equal((await give(first, cash(3_000))).status, 201)
    assert.deepEqual(await money(second), [2_000, 2_000, 0])
    assert.deepEqual(await money(reservation), [2_000, 2_000, 0])
  })

  it('leaves an underpaid stay to pay for what was given back', async () => {
    const { first, second } = await party(house, [euros(50), euros(60)])
    await pay(house, first, cash(5_000))
    await house.ask('PATCH', first, { body: { amount: euros(30) } })
    // The 20.00 of the first stay count for the second.
    assert.deepEqual(await money(first), [3_000, 3_000, 0])
    assert.deepEqual(await money(second), [6_000, 2_000, 4_000])
    refused(await give(first, cash(1)), 422, 'refund-exceeds-surplus')
  })

  it('is outstanding when the payment is voided that was given back', async () => {
    const { path, payment } = await overpaid(900)
    await give(path, cash(900))
    assert.equal((await house.ask('DELETE', payment)).status, 204)
    assert.deepEqual(await money(path), [10_000, -900, 10_900])
    await pay(house, path, cash(10_900))
    assert.deepEqual(await money(path), [10_000, 10_000, 0])
  })
})

/** What is given back of 100 parts of a payment of a guest who owes nothing, one after the other. */
const givenOfPayment = fc.sample(fc.record({ euros: fc.integer({ min: 2, max: 109 }), parts }), {
  numRuns: 2,
  seed,
})

describe('A refund of one payment', () => {
  const of = (paymentId: string, amount: number, more = {}) =>
    cash(amount, { brand: 'Visa', refundOf: paymentId, reason: 'Wrong card was charged', ...more })
  const exceeds = (reply: Parameters<typeof refused>[0], left: number) =>
    refused(reply, 422, 'refund-exceeds-payment', '/data/attributes/amount', { left, currency: 'EUR' })
  /** A guest in house who has paid all of 109.00 EUR by two payments: the first of so many cents. */
  async function paidInTwo(first: number) {
    const made = await openInHouse(house)
    const paid = await pay(house, made.path, cash(first))
    if (first < 10_900) await pay(house, made.path, cash(10_900 - first))
    return { ...made, ...paid }
  }

  for (const { euros: amount, parts: given } of [
    { euros: 109, parts: [100] },
    { euros: 109, parts: [50, 50] },
    { euros: 60, parts: [100] },
    { euros: 60, parts: [1, 99] },
    { euros: 1, parts: [100] },
    ...givenOfPayment,
  ]) {
    it(`of ${amount}.00 in parts of ${given} % is owed again, and no more than the payment is taken`, async () => {
      const { path, reservation, paymentId } = await paidInTwo(amount * 100)
      let back = 0
      for (const part of given) {
        const cents = amount * part
        const made = await give(path, of(paymentId, cents))
        assert.equal(made.status, 201, made.text)
        back += cents
        assert.deepEqual(made.body.meta, { outstanding: back, currency: 'EUR' })
        const { kind, refundOf, reason, brand } = made.body.data.attributes
        assert.deepEqual(
          [kind, refundOf, reason, brand],
          ['Refund', paymentId, 'Wrong card was charged', 'Visa'],
        )
        for (const each of [path, reservation])
          assert.deepEqual(await money(each), [10_900, 10_900 - back, back])
      }
      const left = amount * 100 - back
      exceeds(await give(path, of(paymentId, left + 1)), left)
      assert.deepEqual(await money(path), [10_900, 10_900 - back, back])
      await pay(house, path, cash(back))
      exceeds(await give(path, of(paymentId, left + 1)), left)
    })
  }

  it('never gives back more than the house has, where a surplus was given back before', async () => {
    const { path, paymentId } = await overpaid(900)
    assert.equal((await give(path, cash(900))).status, 201)
    exceeds(await give(path, of(paymentId, 10_001)), 10_000)
    assert.equal((await give(path, of(paymentId, 10_000))).status, 201)
    assert.deepEqual(await money(path), [10_000, 0, 10_000])
    exceeds(await give(path, of(paymentId, 1)), 0)
  })

  it('of a whole booking is of the own stay first, and counts on every sheet', async () => {
    const { reservation, first, second, ids } = await party(house, [euros(50), euros(60)])
    const { paymentId } = await pay(house, reservation, cash(11_000))
    const made = await give(second, of(paymentId, 7_000))
    assert.equal(made.status, 201, made.text)
    assert.deepEqual(made.body.data.attributes.allotments, [
      { stayId: ids[1], share: -6_000 },
      { stayId: ids[0], share: -1_000 },
    ])
    assert.deepEqual(
      [await money(first), await money(second)],
      [
        [5_000, 4_000, 1_000],
        [6_000, 0, 6_000],
      ],
    )
    exceeds(await give(first, of(paymentId, 4_001)), 4_000)
    assert.equal((await give(first, of(paymentId, 4_000))).status, 201)
    exceeds(await give(second, of(paymentId, 1)), 0)
  })

  for (const [what, on, again] of [
    ['a stay without a share of it', 'second', 'second'],
    ['its own stay, and then another', 'first', 'second'],
    ['another stay, and then its own', 'second', 'first'],
  ] as const) {
    it(`with one transaction of the terminal is recorded once on ${what}`, async () => {
      const made = await party(house, [euros(50), euros(60)])
      const { paymentId } = await pay(house, made.first, cash(5_000))
      const body = of(paymentId, 1_000, { terminalTransactionId: 'R-1' })
      const { text, status, body: first } = await give(made[on], body)
      assert.equal(status, 201, text)
      refused(
        await give(made[again], body),
        409,
        'payment-duplicate',
        '/data/attributes/terminalTransactionId',
        { paymentId: first.data.id },
      )
      assert.deepEqual(await money(made.reservation), [11_000, 4_000, 7_000])
    })
  }

  it('keeps the payment from being voided until the refund is voided', async () => {
    const { path, payment, paymentId } = await paidInTwo(10_900)
    const { headers, body } = await give(path, of(paymentId, 900))
    refused(await house.ask('DELETE', payment), 409, 'payment-refunded', undefined, {
      refundIds: [body.data.id],
    })
    assert.equal((await house.ask('DELETE', headers.get('location') ?? '')).status, 204)
    assert.deepEqual(await money(path), [10_900, 10_900, 0])
    assert.equal((await give(path, of(paymentId, 10_900))).status, 201)
  })

  it('of a voided payment, or of a refund, has nothing left', async () => {
    const { path, payment, paymentId } = await paidInTwo(900)
    assert.equal((await house.ask('DELETE', payment)).status, 204)
    exceeds(await give(path, of(paymentId, 1)), 0)
    const other = await overpaid(900)
    const back = await give(other.path, cash(900))
    exceeds(await give(other.path, of(back.body.data.id, 1)), 0)
  })

  for (const [what, more, code, pointer] of [
    ['without a reason', { reason: undefined }, 'validation-failed', '/data/attributes/reason'],
    ['with no reason', { reason: null }, 'validation-failed', '/data/attributes/reason'],
    ['with a reason of spaces', { reason: '    ' }, 'validation-failed', '/data/attributes/reason'],
    ['with a reason of two letters', { reason: 'no' }, 'validation-failed', '/data/attributes/reason'],
    [
      'with a reason that is too long',
      { reason: 'x'.repeat(201) },
      'validation-failed',
      '/data/attributes/reason',
    ],
    ['in another currency', { currency: 'CHF' }, 'payment-currency-mismatch', '/data/attributes/currency'],
    ['of nothing', { amount: 0 }, 'validation-failed', '/data/attributes/amount'],
    [
      'of an unknown payment',
      { refundOf: '00000000-0000-7000-8000-000000000000' },
      'reference-unknown',
      '/data/attributes/refundOf',
    ],
  ] as const) {
    it(`${what} is refused`, async () => {
      const { path, paymentId } = await paidInTwo(10_900)
      refused(await give(path, of(paymentId, 900, more)), 422, code, pointer)
      assert.deepEqual(await money(path), [10_900, 10_900, 0])
    })
  }

  it('is refused for the payment of another booking, and is no payment', async () => {
    const { path, paymentId } = await paidInTwo(900)
    const other = await paidInTwo(900)
    refused(await give(other.path, of(paymentId, 1)), 422, 'validation-failed', '/data/attributes/refundOf')
    for (const each of [path, other.reservation])
      refused(
        await house.ask('POST', `${each}/${record}`, { body: of(paymentId, 1) }),
        422,
        'validation-failed',
        '/data/attributes/refundOf',
      )
  })

  it('needs the right to void payments', async () => {
    const { path, paymentId } = await paidInTwo(10_900)
    for (const role of ['kiosk', 'housekeeping', 'integrator']) {
      const token = await house.tokenOf(role)
      assert.equal(
        (await house.ask('POST', `${path}/${refund}`, { body: of(paymentId, 1), token })).status,
        403,
      )
    }
  })
})

// The last test: it moves the clock.
it('A guest who has paid and not come gets the money back', async () => {
  const { path } = await priced(house)
  await pay(house, path, cash(10_900))
  house.clock.advance(2 * 86_400_000)
  const missed = await house.ask('PATCH', path, { body: { status: 'NoShow' } })
  assert.equal(missed.status, 204, missed.text)
  assert.deepEqual(await money(path), [0, 10_900, -10_900])
  assert.equal((await give(path, cash(10_900))).status, 201)
  assert.deepEqual(await money(path), [0, 0, 0])
})
