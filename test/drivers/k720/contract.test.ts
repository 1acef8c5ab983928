import type { Duplex } from 'node:stream'
import { duplexPair } from 'node:stream'
import { k720 } from '../../../drivers/k720/device.ts'
import { machine as imitate, insert } from '../../../drivers/k720/simulator/mechanics.ts'
import { simulateK720 } from '../../../drivers/k720/simulator/simulator.ts'
import { blankCards } from '../../../src/simulators/devices/simulated-card.ts'
import { take } from '../../../src/simulators/devices/simulated-card-path.ts'
import { testClock } from '../../test-clock.ts'
import { dispenserContract } from '../dispenser-contract.ts'
import { socketPair } from '../socket-pair.ts'

const clock = testClock()
const moves = {
  encoder: 'move-encoder',
  front: 'move-front',
  eject: 'move-eject',
  hold: 'move-encoder',
  capture: 'move-capture',
}
const models = [
  { model: 'k720', moves, over: 'memory' },
  { model: 'k750', moves: { ...moves, stacker: 'move-stacker' }, over: 'memory' },
  { model: 'k730', moves, over: 'TCP' },
]

for (const { model, moves, over } of models) {
  const open = (wire: Duplex) => k720(wire, { model, patience: 1, options: { address: 15 }, clock })

  dispenserContract(`k720 (${model}) over ${over}`, {
    open,
    setUp({ cards, ...rest }) {
      const machine = imitate({
        clock,
        model,
        address: 15,
        lowAt: 0,
        stack: blankCards(cards, 'stack', 'classic'),
        ...rest,
      })
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
          const { near, cut } = socketPair((far) => simulateK720(far, machine))
          return [open(near), cut] as const
        }
        const [box, far] = duplexPair()
        void simulateK720(far, machine)
        return [open(box), () => void far.destroy()] as const
      }
    },
    commands: { initialise: { hold: 'reset', capture: 'reset', leave: 'reset' }, move: moves },
    codes: { jam: '0020', motor: '0200' },
  })
}
