import { playTables } from '../../access/faults-played.ts'

playTables({ dispenser: 'crt571', encoder: 'built-in', technology: 'ultralight' }, (lobby) => ({
  'the way of a card': {
    player: () => lobby().encoder,
    codes: { 'rf-activate': '61', 'rf-read': '65' },
    how: 'once',
    lines: [
      ['rf-activate', 2, '200 served', '200 served', '200 served', 'encoder-offline captured', '200 served'],
      ['rf-read', 1, '200 served', '200 served', '200 served', 'encoder-offline captured', '200 served'],
      [
        'rf-off',
        1,
        '200 served',
        '200 served',
        '200 served',
        'encoder-offline? captured',
        'vendor-error? captured',
      ],
    ],
  },
}))
