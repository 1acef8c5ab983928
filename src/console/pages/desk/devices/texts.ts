import { translated } from '../../lib/language/language.ts'

/** The English texts of this screen. */
const en = {
  title: 'Devices and alarms',
  allWell: 'Every device works.',
  none: 'No device is set up.',
  toSetup: 'To the set-up',
  fails: 'fails',
  warns: 'needs attention',
  askAdmin: 'Ask an administrator what is wrong.',
  passed: 'In order:',
  guestWaits: (time: string) => `A guest has been waiting since ${time}.`,
  since: (time: string) => `Since ${time}. Do this:`,
  until: (time: string) => `until ${time}`,
  cards: (count: number | null, capacity: number | null) => `Cards: ${count ?? '?'} of ${capacity ?? '?'}`,
  bin: (count: number | null, capacity: number | null) => `Bin: ${count ?? '?'} of ${capacity ?? '?'}`,
  refill: 'Cards filled in',
  howMany: 'How many cards were filled in?',
  howManyForm: 'A whole number from 1 to 5,000.',
  emptyBin: 'Bin emptied',
  initialise: 'Initialise',
  outOfService: 'Out of service',
  intoService: 'Back into service',
  readCard: 'Read the card on it',
  noKey: 'The card holds no key of this house.',
  notReady: 'not ready',
  guest: 'Guest',
  kinds: {
    encoder: 'Encoder',
    'dispenser-encoder': 'Encoder in the dispenser',
    'pin-generator': 'PINs of the lock system',
    'mobile-issuer': 'Mobile keys',
  },
  terminal: {
    kind: 'Payment terminal',
    any: 'for every kiosk',
    at: (name: string) => `at ${name}`,
    unused: 'Nobody has paid at it yet.',
    underWay: 'a payment is under way',
    inDoubt: 'outcome not known',
    notBegun: 'did not begin the last payment',
    doubtWhy: (time: string) =>
      `Since ${time} the terminal does not say whether the guest has paid. The box asks until it does. Do not take the payment again.`,
    notBegunWhy:
      'The terminal did not begin the last payment, so no money was taken. Check its power and its cable. The next payment shows whether it works.',
    last: (time: string, amount: string, outcome: string) => `Last payment: ${time}, ${amount}, ${outcome}`,
    outcomes: {
      open: 'under way',
      paid: 'paid',
      refused: 'refused',
      canceled: 'canceled',
      'never-started': 'not begun',
      'never-arrived': 'did not arrive',
      'not-charged': 'not charged, as a person said',
    } as Record<string, string>,
    refusedAs: (word: string) => `refused (${word})`,
  },
  states: {
    active: 'in operation',
    inactive: 'out of service',
    accepting: 'takes cards back',
    maintenance: 'in maintenance',
    initialize: 'starts anew',
    offline: 'does not answer',
    starting: 'is starting',
    dispensing: 'feeds a card',
    encoding: 'writes a card',
    presenting: 'a card waits for the guest',
    capturing: 'takes a card back',
    fault: 'has a fault',
  },
}

export type DeviceTexts = typeof en

/** The texts of this screen, in the language of the page. */
export const t = translated(en, (language) => import(`./texts/${language}.ts`))
