import type { Duplex } from 'node:stream'
import { duplexPair } from 'node:stream'
import { k720 } from '../../../drivers/k720/device.ts'
import { machine as imitate, insert } from '../../../drivers/k720/mechanics.ts'
import { simulateK720 } from '../../../drivers/k720/simulator.ts'
import { blankCards } from '../../../src/devices/simulated-card.ts'
import { take } from '../../../src/devices/simulated-card-path.ts'
import { dispenserContract } from '../dispenser-contract.ts'

const moves = {
  encoder: 'move-encoder',
  front: 'move-front',
  eject: 'move-eject',
  hold: 'move-encoder',
  capture: 'move-capture',
}
const models = { k720: moves, k750: { ...moves, stacker: 'move-stacker' } }

for (const [model, moves] of Object.entries(models)) {
  const open = (wire: Duplex) => k720(wire, { model, patience: 0.02, options: { address: 15 } })

  dispenserContract(`k720 (${model})`, {
    open,
    setUp({ cards, ...rest }) {
      const machine = imitate({
        model,
        address: 15,
        lowAt: 0,
        stack: blankCards(cards, 'stack', 'classic'),
        ...rest,
      })
      let [dispenser, far] = connect()
      return {
        dispenser,
        machine,
        take: () => take(machine),
        insert: (card) => insert(machine, card),
        cut: () => void far.destroy(),
        reconnect() {
          ;[dispenser, far] = connect()
          return dispenser
        },
      }

      function connect() {
        const [box, far] = duplexPair()
        void simulateK720(far, machine)
        return [open(box), far] as const
      }
    },
    commands: { initialise: { hold: 'reset', capture: 'reset', leave: 'reset' }, move: moves },
    codes: { jam: '0020', motor: '0200' },
  })
}
