import { playTables } from '../../access/faults-played.ts'
import { writes } from '../../access/faults-writing.ts'

playTables({ dispenser: 'k720', encoder: 'twn4' }, (lobby) => ({
  'the way of a card': {
    player: () => lobby().encoder,
    codes: { writeBlock: '0000' },
    how: 'once',
    lines: writes,
  },
}))
