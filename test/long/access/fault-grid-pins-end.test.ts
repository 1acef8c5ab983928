import assert from 'node:assert/strict'
import { after, afterEach, before, it } from 'node:test'
import {
  expectTrueAtDoors,
  healPins,
  knownCodes,
  type PinFault,
  pinFaults,
  pinKeys,
} from '../../access/faults-pins.ts'
import { newStay } from '../../access/faults-played.ts'
import { until } from '../../access/house-with-doors.ts'
import { type HouseWithPins, houseWithPins } from '../../access/house-with-pins.ts'

/** What the key is once its lock system was asked to take it away, and something went wrong. */
const grid: Record<PinFault, 'revocationPending' | 'removed'> = {
  'gateway offline': 'revocationPending',
  'gateway busy': 'revocationPending',
  'no answer, nothing done': 'revocationPending',
  'no answer, all done': 'revocationPending',
  'no answer, all done, and nobody can look': 'revocationPending',
  'code taken': 'revocationPending',
  'lock full': 'revocationPending',
  'failed without a reason': 'revocationPending',
  // Another token is asked for, and the same request made again with it.
  'token over': 'removed',
  'account refused': 'revocationPending',
  'HTTP 500, nothing done': 'revocationPending',
  'HTTP 500, all done': 'revocationPending',
  'a web page, nothing done': 'revocationPending',
  'a web page, all done': 'revocationPending',
  'dropped, nothing done': 'revocationPending',
  'dropped, all done': 'revocationPending',
}
const rows = Object.entries(grid) as [PinFault, (typeof grid)[PinFault]][]
const noon = Date.UTC(2026, 5, 2, 12)
let house: HouseWithPins
const stays: string[] = []

before(async () => {
  house = await houseWithPins()
})
afterEach(async () => {
  healPins(house)
  // The cloud may be asked so often in a minute.
  house.clock.advance(61_000)
  // What is asked for again must not meet the next fault.
  await until(
    'the end of every request',
    () => house.ask('GET', '/api/v2/access/keys?filter[status]=revocationPending'),
    ({ body }) => body.data.length === 0,
  )
})
after(() => house.stop())

const asked = () => house.cloud.requests.filter(({ call }) => call === 'delete').length

for (const [fault, status] of rows)
  it(`a PIN is taken away; ${fault}: ${status}`, async () => {
    const stay = newStay()
    stays.push(stay)
    const made = await house.reconcile(stay)
    assert.equal(made.status, 200, made.text)
    const path = `/api/v2/access/keys/${made.body.data.id}`
    const before = asked()
    pinFaults[fault](house, 'delete')
    assert.equal((await house.ask('DELETE', path)).status, 204)
    await until('the request', asked, (count) => count > before)
    const [key] = await until(
      'its end',
      () => pinKeys(house, stay),
      ([row]) => row?.status === status,
    )
    assert.equal(key!.mayOpen, status !== 'removed')
    await expectTrueAtDoors(house, stay, [noon])
    // Asking again is no other request, and fails no more than the first.
    assert.equal((await house.ask('DELETE', path)).status, 204)
    const again = await house.reconcile(stay)
    assert.deepEqual([again.status, again.body.errors[0].code], [404, 'key-gone'])
  })

it('all of them open nothing in the end, and that is proven', async () => {
  for (const stay of stays) {
    const [key] = await until(
      'the proof',
      () => pinKeys(house, stay),
      ([row]) => row?.proof === 'lock-acknowledged',
    )
    assert.deepEqual([key!.status, key!.mayOpen], ['removed', false])
  }
  assert.deepEqual([...knownCodes(house)], [])
})
