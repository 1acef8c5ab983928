import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, it } from 'node:test'
import Database from 'better-sqlite3'
import { take } from '../../src/simulators/devices/simulated-card-path.ts'
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

/** The steps of the issuances that have not ended. */
function steps(): string[] {
  const file = new Database(join(house.data, 'nightporter.db'), { readonly: true })
  try {
    return file.prepare("SELECT step FROM card_run WHERE step <> 'ended'").pluck().all() as string[]
  } finally {
    file.close()
  }
}

it('a card that is gone when the power comes back lies in the bin or was pulled: both keys may open', async () => {
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
  await until(
    'the end of the issuance',
    () => house.key(left.body.data.id),
    ({ status }) => status === 'unknown',
  )
  assert.equal((await house.key(earlier.id)).status, 'live')
  const { body } = await house.ask('GET', '/api/v2/access/units-with-older-keys')
  const listed = body.data.find(
    (each: { attributes: { unitName: string } }) => each.attributes.unitName === '101',
  )
  assert.deepEqual(
    listed.attributes.keys.map(({ keyId }: { keyId: string }) => keyId),
    [left.body.data.id],
  )
})

it('a card that its guest pulls out at the moment of the recall was taken', async () => {
  const { dispenser } = house.lobby
  dispenser.takenAfterMs = 0
  const earlier = await serve(house, '103')
  dispenser.takenAfterMs = null
  const made = await house.issue('103')
  assert.equal(made.status, 201, made.text)
  const bin = dispenser.bin.length
  // Whenever the machine gets a command, the guest looks whether it recalls the card.
  const then = () => {
    if (steps().includes('recalled')) take(dispenser)
  }
  dispenser.misbehaviours.push(
    ...Array.from({ length: 100 }, () => ({ at: '*', does: 'pass' as const, then })),
  )
  house.clock.advance(31_000)
  try {
    await until(
      'the end of the issuance',
      async () => steps(),
      (found) => found.length === 0,
    )
  } finally {
    dispenser.misbehaviours.length = 0
  }
  assert.equal((await house.key(made.body.data.id)).status, 'live')
  assert.equal((await house.key(earlier.id)).status, 'superseded')
  assert.equal(dispenser.bin.length, bin)
  assert.equal(house.present(dispenser.taken.at(-1)!, '103'), 'opened-newer')
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
