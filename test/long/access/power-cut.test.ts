import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { simulateCrt571 } from '../../../drivers/crt571/simulator/simulator.ts'
import { reader, simulateTwn4 } from '../../../drivers/twn4/simulator/simulator.ts'
import { simulatedLobby } from '../../../src/demo/simulated-lobby.ts'
import { systemClock } from '../../../src/host/clock.ts'
import type { Misbehaviour } from '../../../src/simulators/devices/misbehaviour.ts'
import { blankCards, type SimulatedCard } from '../../../src/simulators/devices/simulated-card.ts'
import { take } from '../../../src/simulators/devices/simulated-card-path.ts'
import { type ApplianceChild, applianceChild } from '../../access/appliance-child.ts'
import { type Doors, idle, settledKey, until, withDoors } from '../../access/house-with-doors.ts'
import { sockets } from '../../access/sockets.ts'

/** Where the card is in the end, its key, and the key that the unit had before. */
interface Outcome {
  card: 'none' | 'bin' | 'taken'
  key: 'live' | 'failed' | 'removed' | null
  before: 'live' | 'superseded'
}
const nothing: Outcome = { card: 'none', key: null, before: 'live' }
const notFed: Outcome = { card: 'none', key: 'failed', before: 'live' }
const captured: Outcome = { card: 'bin', key: 'failed', before: 'live' }
const revoked: Outcome = { card: 'bin', key: 'removed', before: 'live' }
const served: Outcome = { card: 'taken', key: 'live', before: 'superseded' }

/** The program is killed at the moment a device hears this command; `silence` means that the device has died as well. */
const cuts: [step: string, at: string, skip: number, does: 'pass' | 'silence', outcome: Outcome][] = [
  ['before anything moves', 'status', 0, 'pass', nothing],
  ['while a card is fed', 'move-encoder', 0, 'pass', captured],
  ['before a card is fed', 'move-encoder', 0, 'silence', notFed],
  ['while the antenna is seen empty', 'searchTag', 0, 'pass', notFed],
  ['while the card is looked for', 'searchTag', 1, 'pass', captured],
  ['at the login', 'login', 0, 'pass', captured],
  ['at the first write', 'writeBlock', 0, 'pass', captured],
  ['before the second write', 'writeBlock', 1, 'silence', captured],
  ['at the keys', 'writeBlock', 2, 'pass', captured],
  ['before the last write', 'writeBlock', 3, 'silence', captured],
  ['at the last write', 'writeBlock', 3, 'pass', captured],
  ['while it is read back', 'sak', 2, 'pass', captured],
  ['at the end of the proof', 'rfOff', 0, 'pass', captured],
  ['on the way to the gate', 'move-front', 0, 'pass', served],
  ['before the way to the gate', 'move-front', 0, 'silence', revoked],
  ['while the guest is waited for', 'status', 3, 'pass', served],
]

const data = mkdtempSync(join(tmpdir(), 'nightporter-cut-'))
const lobby = simulatedLobby({ clock: systemClock, pocket: null, cards: 60, takenAfterMs: null, pace: 0 })
const { dispenser } = lobby
const plugs = sockets()
const onDesk = blankCards(1, null, 'classic')
const deskEncoder = reader({ clock: systemClock, antenna: { cards: () => onDesk } })
let daemon: ApplianceChild
let house: Doors

before(async () => {
  daemon = await applianceChild(data)
  const { ask, now } = daemon
  const devices = {
    dispenser: await plugs.plugIn((wire) => simulateCrt571(wire, dispenser)),
    encoder: await plugs.plugIn((wire) => simulateTwn4(wire, lobby.encoder)),
    patience: 0.3,
  }
  house = await withDoors({ ask, lobby }, data, now, devices)
})
after(async () => {
  await daemon.stop()
  plugs.close()
  rmSync(data, { recursive: true, force: true })
})

