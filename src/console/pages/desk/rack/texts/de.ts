import { plural } from '../../../lib/language/format.ts'
import type { RackTexts } from '../texts.ts'

export const de: RackTexts = {
  notCounted: 'Die freien Zimmer können jetzt nicht gezählt werden. Die Zimmer und ihre Gäste stimmen.',
  title: 'Zimmerplan',
  room: 'Zimmer',
  today: 'Heute',
  weekBefore: 'Woche davor',
  weekAfter: 'Woche danach',
  earlier: 'Früher in diesem Zimmer',
  later: 'Später in diesem Zimmer',
  roomAbove: 'Zimmer darüber',
  roomBelow: 'Zimmer darunter',
  noRooms: 'Noch keine Zimmer.',
  toSetup: 'In der Einrichtung anlegen',
  noRoom: 'kein Zimmer',
  withoutRoom: (count) => `Ohne Zimmer: ${count}`,
  freeRooms: 'Freie Zimmer',
  occupied: 'Belegt',
  free: (count) => `${count} frei`,
  andMore: 'Es gibt mehr Aufenthalte, als diese Seite zeigt.',
  newBooking: 'Neue Buchung',
  bookHint: 'Klicken Sie auf eine leere Nacht, um sie zu buchen, oder ziehen Sie über mehrere.',
  arrival: 'Anreise',
  book: 'Buchen',
  nightMore: 'Eine Nacht mehr',
  nightLess: 'Eine Nacht weniger',
  close: 'Schließen',
  cell: (room, day, nights) =>
    plural(nights, {
      one: `Neue Buchung: ${room}, ${day}, 1 Nacht`,
      other: `Neue Buchung: ${room}, ${day}, ${nights} Nächte`,
    }),
  moveChosen: 'In ein anderes Zimmer',
  move: (guest) => `Anderes Zimmer für ${guest}`,
  toRoom: 'Neues Zimmer',
  moveTo: (room) => `Nach ${room} verlegen`,
  nothingFree: 'Kein anderes Zimmer ist für den ganzen Aufenthalt frei.',
  keyIsOut:
    'Ein Schlüssel ist ausgegeben: Der Gast braucht eine neue Karte. Verlegen Sie ihn auf seinem Blatt.',
  openSheet: 'Gast öffnen',
  cancel: 'Abbrechen',
  isTried: 'Es wird geprüft, ob das geht …',
  consequence: (from, to) =>
    `Der Aufenthalt wechselt von ${from} nach ${to}. Kein Schlüssel ist ausgegeben, also ändert sich keine Karte.`,
  otherType: (from, to) => `Die Kategorie wechselt von ${from} nach ${to}. Der Preis bleibt, wie er ist.`,
  roomIs: (room, status) => `Zimmer ${room} jetzt: ${status}.`,
}
