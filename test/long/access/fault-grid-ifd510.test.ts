import { playTables } from '../../access/faults-played.ts'

playTables({ dispenser: 'crt571', encoder: 'ifd510' }, (lobby) => ({
  'the way of a card': {
    player: () => lobby().encoder,
    how: 'once',
    lines: [
      [
        'request',
        1,
        'encoder-timeout not fed',
        'encoder-timeout not fed',
        '200 served',
        'encoder-offline not fed',
        'unsupported-operation not fed',
      ],
      [
        'request',
        2,
        'encoder-timeout captured',
        'encoder-timeout captured',
        '200 served',
        'encoder-offline captured',
        'unsupported-operation captured',
      ],
      [
        'serialOf',
        1,
        'encoder-timeout captured',
        'encoder-timeout captured',
        '200 served',
        'encoder-offline captured',
        'unsupported-operation captured',
      ],
      [
        'readBlock',
        1,
        'encoder-timeout captured',
        'encoder-timeout captured',
        '200 served',
        'encoder-offline captured',
        'unsupported-operation captured',
      ],
      [
        'halt',
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
