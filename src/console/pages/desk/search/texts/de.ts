import type { SearchTexts } from './en.ts'

export const de: SearchTexts = {
  search: 'Name, Nummer, Zimmer suchen',
  results: 'Gefunden',
  hint: 'Ein Teil des Namens genügt, ohne Akzente. Auch die vier Ziffern vom Kiosk werden gefunden.',
  none: 'Kein Gast, keine Nummer und kein Zimmer gefunden.',
  partly: 'Ein Teil der Suche hat nicht geantwortet.',
  walkIn: (text) => `Walk-in für „${text}“`,
  readCard: (place) => `Karte an ${place} lesen`,
  reading: 'Die Karte wird gelesen …',
  blank: 'Die Karte ist leer.',
  unknownCard: 'Die Karte gehört zu keinem Schlüssel dieses Hauses.',
  noStay: (room) => `Die Karte gehört zu keinem Aufenthalt. Sie ist für ${room}.`,
  noRoom: 'kein Zimmer',
  close: 'Suche schließen',
}
