import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import driver from '../drivers/hkr1/driver.ts'
import { simulatedDoor } from '../src/demo/simulated-door.ts'
import { blankCards, cardImage, technologies } from '../src/simulators/devices/simulated-card.ts'
import { grant, night } from './drivers/hkr1/house.ts'
import { found, memoryEncoder } from './drivers/hkr1/memory-encoder.ts'

const credentials = driver.generate()
const connections = {
  'as it is set up at first': { siteId: 7, commonDoors: { Pool: 0, Garage: 2 } },
  'with places of its own': {
    siteId: 7,
    commonDoors: { Pool: 0, Garage: 2 },
    sector: 9,
    application: 'F48120',
    ownCardKey: true,
    pagePassword: true,
  },
}

for (const [name, connection] of Object.entries(connections))
  describe(`a simulated door of a house ${name}`, () => {
    for (const technology of technologies)
      it(`opens for a card of the kind ${technology} out of a file`, async () => {
        const [card] = blankCards(1, 'door', technology)
        const encoder = memoryEncoder(card!)
        await encoder.find()
        await driver.open(connection, credentials).write(encoder, found(card!), grant)
        const image: unknown = JSON.parse(JSON.stringify(cardImage(card!)))
        const program = { driver: driver.name, connection, credentials, memory: null }
        const opens = (where: { lock: string } | { commonDoor: string }) =>
          simulatedDoor({ ...program, where })?.present(image, night).opens
        assert.equal(opens({ lock: grant.lock }), true)
        assert.equal(opens({ lock: '102' }), false)
        assert.equal(opens({ commonDoor: 'Pool' }), true)
      })
  })

it('there is no simulated door of another lock system', () => {
  const program = { driver: 'other', connection: {}, credentials: {}, where: { lock: '1' }, memory: null }
  assert.equal(simulatedDoor(program), null)
})
