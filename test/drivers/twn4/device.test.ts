import { type Duplex, duplexPair } from 'node:stream'
import driver from '../../../drivers/twn4/driver.ts'
import type { Twn4CommandName } from '../../../drivers/twn4/protocol.ts'
import { reader, simulateTwn4 } from '../../../drivers/twn4/simulator/simulator.ts'
import type { SimulatedCard } from '../../../src/devices/simulator/simulated-card.ts'
import type { Clock } from '../../../src/host/clock.ts'
import type { CardMethod, Method } from '../encoder-calls.ts'
import { encoderContract } from '../encoder-contract.ts'

const commands: Record<Method | CardMethod, Twn4CommandName> = {
  identify: 'version',
  find: 'searchTag',
  authenticate: 'login',
  readBlock: 'readBlock',
  writeBlock: 'writeBlock',
  readPages: 'readPages',
  writePage: 'writePage',
  off: 'rfOff',
  signal: 'setOutputs',
  unlockPages: 'unlockNtag',
  'desfire.select': 'selectApplication',
  'desfire.authenticate': 'authenticate',
  'desfire.settings': 'keySettings',
  'desfire.file': 'fileSettings',
  'desfire.read': 'readFile',
  'desfire.write': 'writeFile',
  'desfire.createApplication': 'createApplication',
  'desfire.createFile': 'createFile',
  'desfire.changeKey': 'changeKey',
  'desfire.format': 'formatCard',
}

const modes = {
  twn4: { crc: false, binary: false },
  'twn4 with CRC': { crc: true, binary: false },
  'twn4 in binary mode with CRC': { crc: true, binary: true },
}

for (const [name, options] of Object.entries(modes)) {
  const open = (wire: Duplex, clock: Clock, patience: number) =>
    driver.open(wire, { model: 'twn4', patience, options, clock })
  const machine = (clock: Clock) => {
    const cards: SimulatedCard[] = []
    const played = reader({ clock, antenna: { cards: () => cards }, ...options })
    return { cards, misbehaviours: played.misbehaviours, play: (wire: Duplex) => simulateTwn4(wire, played) }
  }

  encoderContract(name, {
    commands,
    wire: () => duplexPair(),
    open,
    machine,
    setUp(clock, patience) {
      const [box, far] = duplexPair()
      const { cards, misbehaviours, play } = machine(clock)
      void play(far)
      return { encoder: open(box, clock, patience), cards, misbehaviours }
    },
  })
}
