import { playTables } from '../../access/faults-played.ts'
import { writes } from '../../access/faults-writing.ts'

playTables({ dispenser: 'crt571', encoder: 'ifd510' }, (lobby) => ({
  'the way of a card': {
    player: () => lobby().encoder,
    codes: { writeBlock: '84' },
    how: 'once',
    lines: writes,
  },
}))
