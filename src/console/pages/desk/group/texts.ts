import { plural } from '../../lib/format.ts'
import { translated } from '../../lib/language.ts'

/** The English texts of a check-in of several stays. */
const en = {
  title: 'Check in together',
  why: 'Each stay without a room gets one, as in a single check-in. Make the cards on the sheets of the guests.',
  checkIn: (count: number) => plural(count, { one: 'Check in 1 guest', other: `Check in ${count} guests` }),
  again: (count: number) => plural(count, { one: 'Try 1 guest again', other: `Try ${count} guests again` }),
  ofBooking: (count: number) => `Check in all ${count} of this booking`,
  running: 'being checked in',
  done: 'in house',
  refused: (why: string) => `Not checked in: ${why}`,
  allDone: 'All of them are in house.',
  clear: 'End the selection',
  close: 'Close',
}

export type GroupTexts = typeof en

/** The texts of a check-in of several stays, in the language of the page. */
export const t = translated(en, (language) => import(`./texts/${language}.ts`))
