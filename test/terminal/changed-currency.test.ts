import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { until } from '../access/house-with-doors.ts'
import { monday, type Reply, startAppliance, type TestAppliance } from '../appliance.ts'
import { bookings } from '../console/kiosk-house.ts'
import { product } from '../reservation/api/paid-stays.ts'
import fc, { seed } from '../seed.ts'
import { testClock } from '../test-clock.ts'

let house: TestAppliance
/** The guest takes no time to decide. */
let isDeciding = false
const pays = () => {
  isDeciding = false
  house.lobby.terminal.decide('pay')
}
before(async () => {
  const clock = testClock({ wallMs: monday, always: false })
  house = await startAppliance({ clock })
  clock.standsWhile(() => isDeciding)
})
after(() => {
  pays()
  return house.stop()
})

/** The number that the terminal gives after that of a payment. */
function numberAfter({ body }: Reply): string {
  const { terminalTransactionId: number } = body.data.attributes
  return String(Number(number) + 1).padStart(number.length, '0')
}

/** A guest who owes 109.00 EUR and stands at the terminal. */
async function paying(before = async (_path: string) => {}) {
  const arrival = await bookings(house.ask)
  const { stayId, reservationId } = await arrival({ amount: { currency: 'EUR', amountWithTax: 109 } })
  const path = `/api/v2/reservations/${reservationId}/stays/${stayId}`
  await before(path)
  house.lobby.terminal.guest = 'wait'
  const answer = house.ask('POST', `/api/v2/stays/${stayId}/actions/pay-at-terminal`)
  await until(
    'the terminal to wait for the guest',
    async () => house.lobby.terminal.waiting.size,
    (count) => count === 1,
  )
  isDeciding = true
  const recording = (action: string) => (amount: number, more: object) =>
    house.ask('POST', `${path}/actions/${action}`, {
      body: { currency: 'EUR', amount, brand: 'Visa', ...more },
    })
  return {
    answer,
    record: recording('record-payment'),
    refund: recording('record-refund'),
    set: (body: object) => house.ask('PATCH', path, { body }),
    async money() {
      const { currency, due, paid, outstanding } = (await house.ask('GET', path)).body.data.attributes
      return [currency, due, paid, outstanding]
    },
  }
}

it('the currency of a stay does not change while its guest pays, and the payment is recorded', async () => {
  const { answer, set, money } = await paying()
  const changed = await set({ amount: { currency: 'CHF', amountWithTax: 100 } })
  assert.equal(changed.status, 422, 'in another currency')
  assert.equal(changed.body.errors[0].code, 'payment-currency-mismatch')
  assert.match(changed.body.errors[0].detail, /A payment of the stay in EUR is under way/)
  const made = await house.ask('POST', '/api/v2/services', {
    body: product(19, 5, { currencyCode: 'CHF' }),
  })
  assert.equal(made.status, 201, made.text)
  const mixed = await set({ services: [{ serviceId: made.body.data.id }] })
  assert.equal(mixed.status, 422, 'in two currencies')
  assert.equal((await set({ amount: { currency: 'EUR', amountWithTax: 100 } })).status, 204)

  pays()
  const paid = await answer
  assert.equal(paid.status, 201, paid.text)
  assert.deepEqual(await money(), ['EUR', 10_000, 10_900, -900])
})

it('a payment is recorded although the stay has lost its price meanwhile', async () => {
  const { answer, set, money } = await paying()
  assert.equal((await set({ amount: null })).status, 204)
  assert.equal((await money())[1], null)
  pays()
  const paid = await answer
  assert.equal(paid.status, 201, paid.text)
  assert.deepEqual(await money(), ['EUR', 0, 10_900, -10_900])
})

const prices = [0, 0.01, 50, 108.99, ...fc.sample(fc.integer({ min: 1, max: 10_898 }), { numRuns: 2, seed })]
for (const [at, price] of prices.entries()) {
  const cents = at < 4 ? Math.round(price * 100) : price
  it(`109.00 EUR that are taken while the price falls to ${cents} cents are recorded, and can be given back`, async () => {
    const { answer, set, money, refund } = await paying()
    assert.equal((await set({ amount: { currency: 'EUR', amountWithTax: cents / 100 } })).status, 204)
    pays()
    const paid = await answer
    assert.equal(paid.status, 201, paid.text)
    assert.deepEqual(await money(), ['EUR', cents, 10_900, cents - 10_900])
    const { terminalTransactionId } = paid.body.data.attributes
    const given = await refund(10_900 - cents, { terminalTransactionId })
    assert.equal(given.status, 201, given.text)
    assert.deepEqual(await money(), ['EUR', cents, cents, 0])
  })
}

it('a payment is recorded that has the number of a refund: the terminal counts from one again', async () => {
  const { answer, set, money, refund } = await paying()
  assert.equal((await set({ amount: { currency: 'EUR', amountWithTax: 100 } })).status, 204)
  pays()
  const first = await answer
  const number = numberAfter(first)
  assert.equal((await refund(900, { terminalTransactionId: number })).status, 201)
  assert.equal((await set({ amount: { currency: 'EUR', amountWithTax: 120 } })).status, 204)
  house.lobby.terminal.guest = 'pay'
  const stayId = first.body.data.attributes.stayId
  const second = await house.ask('POST', `/api/v2/stays/${stayId}/actions/pay-at-terminal`)
  assert.equal(second.status, 201, second.text)
  assert.equal(second.body.data.attributes.terminalTransactionId, number)
  assert.deepEqual(await money(), ['EUR', 12_000, 12_000, 0])
})

for (const cents of [900, 5_450])
  it(`a payment is recorded that has the number of one of ${cents} cents of the day before`, async () => {
    const { answer } = await paying()
    pays()
    const number = numberAfter(await answer)
    const other = await paying(async (path) => {
      const body = { currency: 'EUR', amount: cents, brand: 'Visa', terminalTransactionId: number }
      const recorded = await house.ask('POST', `${path}/actions/record-payment`, { body })
      assert.equal(recorded.status, 201, recorded.text)
      house.clock.set(house.clock.now() + 86_400_000)
    })
    pays()
    const { body } = await other.answer
    assert.equal(body.data.attributes.terminalTransactionId, number)
    assert.equal(body.data.attributes.amount, 10_900 - cents)
    assert.deepEqual(await other.money(), ['EUR', 10_900, 10_900, 0])
  })

it('a payment that the desk has recorded by hand meanwhile, with its number, is recorded once', async () => {
  const { answer } = await paying()
  pays()
  const number = numberAfter(await answer)
  const other = await paying()
  const recorded = await other.record(10_900, { terminalTransactionId: number })
  assert.equal(recorded.status, 201, recorded.text)
  pays()
  assert.equal((await other.answer).body.data.id, recorded.body.data.id)
  assert.deepEqual(await other.money(), ['EUR', 10_900, 10_900, 0])
})
