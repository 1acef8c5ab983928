import { duplexPair } from 'node:stream'
import type { Twn4CommandName } from '../../../drivers/twn4/protocol.ts'
import type { CardMethod, Method } from '../encoder-calls.ts'
import { encoderContract } from '../encoder-contract.ts'
import { modes } from './modes.ts'

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

for (const { name, open, machine } of modes)
  encoderContract(name, {
    commands,
    wire: () => duplexPair(),
    open,
    setUp(clock, patience) {
      const [box, far] = duplexPair()
      const { cards, misbehaviours, play } = machine(clock)
      void play(far)
      return { encoder: open(box, clock, patience), cards, misbehaviours }
    },
  })
