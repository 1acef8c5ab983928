import { duplexPair } from 'node:stream'
import driver from '../../../drivers/twn4/driver.ts'
import { reader, simulateTwn4 } from '../../../drivers/twn4/simulator.ts'
import { encoderContract } from '../encoder-contract.ts'

const commands = {
  identify: 'version',
  find: 'searchTag',
  authenticate: 'login',
  readBlock: 'readBlock',
  writeBlock: 'writeBlock',
  readPages: 'readPages',
  writePage: 'writePage',
  off: 'rfOff',
  signal: 'setOutputs',
}

for (const crc of [false, true])
  encoderContract(crc ? 'twn4 with CRC' : 'twn4', {
    commands,
    wire: () => duplexPair(),
    open: (wire, patience) => driver.open(wire, { model: 'twn4', patience, options: { crc } }),
    setUp(patience) {
      const [box, machine] = duplexPair()
      const played = reader({ antenna: { cards: () => cards }, crc })
      const cards: ReturnType<typeof played.antenna.cards>[number][] = []
      void simulateTwn4(machine, played)
      const encoder = driver.open(box, { model: 'twn4', patience, options: { crc } })
      return { encoder, cards, misbehaviours: played.misbehaviours }
    },
  })
