import { plural } from '../../lib/language/format.ts'
import { translated } from '../../lib/language/language.ts'

/** The English texts of a check-in of several stays. */
const en = {
  title: 'Check in together',
  why: 'Each stay without a room gets one, as in a single check-in. The cards can be made afterwards, one guest after the other.',
  checkIn: (count: number) => plural(count, { one: 'Check in 1 guest', other: `Check in ${count} guests` }),
  again: (count: number) => plural(count, { one: 'Try 1 guest again', other: `Try ${count} guests again` }),
  ofBooking: (count: number) => `Check in all ${count} of this booking`,
  running: 'being checked in',
  done: 'in house',
  refused: (why: string) => `Not checked in: ${why}`,
  allDone: 'All of them are in house.',
  cards: 'Cards',
  cardsTitle: 'Cards of this booking',
  cardsOfBooking: (count: number) => `Make the cards of ${count} guests of this booking`,
  perRoom: 'one for each room',
  perAdult: 'one for each adult',
  makeCards: (count: number) =>
    plural(count, { one: 'Make the cards of 1 guest', other: `Make the cards of ${count} guests` }),
  makeNext: (name: string) => `Make the card for ${name}`,
  goOn: 'Go on with the next guest',
  stop: 'Stop here',
  cardMade: 'has the card',
  cardHad: 'had a card already',
  cardLeft: 'cards are missing',
  noCard: (why: string) => `No card: ${why}`,
  allCards: 'Each guest has a card.',
  clear: 'End the selection',
  close: 'Close',
}

export type GroupTexts = typeof en

/** The texts of a check-in of several stays, in the language of the page. */
export const t = translated(en, (language) => import(`./texts/${language}.ts`))
