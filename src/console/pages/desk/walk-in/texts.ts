import { plural } from '../../lib/language/format.ts'
import { translated } from '../../lib/language/language.ts'

/** The English texts of the walk-in. */
const en = {
  title: 'Walk-in',
  local: 'Sold from local knowledge: what the PMS has sold since may be missing here.',
  from: (date: string) => `From today, ${date}`,
  until: 'Departure',
  badDates: 'The departure must not be before today.',
  timeNeeded: 'Write when the guest leaves today.',
  endBeforeStart: 'The departure must be after the arrival.',
  adults: 'Adults',
  children: 'Children',
  type: 'Type of room',
  left: (count: number) => plural(count, { one: '1 left', other: `${count} left` }),
  soldOut: 'sold out',
  aNight: (price: string) => `${price} a night`,
  allSoldOut: 'Sold out for these nights. Try another departure.',
  tooMany: (most: number) => `for ${most} at most`,
  lastName: 'Last name',
  firstName: 'First name',
  lastNameOf: (guest: number) => `Last name of guest ${guest}`,
  firstNameOf: (guest: number) => `First name of guest ${guest}`,
  nameNeeded: 'Write the last name. Write a single name here too.',
  room: 'Room',
  gone: 'Someone else was faster: this room is taken. Choose another one.',
  noRoom: 'No room of this type is free.',
  price: (currency: string) => `Price of the stay (${currency})`,
  priceHint: 'As this type was last sold. Change it if it is wrong.',
  pay: 'Paid with',
  later: 'Pay later',
  refused:
    'Someone else was faster, or the house does not allow it. What you wrote is kept: choose another room or type.',
  book: 'Book, check in, make the card',
  bookOnly: 'Book and check in',
  clear: 'Empty the form',
}

export type WalkInTexts = typeof en

/** The texts of the walk-in, in the language of the page. */
export const t = translated(en, (language) => import(`./texts/${language}.ts`))
