import { plural } from '../../../lib/format.ts'
import type { WalkInTexts } from '../texts.ts'

export const de: WalkInTexts = {
  title: 'Walk-in',
  local: 'Verkauf nach dem Stand im Haus: Was das PMS seither verkauft hat, fehlt hier vielleicht.',
  from: (date) => `Ab heute, ${date}`,
  until: 'Abreise',
  nights: (count) => plural(count, { one: '1 Nacht', other: `${count} Nächte` }),
  badDates: 'Die Abreise muss nach heute sein.',
  adults: 'Erwachsene',
  children: 'Kinder',
  type: 'Art des Zimmers',
  left: (count) => plural(count, { one: '1 frei', other: `${count} frei` }),
  soldOut: 'ausverkauft',
  aNight: (price) => `${price} je Nacht`,
  allSoldOut: 'Für diese Nächte ausverkauft. Versuchen Sie eine andere Abreise.',
  tooMany: (most) => `für höchstens ${most}`,
  lastName: 'Nachname',
  firstName: 'Vorname',
  nameNeeded: 'Schreiben Sie den Nachnamen. Ein einziger Name gehört auch hierher.',
  room: 'Zimmer',
  gone: 'Jemand war schneller: Dieses Zimmer ist vergeben. Wählen Sie ein anderes.',
  noRoom: 'Kein Zimmer dieser Art ist frei.',
  price: (currency) => `Preis des Aufenthalts (${currency})`,
  priceHint: 'Wie diese Art zuletzt verkauft wurde. Ändern Sie ihn, wenn er falsch ist.',
  pay: 'Bezahlt mit',
  later: 'Später bezahlen',
  refused:
    'Jemand war schneller, oder das Haus erlaubt es nicht. Was Sie geschrieben haben, bleibt: Wählen Sie ein anderes Zimmer oder eine andere Art.',
  book: 'Buchen, einchecken, Karte machen',
  bookOnly: 'Buchen und einchecken',
  clear: 'Formular leeren',
}
