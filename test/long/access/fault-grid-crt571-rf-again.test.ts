import { playTables } from '../../access/faults-played.ts'

playTables({ dispenser: 'crt571', encoder: 'built-in', technology: 'ultralight' }, (lobby) => ({
  'the way of a card': {
    player: () => lobby().encoder,
    codes: { 'rf-activate': '61', 'rf-read': '65' },
    how: 'once',
    lines: [
      ['rf-activate', 1, '200 served', '200 served', '200 served', 'encoder-offline not fed', '200 served'],
    ],
  },
  'the way of a card, again and again': {
    player: () => lobby().encoder,
    codes: { 'rf-activate': '61', 'rf-read': '65' },
    how: 'always',
    lines: [
      [
        'rf-activate',
        2,
        'encoder-timeout captured',
        'encoder-timeout captured',
        'encoder-timeout captured',
        'encoder-offline captured',
        'no-card captured',
      ],
      [
        'rf-read',
        1,
        'encoder-timeout captured',
        'encoder-timeout captured',
        'encoder-timeout captured',
        'encoder-offline captured',
        'card-incompatible captured',
      ],
    ],
  },
}))
