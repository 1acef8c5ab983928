import { playTables } from '../../access/faults-played.ts'

playTables({ dispenser: 'k720', encoder: 'twn4' }, (lobby) => ({
  'the way of a card': {
    player: () => lobby().dispenser,
    how: 'once',
    lines: [
      [
        'status',
        1,
        'dispenser-offline nothing',
        'dispenser-offline nothing',
        'dispenser-offline nothing',
        'dispenser-offline nothing',
        'dispenser-jam not fed',
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
        'dispenser-timeout? served',
        'dispenser-timeout? served',
        'dispenser-timeout? revoked',
        'dispenser-jam? revoked',
      ],
    ],
  },
  'a card that failed': {
    player: () => lobby().dispenser,
    how: 'once',
    // The first write is refused, and the card is to be captured.
    lead: () => lobby().encoder.misbehaviours.push({ at: 'writeBlock', does: 'refuse', code: '0000' }),
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
