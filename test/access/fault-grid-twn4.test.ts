import { after, before } from 'node:test'
import { blankCards } from '../../src/devices/simulated-card.ts'
import { dispensers, type FaultLobby, faultLobby } from './faults-lobby.ts'
import { playTables } from './faults-played.ts'

let lobby: FaultLobby
before(async () => {
  const dispenser = dispensers.k720()
  dispenser.cards.stack.push(...blankCards(10, null, 'classic'))
  lobby = await faultLobby(dispenser, 'twn4', 'classic')
})
after(() => lobby.stop())

playTables(() => lobby, {
  'the way of a card': {
    player: () => lobby.encoder,
    how: 'once',
    lines: [
      [
        'searchTag',
        1,
        'encoder-timeout not fed',
        'encoder-timeout not fed',
        '200 served',
        'encoder-offline not fed',
        'unsupported-operation not fed',
      ],
      [
        'searchTag',
        2,
        'encoder-timeout captured',
        'encoder-timeout captured',
        '200 served',
        'encoder-offline captured',
        'unsupported-operation captured',
      ],
      [
        'sak',
        1,
        'encoder-timeout captured',
        'encoder-timeout captured',
        '200 served',
        'encoder-offline captured',
        'unsupported-operation captured',
      ],
      [
        'login',
        1,
        'encoder-timeout captured',
        'encoder-timeout captured',
        '200 served',
        'encoder-offline captured',
        'unsupported-operation captured',
      ],
      [
        'readBlock',
        8,
        'encoder-timeout captured',
        'encoder-timeout captured',
        '200 served',
        'encoder-offline? captured',
        'unsupported-operation captured',
      ],
      [
        'rfOff',
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
