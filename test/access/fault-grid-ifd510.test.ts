import { after, before } from 'node:test'
import { blankCards } from '../../src/devices/simulated-card.ts'
import { dispensers, type FaultLobby, faultLobby } from './faults-lobby.ts'
import { playTables } from './faults-played.ts'

let lobby: FaultLobby
before(async () => {
  const dispenser = dispensers.crt571()
  dispenser.cards.stack.push(...blankCards(10, null, 'classic'))
  lobby = await faultLobby(dispenser, 'ifd510', 'classic')
})
after(() => lobby.stop())

playTables(() => lobby, {
  'the way of a card': {
    player: () => lobby.encoder,
    how: 'once',
    lines: [
      [
        'request',
        1,
        'encoder-timeout not fed',
        'encoder-timeout not fed',
        '200 served',
        'encoder-offline not fed',
        'unsupported-operation not fed',
      ],
      [
        'request',
        2,
        'encoder-timeout captured',
        'encoder-timeout captured',
        '200 served',
        'encoder-offline captured',
        'unsupported-operation captured',
      ],
      [
        'serialOf',
        1,
        'encoder-timeout captured',
        'encoder-timeout captured',
        '200 served',
        'encoder-offline captured',
        'unsupported-operation captured',
      ],
      [
        'readBlock',
        1,
        'encoder-timeout captured',
        'encoder-timeout captured',
        '200 served',
        'encoder-offline captured',
        'unsupported-operation captured',
      ],
      [
        'halt',
        1,
        'encoder-timeout captured',
        'encoder-timeout captured',
        '200 served',
        'encoder-offline? captured',
        'unsupported-operation captured',
      ],
    ],
  },
})
