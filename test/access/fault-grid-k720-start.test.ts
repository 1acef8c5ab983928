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

const startAnew = () =>
  lobby.house.ask('POST', `/api/v2/access/dispensers/${lobby.house.dispenserId}/reset-cache`)

playTables(() => lobby, {
  'a start': {
    player: () => lobby.dispenser,
    how: 'once',
    lead: startAnew,
    lines: [
      [
        'version',
        1,
        'dispenser-offline nothing',
        'dispenser-offline nothing',
        'dispenser-offline nothing',
        'dispenser-offline nothing',
        '200 served',
      ],
      [
        'settings',
        1,
        'dispenser-offline nothing',
        'dispenser-offline nothing',
        'dispenser-offline nothing',
        'dispenser-offline nothing',
        '200 served',
      ],
      [
        'reset',
        1,
        'dispenser-offline nothing',
        'dispenser-offline nothing',
        'dispenser-offline nothing',
        'dispenser-offline nothing',
        'dispenser-jam nothing',
      ],
      [
        'entry-off',
        1,
        'dispenser-offline nothing',
        'dispenser-offline nothing',
        'dispenser-offline nothing',
        'dispenser-offline nothing',
        'dispenser-jam not fed',
      ],
    ],
  },
})
