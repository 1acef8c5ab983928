/** The texts of the search. */
export const en = {
  search: 'Search name, number, room',
  results: 'Search results',
  hint: 'A part of the name is enough, without accents. The four digits from the kiosk are found too.',
  none: 'No guest, number or room is found.',
  partly: 'A part of the search did not answer.',
  walkIn: (text: string) => `Walk-in for “${text}”`,
  readCard: (place: string) => `Read the card at ${place}`,
  reading: 'The card is being read …',
  blank: 'The card is blank.',
  unknownCard: 'The card belongs to no key of this house.',
  noStay: (room: string) => `The card belongs to no stay. It is for ${room}.`,
  noRoom: 'no room',
  close: 'Close the search',
}

export type SearchTexts = typeof en
