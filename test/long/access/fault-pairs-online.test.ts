import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { profileOf } from '../../../drivers/crt571/protocol.ts'
import { type OnlineHouse, onlineHouse, onlineSystems } from '../../access/faults-online.ts'
import fc from '../../seed.ts'
import { passTime } from '../../test-clock.ts'
import { type OnlineDeed, type OnlinePlace, onlinePlays, onlineWorld } from './pairs/online.ts'
import { certain, type Play, play } from './pairs/play.ts'

const rounds = Number(process.env.NIGHTPORTER_PAIRS ?? 5)
/** It makes sure that faults strike. Most others are set up for a command that may not be given in their play. */
const first = certain({ do: 'issue' as const, guest: 0, unit: 0, nights: 2 }, 'system')

/** The card that replaces the first is left at the gate: the lock system has canceled the first by then. */
const leftAtGate: Play<OnlineDeed> = {
  deeds: [
    { deed: { do: 'issue', guest: 0, unit: 0, nights: 2 }, together: false },
    { deed: { do: 'restart' }, together: true },
    { deed: { do: 'take' }, together: false },
    { deed: { do: 'issue', guest: 0, unit: 0, nights: 4 }, together: true },
  ],
  faults: [
    { before: 0, wire: 'dispenser', command: null, skip: 0, does: 'silence' },
    { before: 0, wire: 'system', command: 2, skip: 0, does: 'late' },
  ],
}

describe('two faults at a lock system that writes the cards', () => {
  for (const name of Object.keys(onlineSystems) as (keyof typeof onlineSystems)[])
    for (const place of ['desk', 'dispenser'] as const)
      it(`${name}, ${place}: what the store says is true by the books of the lock system`, async () => {
        let house: OnlineHouse | null = null
        let struck = 0
        after(() => house?.stop())
        await fc.assert(
          fc.asyncProperty(onlinePlays(place, { kills: false }), async (each) => {
            const found = house ?? (await onlineHouse(name, place === 'dispenser'))
            house = null
            try {
              struck += await play(onlineWorld(placeIn(found, place)), each)
              house = found
            } finally {
              if (!house) await found.stop()
            }
          }),
          {
            numRuns: rounds,
            endOnFailure: true,
            examples: place === 'dispenser' ? [[first], [leftAtGate]] : [[first]],
          },
        )
        assert.ok(struck > 0, 'no fault has struck')
      })
})

function placeIn(house: OnlineHouse, place: 'desk' | 'dispenser'): OnlinePlace {
  const { lobby, system, controllers, dispenserId } = house
  const commands = Object.keys(profileOf('crt571').commands)
  Object.assign(lobby.dispenser, { takenAfterMs: null, binCapacity: 1_000 })
  const device = Object.assign(lobby.dispenser, { commands })
  return {
    ask: house.ask,
    system,
    controllerId: controllers[place],
    dispenser: place === 'dispenser' ? { id: dispenserId, device } : null,
    now: house.clock.now,
    pass: (how) => passTime(how === 'short' ? 1_000 : 75_000),
    restart: () => house.restart(),
    kill() {},
    async revive() {},
  }
}
