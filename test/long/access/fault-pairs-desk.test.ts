import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { SimulatedCard } from '../../../src/simulators/devices/simulated-card.ts'
import { encoders, type FaultHouse, faultDesk } from '../../access/faults-lobby.ts'
import fc from '../../seed.ts'
import { passTime } from '../../test-clock.ts'
import { type Desk, deskPlays, deskWorld } from './pairs/desk.ts'
import { certain, play } from './pairs/play.ts'

const rounds = Number(process.env.NIGHTPORTER_PAIRS ?? 10)
/** It makes sure that faults strike. Most others are set up for a command that may not be given in their play. */
const first = certain({ do: 'issue' as const, guest: 0, unit: 0 }, 'encoder')

describe('two faults at a desk', () => {
  for (const model of ['twn4', 'ifd510'] as const)
    it(`${model}: what the store says is true of every card`, async () => {
      const lying: SimulatedCard[] = []
      let desk: FaultHouse | null = null
      let struck = 0
      after(() => desk?.stop())
      await fc.assert(
        fc.asyncProperty(deskPlays(), async (each) => {
          const found = desk ?? (await faultDesk(encoders[model]({ cards: () => lying })))
          desk = null
          try {
            struck += await play(deskWorld(deskOf(found, lying)), each)
            desk = found
          } finally {
            if (!desk) await found.stop()
          }
        }),
        { numRuns: rounds, endOnFailure: true, examples: [[first]] },
      )
      assert.ok(struck > 0, 'no fault has struck')
    })
})

function deskOf({ house, controllerId, encoder }: FaultHouse, lying: SimulatedCard[]): Desk {
  return {
    ask: house.ask,
    controllerId,
    encoder,
    lying,
    now: house.clock.now,
    pass: (how) => passTime(how === 'short' ? 1_000 : 75_000),
    restart: () => house.restart(),
    kill() {},
    async revive() {},
  }
}
