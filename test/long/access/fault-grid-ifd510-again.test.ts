import { playTables } from '../../access/faults-played.ts'

playTables({ dispenser: 'crt571', encoder: 'ifd510' }, (lobby) => ({
  'the way of a card, again and again': {
    player: () => lobby().encoder,
    how: 'always',
    lines: [
      [
        'request',
        2,
        'encoder-timeout captured',
        'encoder-timeout captured',
        'encoder-timeout captured',
        'encoder-offline captured',
        'unsupported-operation captured',
      ],
      [
        'serialOf',
        3,
        'encoder-timeout captured',
        'encoder-timeout captured',
        'encoder-timeout captured',
        'encoder-offline captured',
        'unsupported-operation captured',
      ],
      [
        'readBlock',
        1,
        'encoder-timeout captured',
        'encoder-timeout captured',
        'encoder-timeout captured',
        'encoder-offline captured',
        'unsupported-operation captured',
      ],
    ],
  },
}))
