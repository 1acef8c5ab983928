import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { bookOf } from '../../drivers/fias/simulator/key-book.ts'
import { keySystem } from '../../drivers/fias/simulator/key-system-simulator.ts'
import { type LockPc, lay, lift } from '../../drivers/industry-standard/simulator/lock-pc.ts'
import { startAppliance, type TestAppliance } from '../appliance.ts'
import { creator } from './faults-online.ts'
import { until } from './house-with-doors.ts'
import { cardOf } from './key-maker.ts'
import { blankCard, lockPcDesk } from './lock-pc-desk.ts'
import { sockets } from './sockets.ts'

/** A person lays the cards on an encoder of the lock system, which overwrites any card. */
let house: TestAppliance
let pc: LockPc
let desk: string
const plugs = sockets()

before(async () => {
  house = await startAppliance()
  const rooms = ['101', '102', '103', '104', '105']
  const options = { cardWaitMs: 3_000 }
  ;({ pc, desk } = await lockPcDesk(house, plugs, { rooms, options, timeoutMs: 8_000 }))
})
beforeEach(() => {
  lift(pc, 1)
})
after(async () => {
  await house.stop()
  plugs.close()
})

const batch = (unitName: string, quantity: number, at = desk) =>
  house.ask('POST', `/api/v2/access/controllers/${at}/keys`, cardOf(unitName, { quantity }))

const statuses = async (unitName: string): Promise<string[]> =>
  (await house.ask('GET', `/api/v2/access/keys?filter[unitName]=${unitName}&sort=createdAt`)).body.data.map(
    ({ attributes }: { attributes: { status: string } }) => attributes.status,
  )
const settled = (unitName: string, count: number) =>
  until(
    'the keys',
    () => statuses(unitName),
    (found) => found.length === count && found.every((status) => status === 'live'),
  )
const reads = () => pc.requests.filter((request) => request.includes('LT')).length

for (const reportsUid of [true, false])
  describe(`a batch at an encoder of a lock system that ${reportsUid ? 'reports' : 'does not report'} serial numbers`, () => {
    const [both, left] = reportsUid ? ['101', '102'] : ['103', '104']
    before(() => {
      pc.reportsUid = reportsUid
    })

    it('writes the next key when the card before was taken away', async () => {
      lay(pc, 1, blankCard())
      const asked = batch(both!, 2)
      await settled(both!, 1)
      const before = reads()
      await until(
        'a look at the card that still lies there',
        () => reads(),
        (count) => count > before + 1,
      )
      assert.deepEqual(await statuses(both!), ['live'])
      lift(pc, 1)
      lay(pc, 1, blankCard())
      const { status, body, text } = await house.during(asked)
      assert.deepEqual([status, body.succeeded, body.errorCode], [201, 2, null], text)
      assert.deepEqual(await statuses(both!), ['live', 'live'])
    })

    it('stops where the first card is left lying, and the first key stays what it is', async () => {
      lay(pc, 1, blankCard())
      const { status, body, text } = await house.during(batch(left!, 2))
      assert.deepEqual(
        [status, body.succeeded, body.errorCode, body.failedIndex],
        [201, 1, 'no-card', 1],
        text,
      )
      assert.deepEqual(await statuses(left!), ['live'])
    })
  })

describe('a batch at an encoder whose lock system reads no cards', () => {
  /** A key system in which the same card always lies on the encoder. */
  async function fias(room: string, leavesOut: readonly string[]) {
    const typical = keySystem({ clock: house.clock }).wanted
    const system = keySystem({
      clock: house.clock,
      wanted: typical.filter(([id]) => id !== 'KZ'),
      leavesOut,
      book: bookOf([room], () => 'AA000001'),
    })
    const path = await plugs.plugIn((wire) => system.play(wire))
    const create = creator(house.ask)
    const providerId = await create('access-providers', {
      name: `Key system of ${room}`,
      driver: 'fias-key',
      connection: { path, direction: 'connect', framing: 'tcp', patience: 1 },
      unitMapping: [{ unitName: room, externalCode: room }],
    })
    const encoder = { providerId, kind: 'encoder', keyType: 'keyCard', externalCode: '1' }
    const controllerId = await create('access-controllers', { name: `Bar ${room}`, ...encoder })
    const answer = await until(
      'the line',
      () => batch(room, 2, controllerId),
      ({ status }) => status === 201,
    )
    return { answer, requests: () => system.requests.filter(({ id }) => id === 'KR').length }
  }

  it('stops when a key was written over the card of the first, which then is on no card', async () => {
    const { answer } = await fias('101', [])
    const { succeeded, errorCode, keyIds } = answer.body
    assert.deepEqual([succeeded, errorCode, keyIds.length], [1, 'no-card', 1], answer.text)
    const [first, second] = (
      await house.ask('GET', '/api/v2/access/keys?filter[uid]=AA000001&sort=createdAt')
    ).body.data
    assert.deepEqual([first.attributes.status, first.attributes.mayOpen], ['removed', false])
    assert.deepEqual([second.id, second.attributes.status], [keyIds[0], 'live'])
  })

  it('makes one card a request where no serial number is reported either', async () => {
    const { answer, requests } = await fias('102', ['$2'])
    assert.deepEqual([answer.body.succeeded, answer.body.errorCode], [1, 'no-card'], answer.text)
    assert.equal(requests(), 1)
  })
})
