import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import Database from 'better-sqlite3'
import { take } from '../../src/devices/simulator/simulated-card-path.ts'
import { type HouseWithDoors, houseWithDoors, serve, settledKey, until } from './house-with-doors.ts'

let house: HouseWithDoors
before(async () => {
  house = await houseWithDoors()
})
after(() => house.stop())

/** Stops the house as if it had just told the machine to take back the card at its gate. */
async function stopWhileRecalling(): Promise<void> {
  await house.appliance.close()
  const file = new Database(join(house.data, 'nightporter.db'))
  try {
    const { changes } = file.prepare("UPDATE card_run SET step = 'recalled' WHERE step <> 'ended'").run()
    assert.equal(changes, 1)
  } finally {
    file.close()
  }
}

it('a card that was swallowed while the power went is in the bin: its key opens nothing, the earlier is back', async () => {
  const { dispenser } = house.lobby
  const earlier = await serve(house, '101')
  dispenser.takenAfterMs = null
  const left = await house.issue('101')
  assert.equal(left.status, 201, left.text)
  await stopWhileRecalling()
  dispenser.bin.push(dispenser.card!)
  dispenser.card = null
  dispenser.at = 'none'
  await house.restart()
  assert.equal((await settledKey(house, left.body.data.id)).status, 'blocked')
  assert.equal((await house.key(earlier.id)).status, 'live')
})

it('a card that is still at the gate waits for its guest', async () => {
  const { dispenser } = house.lobby
  const left = await house.issue('102')
  assert.equal(left.status, 201, left.text)
  await stopWhileRecalling()
  await house.restart()
  await until(
    'the machine with its guest',
    () => house.dispenser(),
    ({ guestWaiting }) => guestWaiting !== null && guestWaiting !== undefined,
  )
  assert.equal(take(dispenser), true)
  assert.equal((await settledKey(house, left.body.data.id)).status, 'live')
})
