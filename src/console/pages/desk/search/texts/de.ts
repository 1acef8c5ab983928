import type { SearchTexts } from '../texts.ts'

export const de: SearchTexts = {
  search: 'Name, Nummer, Zimmer suchen',
  what: 'Name, Nummer, Zimmer',
  results: 'Gefunden',
  kinds: { code: 'Vom Kiosk', number: 'Nummern', room: 'Zimmer', guest: 'Gäste', nearName: 'Ähnliche Namen' },
  hint: 'Ein Teil des Namens genügt, ohne Akzente. Auch die vier Ziffern vom Kiosk werden gefunden.',
  none: 'Zu diesem Namen, dieser Nummer oder diesem Zimmer gibt es keinen Aufenthalt.',
  partly: 'Ein Teil der Suche hat nicht geantwortet.',
  walkIn: (text) => `Walk-in für „${text}“`,
  readCard: (place) => `Karte an ${place} lesen`,
  lay: (place) => `Legen Sie die Karte auf ${place} …`,
  reading: 'Die Karte wird gelesen …',
  blank: 'Die Karte ist leer.',
  unknownCard: 'Die Karte gehört zu keinem Schlüssel dieses Hauses.',
  noStay: (room) => `Die Karte gehört zu keinem Aufenthalt. Sie ist für ${room}.`,
  noRoom: 'kein Zimmer',
  close: 'Suche schließen',
}
