import assert from 'node:assert/strict'
import { after, before, beforeEach, it } from 'node:test'
import { take } from '../../src/simulators/devices/simulated-card-path.ts'
import fc from '../seed.ts'
import { type GuestsOfUnits, guestsOfUnits } from './guests-of-units.ts'
import { type HouseWithDesk, houseWithDesk } from './house-with-desk.ts'
import { idle, until } from './house-with-doors.ts'

const nights = { startDate: '2026-06-01', endDate: '2026-06-03' }
const opened = /^opened/

let house: HouseWithDesk
let guests: GuestsOfUnits
before(async () => {
  house = await houseWithDesk()
  guests = await guestsOfUnits(house.ask)
})
beforeEach(() => idle(house))
after(() => house.stop())

const atGate = () =>
  until(
    'a card at the gate',
    () => house.dispenser(),
    ({ cardPosition }) => cardPosition === 'gate',
  )
const taken = () => house.lobby.dispenser.taken

/** Asks for the cards of a unit in one request, which can be repeated. */
async function batchOf(unitName: string, quantity: number) {
  const guest = await guests.booked(unitName, 1, 3)
  await guests.become(guest, 'InHouse')
  const { externalId } = guest
  const body = { type: 'keyCard', unitName, original: true, ...nights, externalId, quantity }
  return (name = unitName) =>
    house.ask('POST', `/api/v2/access/controllers/${house.controllerId}/keys`, {
      body,
      headers: { 'Idempotency-Key': `batch ${name}`.replace(' ', '-') },
    })
}

/**
 * Cuts the power while the card with this index lies at the gate, after the cards before were taken. Then that card is taken, or
 * is left.
 */
async function cutAt(index: number, ask: () => Promise<unknown>, isTaken = true): Promise<void> {
  house.lobby.dispenser.takenAfterMs = null
  const asked = ask().catch((error: unknown) => error)
  for (let before = 0; before < index; before++) {
    await atGate()
    const count = taken().length
    take(house.lobby.dispenser)
    await until(
      'it is gone',
      async () => taken().length,
      (length) => length > count,
    )
    await until(
      'it is stored',
      () => house.dispenser(),
      ({ cardPosition }) => cardPosition !== 'gate',
    )
  }
  await atGate()
  await house.restart()
  await asked
  if (isTaken) take(house.lobby.dispenser)
  await idle(house)
  house.lobby.dispenser.takenAfterMs = 0
}

async function expectWhole(
  unitName: string,
  quantity: number,
  ask: () => ReturnType<HouseWithDesk['ask']>,
  count: number,
) {
  const { status, body, text } = await ask()
  await idle(house)
  assert.deepEqual(
    [status, body.requested, body.succeeded, body.errorCode],
    [201, quantity, quantity, null],
    text,
  )
  assert.equal(new Set(body.keyIds).size, quantity)
  const cards = taken().slice(count)
  assert.equal(cards.length, quantity, 'each card once')
  for (const card of cards) assert.match(house.present(card, unitName), opened)
  const keys = await Promise.all(body.keyIds.map((id: string) => house.key(id)))
  assert.deepEqual(
    keys.map(({ status: now, original }) => [now, original]),
    keys.map((_, at) => ['live', at === 0]),
  )
  assert.equal((await ask()).text, text, 'a further repetition makes nothing')
  assert.equal(taken().length, count + quantity)
}

for (const [unitName, quantity, index] of [
  ['201', 2, 0],
  ['202', 2, 1],
  ['203', 3, 1],
  ['204', 3, 2],
] as const)
  it(`a batch of ${quantity} goes on after a power cut with card ${index + 1} at the gate`, async () => {
    const [count, ask] = [taken().length, await batchOf(unitName, quantity)]
    await cutAt(index, ask)
    await expectWhole(unitName, quantity, ask, count)
  })

it('a batch goes on after two power cuts, wherever they are', async () => {
  const cuts = fc
    .tuple(fc.nat({ max: 1 }), fc.nat({ max: 1 }))
    .map(([first, second]) => [first, second] as const)
  const [first, second] = fc.sample(cuts, 1)[0]!
  const [count, ask] = [taken().length, await batchOf('205', 4)]
  await cutAt(first, ask)
  await cutAt(second, ask)
  await expectWhole('205', 4, ask, count)
})

it('a card that was left at the gate is made again, and the one that the guest has stays', async () => {
  const [count, ask] = [taken().length, await batchOf('206', 2)]
  await cutAt(1, ask, false)
  await expectWhole('206', 2, ask, count)
})

it('spare cards go on with the unit whose card no one has', async () => {
  const count = taken().length
  const ask = () =>
    house.ask('POST', `/api/v2/access/controllers/${house.controllerId}/spare-keys`, {
      body: { units: ['207', '208', '209'] },
      headers: { 'Idempotency-Key': 'spares' },
    })
  await cutAt(1, ask)
  const { body, text } = await ask()
  await idle(house)
  assert.deepEqual([body.succeeded, new Set(body.keyIds).size], [3, 3], text)
  const cards = taken().slice(count)
  assert.equal(cards.length, 3)
  for (const [at, card] of cards.entries()) assert.match(house.present(card, `20${at + 7}`), opened)
})

it('another Idempotency-Key is another batch', async () => {
  const ask = await batchOf('210', 2)
  const first = await ask()
  await idle(house)
  const second = await ask('another')
  await idle(house)
  assert.deepEqual([first.body.succeeded, second.body.succeeded], [2, 2], second.text)
  assert.equal(new Set([...first.body.keyIds, ...second.body.keyIds]).size, 4)
})
