import { translated } from '../../lib/language/language.ts'

/** The English texts of a check-in into a room in which a guest is still in house. */
const en = {
  inHouse: (name: string, room: string, since: string, until: string) =>
    `${name} is in house in room ${room} since ${since}, departure ${until}.`,
  guest: 'A guest',
  checkOut: (name: string) => `Check out ${name}`,
  hasLeft: (name: string, room: string) => `Has ${name} left room ${room}? The cards of this stay end.`,
  yesCheckOut: (name: string) => `Yes, check out ${name}`,
  otherRoom: 'Assign another clean room',
}

export type StillInHouseTexts = typeof en

/** The texts of a check-in into a room in which a guest is still in house, in the language of the page. */
export const t = translated(en, (language) => import(`./texts/${language}.ts`))
