import type { ActivityTexts } from '../texts.ts'

export const de: ActivityTexts = {
  title: 'Aktivität',
  time: 'Zeit',
  who: 'Wer',
  what: 'Was geschah',
  about: 'Gast, Zimmer',
  person: 'Person',
  everybody: 'Alle',
  allRooms: 'Alle Zimmer',
  day: 'Tag',
  newer: 'Neueres',
  older: 'Älteres',
  none: 'Hier ist nichts.',
  roomStatus: 'Zimmerstatus',
  blocked: (dates) => `Gesperrt: ${dates}`,
  unblocked: (dates) => `Sperre aufgehoben: ${dates}`,
  box: 'Die Box',
  bounded: 'Von einem Zimmer werden die neuesten Aufenthalte mit Schlüsseln und Zahlungen durchsucht.',
}
