import { playTables } from '../../access/faults-played.ts'

playTables({ dispenser: 'k720', encoder: 'twn4' }, (lobby) => ({
  'the way of a card, again and again': {
    player: () => lobby().encoder,
    how: 'always',
    lines: [
      [
        'searchTag',
        2,
        'encoder-timeout captured',
        'encoder-timeout captured',
        'encoder-timeout captured',
        'encoder-offline captured',
        'unsupported-operation captured',
      ],
      [
        'sak',
        3,
        'encoder-timeout? captured',
        'encoder-timeout? captured',
        'encoder-timeout? captured',
        'encoder-offline? captured',
        'unsupported-operation? captured',
      ],
      [
        'login',
        1,
        'encoder-timeout captured',
        'encoder-timeout captured',
        'encoder-timeout captured',
        'encoder-offline captured',
        'unsupported-operation captured',
      ],
      [
        'readBlock',
        8,
        'encoder-timeout? captured',
        'encoder-timeout? captured',
        'encoder-timeout? captured',
        'encoder-offline? captured',
        'unsupported-operation? captured',
      ],
    ],
  },
}))
