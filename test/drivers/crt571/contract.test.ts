import type { Duplex } from 'node:stream'
import { duplexPair } from 'node:stream'
import { crt571 } from '../../../drivers/crt571/device.ts'
import { machine as imitate, simulateCrt571 } from '../../../drivers/crt571/simulator.ts'
import { blankCards } from '../../../src/devices/simulated-card.ts'
import { insert, take } from '../../../src/devices/simulated-card-path.ts'
import { dispenserContract } from '../dispenser-contract.ts'

const moves = {
  encoder: 'move-encoder',
  front: 'move-front',
  hold: 'move-encoder',
  capture: 'move-capture',
}
const models = {
  crt591: { contacts: true, moves: { ...moves, chip: 'move-chip', eject: 'move-eject' } },
  'hb-hdn': { contacts: false, moves },
}

for (const [model, { contacts, moves }] of Object.entries(models)) {
  const open = (wire: Duplex) => crt571(wire, { model, patience: 0.1, options: { address: 5, contacts } })

  dispenserContract(`crt571 (${model})`, {
    open,
    setUp({ cards, ...rest }) {
      const machine = imitate({ model, address: 5, stack: blankCards(cards, 'stack', 'classic'), ...rest })
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
        void simulateCrt571(far, machine)
        return [open(box), far] as const
      }
    },
    commands: {
      initialise: { hold: 'initialise-hold', capture: 'initialise-capture', leave: 'initialise-leave' },
      move: moves,
    },
    codes: { jam: '10', motor: '51' },
  })
}
