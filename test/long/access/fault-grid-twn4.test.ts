import { playTables } from '../../access/faults-played.ts'

playTables({ dispenser: 'k720', encoder: 'twn4' }, (lobby) => ({
  'the way of a card': {
    player: () => lobby().encoder,
    how: 'once',
    lines: [
      [
        'searchTag',
        1,
        'encoder-timeout not fed',
        'encoder-timeout not fed',
        '200 served',
        'encoder-offline not fed',
        'unsupported-operation not fed',
      ],
      [
        'searchTag',
        2,
        'encoder-timeout captured',
        'encoder-timeout captured',
        '200 served',
        'encoder-offline captured',
        'unsupported-operation captured',
      ],
      [
        'sak',
        1,
        'encoder-timeout captured',
        'encoder-timeout captured',
        '200 served',
        'encoder-offline captured',
        'unsupported-operation captured',
      ],
      [
        'login',
        1,
        'encoder-timeout captured',
        'encoder-timeout captured',
        '200 served',
        'encoder-offline captured',
        'unsupported-operation captured',
      ],
      [
        'readBlock',
        8,
        'encoder-timeout captured',
        'encoder-timeout captured',
        '200 served',
        'encoder-offline? captured',
        'unsupported-operation captured',
      ],
      [
        'rfOff',
        1,
        'encoder-timeout captured',
        'encoder-timeout captured',
        '200 served',
        'encoder-offline? captured',
        'unsupported-operation captured',
      ],
    ],
  },
}))
