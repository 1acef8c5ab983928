import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import type { Crt571Machine } from '../../drivers/crt571/simulator/mechanics.ts'
import { machine, simulateCrt571 } from '../../drivers/crt571/simulator/simulator.ts'
import { blankCards, type SimulatedCard } from '../../src/simulators/devices/simulated-card.ts'
import { type HouseWithDoors, houseWithDoors, settledKey, until } from './house-with-doors.ts'
import { sockets } from './sockets.ts'

const plugs = sockets()
const wires = new Set<{ destroy(): void }>()
let lobby: Crt571Machine
let house: HouseWithDoors
let path: string

before(async () => {
  house = await houseWithDoors()
  lobby = machine({ clock: house.clock, stack: blankCards(40, 'one line', 'ultralight'), takenAfterMs: 0 })
  path = await plugs.plugIn((wire) => {
    wires.add(wire)
    wire.once('close', () => wires.delete(wire))
    return simulateCrt571(wire, lobby)
  })
  await configure(`dispensers/${house.dispenserId}`, { driver: 'crt571', path, patience: 1 })
  await configure(`access-controllers/${house.controllerId}`, { driver: 'crt571-rf', path, patience: 1 })
})
after(async () => {
  await house.stop()
  for (const wire of wires) wire.destroy()
  plugs.close()
})

async function configure(what: string, device: object) {
  const reply = await house.ask('PATCH', `/api/config/v1/${what}`, { body: { device } })
  assert.equal(reply.status, 204, reply.text)
}

/** As a kiosk that tries again while a device starts. */
async function served(unitName: string): Promise<{ keyId: string; card: SimulatedCard }> {
  await quiet()
  const reply = await until(
    'a card',
    () => house.issue(unitName),
    ({ status, body }) => status !== 502 || !/-(offline|required)$/.test(body.meta.errorCode),
  )
  assert.equal(reply.status, 201, reply.text)
  await quiet()
  return { keyId: String(reply.body.data.id), card: lobby.taken.at(-1)! }
}

function quiet() {
  return until(
    'an idle dispenser',
    () => house.dispenser(),
    ({ state, cardPosition }) => state === 'active' && cardPosition === 'none',
  )
}

it('makes a card that opens its door, though dispenser and encoder stand on one wire', async () => {
  const { card } = await served('201')
  assert.equal(house.present(card, '201'), 'opened-newer')
  assert.equal(house.present(card, '202'), 'other-door')
  assert.equal(wires.size, 1)
})

it('reads the card that lies on the antenna', async () => {
  const [card] = blankCards(1, 'given back', 'ultralight') as [SimulatedCard]
  Object.assign(lobby, { card, at: 'encoder' })
  const read = await house.ask('GET', `/api/v2/access/controllers/${house.controllerId}/key`)
  Object.assign(lobby, { card: null, at: 'none' })
  assert.equal(read.status, 200, read.text)
  assert.equal(JSON.stringify(read.body).includes(card.uid.toHex().toUpperCase()), true, read.text)
})

it('has both back after the cable was pulled, and makes the next card', async () => {
  for (const wire of wires) wire.destroy()
  const { card } = await served('202')
  assert.equal(house.present(card, '202'), 'opened-newer')
})

it('makes a card at the first request each time, though the cable is pulled before each', async () => {
  for (let time = 0; time < 10; time++) {
    await quiet()
    for (const wire of wires) wire.destroy()
    const reply = await house.issue('203')
    assert.equal(reply.status, 201, reply.text)
  }
  await quiet()
  assert.equal(house.present(lobby.taken.at(-1)!, '203'), 'opened-newer')
})

it('has both back after the machine was switched off and on between two cards', async () => {
  lobby.initialised = false
  const { card } = await served('203')
  assert.equal(house.present(card, '203'), 'opened-newer')
})

it('heals when the machine is switched off and on while a card is written, and lets that card out to nobody', async () => {
  await quiet()
  const [taken, captured] = [lobby.taken.length, lobby.bin.length]
  const then = () => void Object.assign(lobby, { initialised: false })
  lobby.misbehaviours.push({ at: 'rf-write', skip: 2, does: 'pass', then })
  const reply = await house.issue('301')
  assert.equal(reply.status, 502, reply.text)
  await settledKey(house, String(reply.body.errors[0].meta.keyId))
  const { card } = await served('302')
  assert.equal(house.present(card, '302'), 'opened-newer')
  assert.equal(lobby.taken.length, taken + 1)
  assert.equal(lobby.bin.length, captured + 1)
})

it('does not keep the dispenser waiting when the antenna alone falls silent', async () => {
  await quiet()
  for (let times = 0; times < 3; times++) lobby.misbehaviours.push({ at: 'rf-activate', does: 'silence' })
  const reply = await house.issue('303')
  assert.equal(reply.status, 502, reply.text)
  assert.equal(reply.body.meta.errorCode, 'encoder-timeout')
  const { card } = await served('303')
  assert.equal(house.present(card, '303'), 'opened-newer')
})

it('settles on the next start what a pulled cable left on the antenna', async () => {
  await quiet()
  const [taken, captured] = [lobby.taken.length, lobby.bin.length]
  lobby.misbehaviours.push({ at: 'rf-write', skip: 3, does: 'close' })
  const reply = await house.issue('304')
  assert.equal(reply.status, 502, reply.text)
  const key = await settledKey(house, String(reply.body.errors[0].meta.keyId))
  assert.equal(key.status, 'failed')
  assert.deepEqual([lobby.taken.length, lobby.bin.length], [taken, captured + 1])
  const blank = lobby.bin.at(-1)!.memory.subarray(16)
  assert.ok(blank.every((byte) => byte === 0))
})

it('refuses a second device on a line that is not made for two', async () => {
  const device = { driver: 'twn4', path }
  const body = { name: 'Desk', providerId: house.providerId, kind: 'encoder', keyType: 'keyCard', device }
  const refused = await house.ask('POST', '/api/config/v1/access-controllers', { body })
  assert.equal(refused.status, 422, refused.text)
  assert.equal(refused.body.errors[0].source.pointer, '/data/attributes/device/path')
  assert.match(refused.body.errors[0].detail, /already uses tcp:/)
  const other = await house.ask('POST', '/api/config/v1/dispensers', {
    body: { name: 'Second', device: { driver: 'crt571', path } },
  })
  assert.equal(other.status, 422, other.text)
})

it('is told to whoever sets devices up', async () => {
  const { body } = await house.ask('GET', '/api/config/v1/drivers')
  const found = body.data.find(({ id }: { id: string }) => id === 'crt571-rf')
  assert.equal(found.attributes.joins, 'crt571')
})
