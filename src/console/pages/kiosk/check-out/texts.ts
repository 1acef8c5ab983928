import { translated } from '../../lib/language/language.ts'

/** The English texts of the check-out at the kiosk. Every sentence is also spoken. */
const en = {
  insertCard: 'Please put your card into the slot.',
  whyReturn: 'The machine keeps it. Then we check you out.',
  holdCard: 'Please hold your card on the reader.',
  whyShow: 'It shows that it is you who leaves.',
  noCardCame: 'The machine has no card of yours. Please try again, or ask at the desk.',
  notYours: 'We could not read a card of your room. Please try again, or ask at the desk.',
  putOther: 'We have taken this card. Please put in the first card of your room too, or ask at the desk.',
  tryAgain: 'Try again',
  noCard: 'I have no card',
  goodJourney: 'Thank you for your stay. Have a good journey.',
  isCheckedOut: 'You are checked out.',
  leaveCards: 'Please leave your cards at the desk.',
  anotherCard: 'Return another card',
  noMoreCards: 'No more cards',
}

export type CheckOutTexts = typeof en

/** The texts of the check-out at the kiosk, in the language of the page. */
export const t = translated(en, (language) => import(`./texts/${language}.ts`))
