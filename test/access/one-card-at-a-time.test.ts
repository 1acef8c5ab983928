import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { reader, simulateTwn4 } from '../../drivers/twn4/simulator/simulator.ts'
import { blankCards, type SimulatedCard } from '../../src/simulators/devices/simulated-card.ts'
import { testClock } from '../test-clock.ts'
import { type HouseWithDoors, houseWithDoors, idle, until } from './house-with-doors.ts'
import { sockets } from './sockets.ts'

const onDesk: SimulatedCard[] = []
const clock = testClock({ always: false })
const antenna = reader({ clock, antenna: { cards: () => onDesk } })
const plugs = sockets()
let house: HouseWithDoors
let desk: string
let machine: string

before(async () => {
  house = await houseWithDoors({ clock })
  machine = `/api/v2/access/dispensers/${house.dispenserId}`
  const path = await plugs.plugIn((wire) => simulateTwn4(wire, antenna))
  const body = {
    name: 'Desk',
    providerId: house.providerId,
    kind: 'encoder',
    keyType: 'keyCard',
    device: { driver: 'twn4', path, patience: 1 },
    timeoutMs: 6_000,
  }
  desk = (await house.ask('POST', '/api/config/v1/access-controllers', { body })).body.data.id
})
after(async () => {
  await house.stop()
  plugs.close()
})

function atDesk(unitName: string, more = {}) {
  const dates = { startDate: '2026-06-01', endDate: '2026-06-03' }
  return house.ask('POST', `/api/v2/access/controllers/${desk}/key`, {
    body: { type: 'keyCard', unitName, original: true, ...dates, ...more },
  })
}

it('no card is fed for a key that no card can say', async () => {
  await idle(house)
  const { stack, bin } = house.lobby.dispenser
  const before = stack.length
  const reply = await house.issue('201', { endDate: '2110-01-01' })
  assert.equal(reply.status, 502, reply.text)
  assert.equal(reply.body.meta.errorCode, 'unsupported-operation')
  assert.deepEqual([stack.length, bin.length], [before, 0])
})

it('a desk that loses its encoder after the last write does not say that nothing was written', async () => {
  onDesk.splice(0, 1, ...blankCards(1, null, 'classic'))
  const then = () => void antenna.misbehaviours.push({ at: 'searchTag', does: 'close' })
  antenna.misbehaviours.push({ at: 'writeBlock', skip: 3, does: 'pass', then })
  const reply = await atDesk('103')
  onDesk.length = 0
  assert.equal(reply.status, 502, reply.text)
  assert.equal(reply.body.meta.outcomeUnknown, true)
  assert.equal((await house.key(reply.body.errors[0].meta.keyId)).status, 'unknown')
})

/** The encoder that was lost is there again. */
function deskIsBack(): Promise<unknown> {
  return until(
    'the encoder',
    () => house.ask('GET', `/api/v2/access/controllers/${desk}/key`),
    ({ status }) => status === 200,
  )
}

it('two who ask at one desk do not get one card', async () => {
  const [card, other] = blankCards(2, null, 'classic')
  onDesk.splice(0, 1, card!)
  await deskIsBack()
  const first = atDesk('104')
  const second = atDesk('105')
  assert.equal((await first).status, 201)
  onDesk.length = 0
  antenna.misbehaviours.length = 0
  onDesk.push(other!)
  assert.equal((await second).status, 201, (await second).text)
  assert.match(house.present(card!, '104'), /^opened/)
  assert.match(house.present(other!, '105'), /^opened/)
})

it('a card of the staff is not made a guest card', async () => {
  onDesk.splice(0, 1, ...blankCards(1, null, 'classic'))
  assert.equal((await atDesk('106', { usage: 'Staff' })).status, 201)
  // Lifted, seen to be gone, and laid down again.
  const read = await house.ask('GET', `/api/v2/access/controllers/${desk}/key`)
  assert.equal(read.status, 200, read.text)
  const refused = await atDesk('107')
  assert.equal(refused.status, 409, refused.text)
  assert.equal(refused.body.errors[0].code, 'foreign-card')
  assert.match(house.present(onDesk[0]!, '106'), /^opened/)
})

it('a card made for a guest is not captured by who asked before it was there', async () => {
  await idle(house)
  house.lobby.dispenser.takenAfterMs = null
  await house.ask('POST', `${machine}/reset-cache`)
  const made = house.issue('202')
  const captured = house.ask('PUT', `${machine}/place-card/capture`)
  const [key, capture] = await Promise.all([made, captured])
  assert.equal(key.status, 201, key.text)
  assert.equal(capture.status, 409, capture.text)
  assert.equal(house.lobby.dispenser.at, 'gate')
  house.lobby.dispenser.takenAfterMs = 0
})
