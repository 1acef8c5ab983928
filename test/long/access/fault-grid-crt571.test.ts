import { playTables } from '../../access/faults-played.ts'

playTables({ dispenser: 'crt571', encoder: 'ifd510' }, (lobby) => ({
  'the way of a card': {
    player: () => lobby().dispenser,
    how: 'once',
    lines: [
      [
        'status',
        1,
        '200 served',
        '200 served',
        '200 served',
        'dispenser-offline nothing',
        'dispenser-jam nothing',
      ],
      [
        'move-encoder',
        1,
        'dispenser-offline not fed',
        'dispenser-timeout? captured',
        'dispenser-timeout? captured',
        'dispenser-timeout? not fed',
        'dispenser-jam not fed',
      ],
      [
        'move-front',
        1,
        'dispenser-offline revoked',
        '200 served',
        '200 served',
        'dispenser-timeout? revoked',
        'dispenser-jam? revoked',
      ],
    ],
  },
  'the way of a card, again and again': {
    player: () => lobby().dispenser,
    how: 'always',
    lines: [
      [
        'status',
        1,
        'dispenser-offline nothing',
        'dispenser-offline nothing',
        'dispenser-offline nothing',
        'dispenser-offline nothing',
        'dispenser-jam nothing',
      ],
    ],
  },
  'a card that failed': {
    player: () => lobby().dispenser,
    how: 'once',
    // The first write is refused, and the card is to be captured.
    lead: () => lobby().encoder.misbehaviours.push({ at: 'writeBlock', does: 'refuse', code: '8C' }),
    lines: [
      [
        'move-capture',
        1,
        'card-write-protected? captured',
        'card-write-protected? captured',
        'card-write-protected? captured',
        'card-write-protected? captured',
        'card-write-protected? captured',
      ],
    ],
  },
}))
