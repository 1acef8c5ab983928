import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { until } from '../access/house-with-doors.ts'
import { monday, startAppliance, type TestAppliance } from '../appliance.ts'
import { bookings } from '../console/kiosk-house.ts'
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

const refused = ({ status, body }: { status: number; body: { errors?: { code: string }[] } }) => [
  status,
  body.errors?.[0]?.code,
]

it('a payment is recorded although the stay is deleted or left out while its guest pays', async () => {
  const arrival = await bookings(house.ask)
  const { stayId, reservationId } = await arrival({ amount: { currency: 'EUR', amountWithTax: 109 } })
  const path = `/api/v2/reservations/${reservationId}`
  const { units } = (await house.ask('GET', `${path}/stays/${stayId}`)).body.data.attributes
  const [{ unitTypeId }] = units
  const other = {
    startDate: '2026-07-01',
    endDate: '2026-07-02',
    status: 'Confirmed',
    personCount: { adults: 1 },
    units: [{ unitTypeId }],
    reservationIds: [{ type: 'Confirmation', value: 'MORE' }],
    profiles: [{ role: 'PrimaryGuest', firstName: 'Lucia', lastName: 'Ferrari' }],
  }
  const more = await house.ask('POST', `${path}/stays`, { body: other })
  assert.equal(more.status, 201, more.text)

  const { terminal } = house.lobby
  terminal.guest = 'wait'
  const paying = house.ask('POST', `/api/v2/stays/${stayId}/actions/pay-at-terminal`)
  await until(
    'the terminal to wait for the guest',
    async () => terminal.waiting.size,
    (count) => count === 1,
  )
  isDeciding = true
  const inUse = [409, 'resource-referenced']
  assert.deepEqual(refused(await house.ask('DELETE', `${path}/stays/${stayId}`)), inUse)
  assert.deepEqual(refused(await house.ask('DELETE', path)), inUse)
  const without = await house.ask('PATCH', path, { body: { stays: [{ ...other, id: more.body.data.id }] } })
  assert.equal(without.status, 204, without.text)
  pays()

  const paid = await paying
  assert.equal(paid.status, 201, paid.text)
  const orders = await house.ask('GET', `/api/v2/terminal-payments?filter[stayId]=${stayId}`)
  assert.equal(orders.body.data[0].attributes.state, 'paid')
  const left = await house.ask('GET', `${path}/stays/${stayId}`)
  const { status, paid: amount } = left.body.data.attributes
  assert.deepEqual([status, amount], ['Canceled', 10_900])
})
