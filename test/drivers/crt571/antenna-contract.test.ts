import { duplexPair } from 'node:stream'
import driver from '../../../drivers/crt571/antenna-driver.ts'
import { machine, simulateCrt571 } from '../../../drivers/crt571/simulator/simulator.ts'
import type { SimulatedCard } from '../../../src/simulators/devices/simulated-card.ts'
import { encoderContract } from '../encoder-contract.ts'
import { socketPair } from '../socket-pair.ts'

// Of all models the F3 alone has a light, and with it every command there is.
const [model, word] = ['qu-tk-f3', 'qu-tk-f3-rf'] as const

encoderContract(`${word} over TCP`, {
  commands: {
    identify: 'rf-status',
    find: 'rf-activate',
    authenticate: 'rf-login',
    readBlock: 'rf-read',
    writeBlock: 'rf-write',
    readPages: 'rf-read',
    writePage: 'rf-write',
    off: 'rf-off',
    signal: 'light',
  },
  overSocket: true,
  asks: { silence: 3, late: 2 },
  wire: () => duplexPair(),
  open: (wire, clock, patience) => driver.open(wire, { model: word, patience, options: {}, clock }),
  setUp(clock, patience) {
    const cards: SimulatedCard[] = []
    const played = machine({ clock, model, initialised: true, cards: () => cards })
    const { near } = socketPair((far) => simulateCrt571(far, played))
    const encoder = driver.open(near, { model: word, patience, options: {}, clock })
    return { encoder, cards, misbehaviours: played.misbehaviours }
  },
})
