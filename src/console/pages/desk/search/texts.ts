import { translated } from '../../lib/language/language.ts'

/** The English texts of the search. */
const en = {
  search: 'Search name, number, room',
  what: 'Name, number, room',
  results: 'Search results',
  kinds: {
    code: 'From the kiosk',
    number: 'Numbers',
    room: 'Rooms',
    guest: 'Guests',
    nearName: 'Similar names',
  },
  hint: 'A part of the name is enough, without accents. The four digits from the kiosk are found too.',
  none: 'No stay is found by this name, number or room.',
  partly: 'A part of the search did not answer.',
  walkIn: (text: string) => `Walk-in for “${text}”`,
  readCard: (place: string) => `Read the card at ${place}`,
  lay: (place: string) => `Put the card on ${place} …`,
  reading: 'The card is being read …',
  blank: 'The card is blank.',
  unknownCard: 'The card belongs to no key of this house.',
  noStay: (room: string) => `The card belongs to no stay. It is for ${room}.`,
  noRoom: 'no room',
  close: 'Close the search',
}

export type SearchTexts = typeof en

/** The texts of the search, in the language of the page. */
export const t = translated(en, (language) => import(`./texts/${language}.ts`))
