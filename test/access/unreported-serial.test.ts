import assert from 'node:assert/strict'
import type { Duplex } from 'node:stream'
import { it } from 'node:test'
import { bookOf } from '../../drivers/fias/simulator/key-book.ts'
import { keySystem } from '../../drivers/fias/simulator/key-system-simulator.ts'
import { lockPc } from '../../drivers/industry-standard/simulator/lock-pc.ts'
import { simulateLockPc } from '../../drivers/industry-standard/simulator/simulator.ts'
import type { Clock } from '../../src/host/clock.ts'
import { startAppliance } from '../appliance.ts'
import { firstCard, until } from './house-with-doors.ts'
import { sockets } from './sockets.ts'

const rooms = ['101', '102']

/** Lock systems that report the same number for every card. */
const systems: [
  driver: string,
  connection: object,
  play: (clock: Clock, uid: string) => (wire: Duplex) => Promise<void>,
][] = [
  [
    'fias-key',
    { direction: 'connect', framing: 'tcp', patience: 1 },
    (clock, uid) => keySystem({ clock, book: bookOf(rooms, () => uid) }).play,
  ],
  [
    'industry-standard',
    { patience: 1 },
    (clock, uid) => {
      const options = { nextCard: () => ({ uid, holds: null }) }
      const pc = lockPc({ clock, rooms, encoders: [1], shown: () => '202606011200', options })
      return (wire) => simulateLockPc(wire, pc)
    },
  ],
]

for (const [driver, connection, play] of systems)
  for (const uid of ['00000000', 'FFFFFFFFFFFFFF'])
    it(`${driver}: ${uid} is the serial number of no card, so a key of another room is not taken for overwritten`, async (test) => {
      const house = await startAppliance()
      const plugs = sockets()
      test.after(async () => {
        await house.stop()
        plugs.close()
      })
      const path = await plugs.plugIn(play(house.clock, uid))
      const create = async (kind: string, body: object) => {
        const made = await house.ask('POST', `/api/config/v1/${kind}`, { body })
        assert.equal(made.status, 201, made.text)
        return String(made.body.data.id)
      }
      const unitMapping = rooms.map((unitName) => ({ unitName, externalCode: unitName }))
      const provider = { name: 'Locks', driver, connection: { path, ...connection }, unitMapping }
      const providerId = await create('access-providers', provider)
      const desk = { name: 'Desk', providerId, kind: 'encoder', keyType: 'keyCard', externalCode: '1' }
      const controllerId = await create('access-controllers', desk)
      const keyFor = (unitName: string) =>
        until(
          'a key',
          () =>
            house.ask('POST', `/api/v2/access/controllers/${controllerId}/key`, {
              body: firstCard(unitName),
            }),
          ({ status }) => status === 201,
        )
      const { id } = (await keyFor('101')).body.data
      const other = (await keyFor('102')).body.data
      assert.equal(other.attributes.uid, null)
      const first = (await house.ask('GET', `/api/v2/access/keys/${id}`)).body.data.attributes
      assert.deepEqual([first.status, first.proof, first.mayOpen], ['live', null, true])
    })
