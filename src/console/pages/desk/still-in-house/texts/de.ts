import type { StillInHouseTexts } from '../texts.ts'

export const de: StillInHouseTexts = {
  inHouse: (name, room, since, until) => `${name} ist seit ${since} in Zimmer ${room}, Abreise ${until}.`,
  guest: 'Ein Gast',
  checkOut: (name) => `${name} auschecken`,
  hasLeft: (name, room) => `Hat ${name} das Zimmer ${room} verlassen? Die Karten dieses Aufenthalts enden.`,
  yesCheckOut: (name) => `Ja, ${name} auschecken`,
  otherRoom: 'Ein anderes sauberes Zimmer zuteilen',
}
