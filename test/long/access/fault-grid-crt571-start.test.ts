import { playTables, startAnew } from '../../access/faults-played.ts'

playTables({ dispenser: 'crt571', encoder: 'ifd510' }, (lobby) => ({
  'a start': {
    player: () => lobby().dispenser,
    how: 'once',
    lead: () => startAnew(lobby()),
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
}))
