import assert from 'node:assert/strict'
import { after, it } from 'node:test'
import { type HouseWithPins, houseWithPins } from '../../access/house-with-pins.ts'
import fc from '../../seed.ts'
import { passTime } from '../../test-clock.ts'
import { type PinHouse, pinPlays, pinWorld } from './pairs/pins.ts'
import { certain, play } from './pairs/play.ts'

const rounds = Number(process.env.NIGHTPORTER_PAIRS ?? 10)
/** It makes sure that faults strike. Most others are set up for a command that may not be given in their play. */
const first = certain({ do: 'issue' as const, guest: 0, unit: 0, inDays: 0, nights: 2 }, 'cloud')

it('PINs behind a lock cloud, with two faults: what the store says is true at every lock', async () => {
  let house: HouseWithPins | null = null
  let struck = 0
  after(() => house?.stop())
  await fc.assert(
    fc.asyncProperty(pinPlays({ kills: false }), async (each) => {
      const found = house ?? (await houseWithPins())
      house = null
      try {
        struck += await play(pinWorld(pinHouse(found)), each)
        house = found
      } finally {
        if (!house) await found.stop()
      }
    }),
    { numRuns: rounds, endOnFailure: true, examples: [[first]] },
  )
  assert.ok(struck > 0, 'no fault has struck')
})

const spans = { short: 1_000, long: 75_000, days: 3 * 86_400_000 }

/** Days go by at once; what is due is done after them. */
function pinHouse({ ask, cloud, controllerId, clock, restart }: HouseWithPins): PinHouse {
  return {
    ask,
    cloud,
    controllerId,
    now: clock.now,
    async pass(how) {
      if (how === 'days') clock.advance(spans.days)
      await passTime(how === 'days' ? spans.short : spans[how])
    },
    restart,
    kill() {},
    async revive() {},
  }
}
