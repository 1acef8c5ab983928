import { after, before } from 'node:test'
import { blankCards } from '../../src/devices/simulated-card.ts'
import { dispensers, type FaultLobby, faultLobby } from './faults-lobby.ts'
import { playTables } from './faults-played.ts'

let lobby: FaultLobby
before(async () => {
  const dispenser = dispensers.crt571()
  dispenser.cards.stack.push(...blankCards(10, null, 'ultralight'))
  lobby = await faultLobby(dispenser, 'built-in', 'ultralight')
})
after(() => lobby.stop())

playTables(() => lobby, {
  'the way of a card': {
    player: () => lobby.encoder,
    codes: { 'rf-activate': '61', 'rf-read': '65', 'rf-write': '65' },
    how: 'once',
    lines: [
      [
        'rf-write',
        1,
        'encoder-timeout-writing? captured',
        'encoder-timeout-writing? captured',
        'encoder-timeout-writing? captured',
        'encoder-timeout-writing? captured',
        'card-write-protected captured',
      ],
      [
        'rf-write',
        12,
        'encoder-timeout-writing? captured',
        'encoder-timeout-writing? captured',
        'encoder-timeout-writing? captured',
        'encoder-timeout-writing? captured',
        'card-write-protected captured',
      ],
    ],
  },
})
