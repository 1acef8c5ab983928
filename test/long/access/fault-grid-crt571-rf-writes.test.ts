import { playTables } from '../../access/faults-played.ts'

playTables({ dispenser: 'crt571', encoder: 'built-in', technology: 'ultralight' }, (lobby) => ({
  'the way of a card': {
    player: () => lobby().encoder,
    codes: { 'rf-write': '65' },
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
}))
