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

const startAnew = () =>
  lobby.house.ask('POST', `/api/v2/access/dispensers/${lobby.house.dispenserId}/reset-cache`)

playTables(() => lobby, {
  'a start': {
    player: () => lobby.dispenser,
    how: 'once',
    lead: startAnew,
    lines: [
      [
        'initialise-leave',
        1,
        '200 served',
        'dispenser-offline nothing',
        'dispenser-offline nothing',
        'dispenser-offline nothing',
        'dispenser-jam nothing',
      ],
      [
        'serial',
        1,
        '200 served',
        '200 served',
        '200 served',
        'dispenser-offline nothing',
        'dispenser-jam nothing',
      ],
      [
        'version',
        1,
        '200 served',
        '200 served',
        '200 served',
        'dispenser-offline nothing',
        'dispenser-jam nothing',
      ],
    ],
  },
})
