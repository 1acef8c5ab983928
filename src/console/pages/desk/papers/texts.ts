import { translated } from '../../lib/language/language.ts'

/** The English texts of the papers of a stay. */
const en = {
  papers: 'Papers',
  registration: 'Registration form',
  receipt: 'Receipt',
  keyReport: 'Key report',
  receiptByMail: 'Receipt by email',
  saved: (file: string, to: string | null) =>
    `The receipt is saved as ${file}. Open the file: your mail program shows it ${to ? `as a message to ${to}` : 'as a message without an address'}, which you check and send.`,
  language: 'Language of form and receipt',
  printed: (by: string, at: string) => `Printed by ${by}, ${at}`,
  booking: 'Booking number',
  room: 'Room',
  arrival: 'Arrival',
  departure: 'Departure',
  nights: 'Nights',
  persons: 'Persons',
  price: 'Price of the stay',
  name: 'Name',
  birthDate: 'Date of birth',
  nationality: 'Nationality',
  address: 'Address',
  document: 'Identity document: kind and number',
  email: 'Email',
  phone: 'Telephone',
  accepts: 'These details are true. I have read the house rules and accept them.',
  signature: 'Date, signature',
  guest: 'Guest',
  date: 'Date',
  how: 'Paid with',
  amount: 'Amount',
  wholeBooking: 'for the whole booking',
  givenBack: 'Refund',
  due: 'Price of the stay',
  paid: 'Paid for this stay',
  toPay: 'To pay',
  toGiveBack: 'To give back',
  noPayments: 'No payment is recorded.',
  noInvoice: 'This receipt is not a tax invoice.',
  key: 'Key',
  opens: 'Opens',
  made: 'Made',
  valid: 'Valid',
  state: 'State',
  mayOpen: 'may still open',
  noKeys: 'No key was made.',
  more: 'The list is cut: the stay has more than are printed here.',
}

export type PaperTexts = typeof en

/** The texts of the papers of a stay, in the language of the page. */
export const t = translated(en, (language) => import(`./texts/${language}.ts`))
