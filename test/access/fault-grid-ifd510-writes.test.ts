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
    codes: { writeBlock: '84' },
    how: 'once',
    lines: [
      [
        'writeBlock',
        1,
        'encoder-timeout-writing? captured',
        'encoder-timeout-writing? captured',
        'encoder-timeout-writing? captured',
        'encoder-timeout-writing? captured',
        'card-write-protected captured',
      ],
      [
        'writeBlock',
        2,
        'encoder-timeout-writing? captured',
        'encoder-timeout-writing? captured',
        'encoder-timeout-writing? captured',
        'encoder-timeout-writing? captured',
        'card-write-protected captured',
      ],
      [
        'writeBlock',
        3,
        'encoder-timeout-writing? captured',
        'encoder-timeout-writing? captured',
        'encoder-timeout-writing? captured',
        'encoder-timeout-writing? captured',
        'card-verify-failed? captured',
      ],
      [
        'writeBlock',
        4,
        'encoder-timeout-writing? captured',
        'encoder-timeout-writing? captured',
        'encoder-timeout-writing? captured',
        'encoder-timeout-writing? captured',
        'card-write-protected captured',
      ],
    ],
  },
})
