import type { Duplex } from 'node:stream'
import { duplexPair } from 'node:stream'
import { crt571 } from '../../../drivers/crt571/device.ts'
import { machine as imitate, simulateCrt571 } from '../../../drivers/crt571/simulator/simulator.ts'
import { blankCards } from '../../../src/simulators/devices/simulated-card.ts'
import { insert, take } from '../../../src/simulators/devices/simulated-card-path.ts'
import { testClock } from '../../test-clock.ts'
import { dispenserContract } from '../dispenser-contract.ts'
import { socketPair } from '../socket-pair.ts'

const clock = testClock()
const moves = {
  encoder: 'move-encoder',
  front: 'move-front',
  hold: 'move-encoder',
  capture: 'move-capture',
}
const models = [
  {
    model: 'crt591',
    contacts: true,
    moves: { ...moves, chip: 'move-chip', eject: 'move-eject' },
    over: 'memory',
  },
  { model: 'hb-hdn', contacts: false, moves, over: 'memory' },
  { model: 'qu-tk-f3', contacts: false, moves: { ...moves, eject: 'move-eject' }, over: 'TCP' },
]

for (const { model, contacts, moves, over } of models) {
  const options = { address: 5, contacts }
  const open = (wire: Duplex) => crt571(wire, { model, patience: 1, options, clock })

  dispenserContract(`crt571 (${model}) over ${over}`, {
    open,
    setUp({ cards, ...rest }) {
      const stack = blankCards(cards, 'stack', 'classic')
      const machine = imitate({ clock, model, address: 5, stack, ...rest })
      let [dispenser, cut] = connect()
      return {
        dispenser,
        machine,
        take: () => take(machine),
        insert: (card) => insert(machine, card),
        cut: () => cut(),
        reconnect() {
          ;[dispenser, cut] = connect()
          return dispenser
        },
      }

      function connect() {
        if (over === 'TCP') {
          const { near, cut } = socketPair((far) => simulateCrt571(far, machine))
          return [open(near), cut] as const
        }
        const [box, far] = duplexPair()
        void simulateCrt571(far, machine)
        return [open(box), () => void far.destroy()] as const
      }
    },
    commands: {
      initialise: { hold: 'initialise-hold', capture: 'initialise-capture', leave: 'initialise-leave' },
      move: moves,
    },
    codes: { jam: '10', motor: '51' },
  })
}
