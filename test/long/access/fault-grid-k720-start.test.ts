import { playTables, startAnew } from '../../access/faults-played.ts'

playTables({ dispenser: 'k720', encoder: 'twn4' }, (lobby) => ({
  'a start': {
    player: () => lobby().dispenser,
    how: 'once',
    lead: () => startAnew(lobby()),
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
}))
