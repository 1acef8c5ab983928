import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { until } from '../access/house-with-doors.ts'
import { monday, startAppliance, type TestAppliance } from '../appliance.ts'
import { bookings } from '../console/kiosk-house.ts'
import { product } from '../reservation/api/paid-stays.ts'
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

/** A guest who owes 109.00 EUR and stands at the terminal. */
async function paying() {
  const arrival = await bookings(house.ask)
  const { stayId, reservationId } = await arrival({ amount: { currency: 'EUR', amountWithTax: 109 } })
  house.lobby.terminal.guest = 'wait'
  const answer = house.ask('POST', `/api/v2/stays/${stayId}/actions/pay-at-terminal`)
  await until(
    'the terminal to wait for the guest',
    async () => house.lobby.terminal.waiting.size,
    (count) => count === 1,
  )
  isDeciding = true
  const path = `/api/v2/reservations/${reservationId}/stays/${stayId}`
  return {
    answer,
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
