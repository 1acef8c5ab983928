import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import { dispensers, type FaultLobby, faultLobby } from '../../access/faults-lobby.ts'
import fc from '../../seed.ts'
import { passTime } from '../../test-clock.ts'
import { plays } from './pairs/deeds.ts'
import { type Lobby, lobbyWorld } from './pairs/lobby.ts'
import { certain, play } from './pairs/play.ts'

/** Every dispenser and every encoder, with another technology of cards each. */
const lobbies = [
  ['crt571', 'twn4', 'classic'],
  ['k720', 'twn4', 'desfire'],
  ['crt571', 'ifd510', 'classic'],
  ['k720', 'ifd510', 'ultralight'],
  ['crt571', 'built-in', 'ntag'],
] as const

const rounds = Number(process.env.NIGHTPORTER_PAIRS ?? 10)
/** It makes sure that faults strike. Most others are set up for a command that may not be given in their play. */
const first = certain({ do: 'issue' as const, guest: 0, unit: 0 }, 'dispenser')

describe('two faults at once', () => {
  for (const [dispenser, encoder, technology] of lobbies) {
    it(`${dispenser} with ${encoder}, ${technology} cards: what the store says is true of every card`, async () => {
      let lobby: FaultLobby | null = null
      let struck = 0
      after(() => lobby?.stop())
      await fc.assert(
        fc.asyncProperty(plays({ kills: false }), async (each) => {
          const found = lobby ?? (await faultLobby(machine(), encoder, technology))
          lobby = null
          try {
            struck += await play(lobbyWorld(lobbyOf(found)), each)
            lobby = found
          } finally {
            if (!lobby) await found.stop()
          }
        }),
        { numRuns: rounds, endOnFailure: true, examples: [[first]] },
      )
      assert.ok(struck > 0, 'no fault has struck')

      function machine() {
        const made = dispensers[dispenser]()
        Object.assign(made.cards, { takenAfterMs: null, binCapacity: 1_000 })
        return made
      }
    })
  }
})

/** The virtual clock lets minutes go by at once. Here the program is stopped and started in order. */
function lobbyOf({ house, dispenser, encoder, technology }: FaultLobby): Lobby {
  return {
    ask: house.ask,
    dispenserId: house.dispenserId,
    controllerId: house.controllerId,
    cards: dispenser.cards,
    technology,
    dispenser,
    encoder,
    now: house.clock.now,
    pass: (how) => passTime(how === 'short' ? 1_000 : 75_000),
    restart: () => house.restart(),
    kill() {},
    async revive() {},
  }
}
