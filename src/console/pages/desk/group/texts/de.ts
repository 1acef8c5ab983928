import { plural } from '../../../lib/language/format.ts'
import type { GroupTexts } from '../texts.ts'

export const de: GroupTexts = {
  title: 'Zusammen einchecken',
  why: 'Jeder Aufenthalt ohne Zimmer bekommt eines, wie bei einem einzelnen Check-in. Die Karten können danach gemacht werden, ein Gast nach dem anderen.',
  checkIn: (count) => plural(count, { one: '1 Gast einchecken', other: `${count} Gäste einchecken` }),
  again: (count) =>
    plural(count, { one: '1 Gast noch einmal versuchen', other: `${count} Gäste noch einmal versuchen` }),
  ofBooking: (count) => `Alle ${count} dieser Buchung einchecken`,
  running: 'wird eingecheckt',
  done: 'im Haus',
  refused: (why) => `Nicht eingecheckt: ${why}`,
  allDone: 'Alle sind im Haus.',
  cards: 'Karten',
  cardsTitle: 'Karten dieser Buchung',
  cardsOfBooking: (count) => `Karten von ${count} Gästen dieser Buchung machen`,
  perRoom: 'eine für jedes Zimmer',
  perAdult: 'eine für jeden Erwachsenen',
  makeCards: (count) =>
    plural(count, { one: 'Karten von 1 Gast machen', other: `Karten von ${count} Gästen machen` }),
  makeNext: (name) => `Karte für ${name} machen`,
  goOn: 'Weiter mit dem nächsten Gast',
  stop: 'Hier aufhören',
  cardMade: 'hat die Karte',
  cardHad: 'hatte schon eine Karte',
  cardLeft: 'es fehlen Karten',
  noCard: (why) => `Keine Karte: ${why}`,
  allCards: 'Jeder Gast hat eine Karte.',
  clear: 'Auswahl beenden',
  close: 'Schließen',
}