describe('a power cut', () => {
  for (const [index, [step, at, skip, does, outcome]] of cuts.entries()) {
    it(step, () => play(String(201 + index), outcome, { at, skip, does }, async () => {}))
  }

  it('while the guest takes the card', () =>
    play('301', served, { at: 'status', skip: 3, does: 'pass' }, async () => {
      assert.equal(take(dispenser), true)
    }))

  it('at a desk leaves the key in doubt until its card is read', async () => {
    const path = await plugs.plugIn((wire) => simulateTwn4(wire, deskEncoder))
    const { body: desk } = await house.ask('POST', '/api/config/v1/access-controllers', {
      body: {
        name: 'Desk',
        providerId: house.providerId,
        kind: 'encoder',
        keyType: 'keyCard',
        device: { driver: 'twn4', path },
      },
    })
    const at = `/api/v2/access/controllers/${desk.data.id}/key`
    const dates = { startDate: '2026-06-01', endDate: '2026-06-03' }
    const then = daemon.kill
    deskEncoder.misbehaviours.push({ at: 'writeBlock', skip: 1, does: 'pass', then })
    await assert.rejects(
      house.ask('POST', at, { body: { type: 'keyCard', unitName: '303', original: true, ...dates } }),
    )
    await reboot()
    const keyId = await newestKey('303')
    assert.equal((await settledKey(house, keyId)).status, 'unknown')
    await until(
      'the encoder',
      () => house.ask('GET', at),
      ({ status }) => status === 200,
    )
    assert.equal((await house.key(keyId)).status, 'failed')
  })

  it('when a guest who moves has his new card leaves him the new door alone', async () => {
    const first = await moved('304')
    await handed(first.body.data.id)
    const then = daemon.kill
    dispenser.misbehaviours.push({ at: 'move-front', does: 'pass', then })
    await moved('305').catch(() => {})
    await reboot()
    const keyId = await newestKey('305')
    await handed(keyId)
    assert.equal((await house.key(keyId)).status, 'live')
    assert.equal((await house.key(first.body.data.id)).status, 'revocationPending')
  })

  it('right after the answer', async () => {
    await made('302')
    const answered = await house.issue('302')
    assert.equal(answered.status, 201)
    daemon.kill()
    await reboot()
    assert.equal((await house.key(answered.body.data.id)).status, 'live')
    await handed(answered.body.data.id)
    assert.equal(house.present(dispenser.taken.at(-1)!, '302'), 'opened-newer')
  })
})

async function play(
  unitName: string,
  outcome: Outcome,
  cut: Pick<Misbehaviour, 'at' | 'skip' | 'does'>,
  meanwhile: () => Promise<void>,
): Promise<void> {
  const earlier = await made(unitName)
  assert.equal(house.present(earlier.card, unitName), 'opened-newer')
  dispenser.bin.length = dispenser.taken.length = 0

  const list = cut.at.startsWith('move-') || cut.at === 'status' ? dispenser : lobby.encoder
  const then = daemon.kill
  list.misbehaviours.push({ ...cut, then })
  // The answer may be on its way when the program dies; what it was does not matter here.
  await house.issue(unitName).then(daemon.ended, () => {})
  await meanwhile()
  await reboot()

  const keyId = await newestKey(unitName)
  if (outcome === served) await handed(keyId)
  const key = keyId === earlier.id ? null : (await settledKey(house, keyId)).status
  await idle(house)
  assert.equal(key, outcome.key)
  assert.equal((await house.key(earlier.id)).status, outcome.before)
  assert.equal(dispenser.bin.length, outcome.card === 'bin' ? 1 : 0, 'cards in the bin')
  assert.equal(dispenser.taken.length, outcome.card === 'taken' ? 1 : 0, 'cards in guests hands')
  assert.equal(house.present(earlier.card, unitName), 'opened')
  for (const card of dispenser.bin) assert.doesNotMatch(house.present(card, unitName), /^opened/)
  for (const card of dispenser.taken) assert.equal(house.present(card, unitName), 'opened-newer')

  const next = await made(unitName)
  assert.equal(house.present(next.card, unitName), 'opened-newer')
}

/** The card of a guest who is given the unit. */
async function moved(unitName: string) {
  await idle(house)
  return house.ask('PUT', `/api/v2/access/controllers/${house.controllerId}/keys/by-reservation/MOVES`, {
    body: { type: 'keyCard', unitName, original: true, startDate: '2026-06-01', endDate: '2026-06-03' },
  })
}

/** A card for the unit, made and taken. */
async function made(unitName: string): Promise<{ id: string; card: SimulatedCard }> {
  await idle(house)
  const reply = await until(
    'a card',
    () => house.issue(unitName),
    ({ status, body }) => status !== 502 || !body.meta.errorCode.endsWith('-offline'),
  )
  assert.equal(reply.status, 201, reply.text)
  await handed(reply.body.data.id)
  return { id: reply.body.data.id, card: dispenser.taken.at(-1)! }
}

/** The guest takes the card from the gate, if he has not done so. */
async function handed(keyId: string): Promise<void> {
  take(dispenser)
  await settledKey(house, keyId)
}

async function newestKey(unitName: string): Promise<string> {
  const { body } = await house.ask('GET', `/api/v2/access/keys?filter[unitName]=${unitName}&page[size]=100`)
  return String(body.data.at(-1).id)
}

async function reboot(): Promise<void> {
  await daemon.stop()
  for (const { misbehaviours } of [dispenser, lobby.encoder]) misbehaviours.length = 0
  await daemon.reboot()
}
