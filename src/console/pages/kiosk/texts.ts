import { plural } from '../lib/language/format.ts'
import { translated } from '../lib/language/language.ts'

/**
 * The English texts of the kiosk. Every sentence is also spoken, so each must be understandable without the screen.
 */
const en = {
  welcome: 'Welcome',
  welcomeTo: (hotel: string) => `Welcome to ${hotel}`,
  howToStart: 'Please choose your language, and touch the button.',
  touchToStart: 'Touch to check in',
  back: 'Back',
  steps: { all: 'Steps', find: 'Find', confirm: 'Confirm', pay: 'Pay', key: 'Key' },
  isDateRight: (day: string) =>
    `This machine believes that today is ${day}. If it is not, please go to the front desk.`,
  haveNumber: 'I have a booking number',
  byName: 'Find me by name',
  help: 'Help',
  lower: 'Lower',
  higher: 'Higher',
  listen: 'Listen',
  stopListening: 'Stop listening',
  volume: (level: number, highest: number) => `Volume ${level} of ${highest}`,
  noVoice:
    'This machine has no voice for this language. Please ask at the desk if you cannot read the screen.',
  blank: 'Hide the screen',
  unblank: 'Show the screen',
  blanked: 'The screen is hidden. Listen, and use the keys.',
  startAgain: 'Start again',
  next: 'Next',
  search: 'Search',
  searchChoice: 'You may wait, or go to the front desk.',
  waitOn: 'Wait',
  toDesk: 'To the front desk',
  oneMoment: 'One moment, please.',
  yes: 'Yes',
  done: 'Done',
  number: 'Booking number',
  enterNumber: 'Please enter your booking number.',
  withoutSigns: 'Letters and digits are enough.',
  hideInput: 'Hide what I type',
  showInput: 'Show what I type',
  asterisk: 'asterisk',
  lastName: 'Last name',
  enterName: 'Please enter your last name.',
  enterDay: 'On which day does your stay begin?',
  dayBefore: 'One day earlier',
  dayAfter: 'One day later',
  goodMorning: (name: string) => `Good morning, ${name}`,
  goodDay: (name: string) => `Good afternoon, ${name}`,
  goodEvening: (name: string) => `Good evening, ${name}`,
  guest: 'dear guest',
  dates: (from: string, to: string) => `${from} to ${to}`,
  nights: (count: number) => plural(count, { one: '1 night', other: `${count} nights` }),
  isThisYou: 'Is this your booking?',
  thisIsMe: 'Yes, get my key',
  notMe: 'This is not me',
  whichStay: 'This number has more than one room. Which is yours?',
  email: 'E-mail address',
  enterEmail: 'Your e-mail address is missing. You may enter it, or go on without it.',
  phone: 'Telephone number',
  enterPhone: 'Your telephone number is missing. You may enter it, or go on without it.',
  notValid: 'This does not look right. Please check it.',
  skip: 'Go on without it',
  whatIsDue: (amount: string) => `${amount} is still to be paid.`,
  payHere: 'Pay here by card',
  payAtDesk: 'Pay at the desk',
  atTerminal: 'Please follow the payment terminal beside this screen.',
  terminalIs: {
    left: 'It is on the left of this screen.',
    right: 'It is on the right of this screen.',
    below: 'It is below this screen.',
  },
  cancelPayment: 'Cancel the payment',
  cancelingPayment: 'The payment is being canceled.',
  cancelRefused: 'The payment could not be canceled. Please follow the payment terminal.',
  paymentCanceled: 'The payment was canceled. Nothing was charged.',
  whyMore: 'So that nobody else gets your key, we ask for two things.',
  otherWay: 'Use e-mail, postcode or telephone',
  onFile: 'E-mail, postcode or telephone',
  enterOnFile:
    'Please enter your e-mail address, your postcode, or the last four digits of your telephone number.',
  doYouNeedACard: 'You are checked in already. Do you need another card?',
  anotherCard: 'I need another card',
  lostCard: 'I have lost my card',
  noCardNeeded: 'No, thank you',
  works: {
    room: 'We are preparing your check-in.',
    card: 'We are making your key. This takes a few seconds.',
    'card-back': 'We are taking your card.',
    'check-out': 'We are checking you out.',
  },
  checkOut: 'Check out',
  checkOutNow: 'Do you want to check out now?',
  bookedUntil: (date: string) => `Your stay is booked until ${date}.`,
  departureHasCome: 'The time of your departure has come.',
  stayLonger: 'I would like to stay longer',
  howManyCards: 'How many cards would you like?',
  cards: (count: number) => plural(count, { one: '1 card', other: `${count} cards` }),
  missing: {
    notEveryCard: 'We could not make every card. Please ask at the desk for the others.',
    copyTakenBack:
      'A card was not taken and is back in the machine, for your safety. If you need it, begin again.',
  },
  takeCard: 'Please take your card.',
  cardComes: {
    left: 'The card comes out on the left of this screen.',
    right: 'The card comes out on the right of this screen.',
    below: 'The card comes out below this screen.',
  },
  thenTakenBack: 'Then the machine takes the card back, for your safety.',
  seconds: (count: number) => plural(count, { one: '1 second', other: `${count} seconds` }),
  cardOf: (card: number, all: number) => `Card ${card} of ${all}`,
  getNewCard: 'Get a new card',
  room: 'Room',
  floor: 'Floor',
  opensFrom: 'Your key begins to open',
  leaveBy: 'Please leave by',
  enjoy: 'Enjoy your stay.',
  roomIsShown: 'Touch the button to show your room number. It is not spoken.',
  showRoom: 'Show my room number',
  hideRoom: 'Hide my room number',
  facts: { lift: 'Lift', breakfast: 'Breakfast', wifi: 'Wi-Fi' },
  closesIn: (count: number) =>
    `This page closes in ${plural(count, { one: '1 second', other: `${count} seconds` })}.`,
  moreTimeQuestion: 'Do you need more time?',
  moreTime: 'More time',
  yourCode: (code: string) => `Your code is ${code}.`,
  tellTheCode: 'Tell this code at the desk. It opens your booking where you stopped.',
  noCode: 'Please tell your name at the desk.',
  calls: {
    called: 'A colleague has been called.',
    coming: 'A colleague is on the way. Please wait here.',
    failed: 'We could not call a colleague. Please go to the front desk.',
  },
  callUs: (phone: string) => `Telephone ${phone}`,
  keys: { delete: 'Delete', space: 'Space', clear: 'Delete all', digits: '123', letters: 'ABC' },
  enrol: {
    title: 'This screen is not a kiosk yet',
    how: 'Ask an administrator for the code of a station of the kind kiosk, and enter its eight digits.',
    code: 'Code',
    go: 'Make this screen a kiosk',
    wrong: 'This code is not valid.',
  },
  /** The rows: each failure with its sentence for the guest. */
  sentences: {
    notFound:
      'We cannot find this booking. Check the number, or search with your last name and day of arrival.',
    searchFailed: 'We cannot look for your booking at the moment. We are trying again.',
    tooMany: 'Too many tries. Please wait one minute, or ask at the desk.',
    later: ({ date }: Said) => `Your stay begins on ${date}. Please come again then, or ask at the desk.`,
    past: 'The time of departure of this booking has come, so a key would not open. A colleague will help you at the desk.',
    inactive: 'This booking is not active any more. Please ask at the desk.',
    toPay: ({ amount }: Said) => `${amount} is still to be paid. Please pay at the desk.`,
    toRegister:
      'Your registration cannot be completed here. Please ask at the front desk: a colleague registers you.',
    refused: 'The payment was not accepted. Nothing was charged by us.',
    paymentUnknown:
      'We do not know whether the payment went through. Do not pay again; please ask at the desk.',
    preparing: ({ time }: Said) =>
      time
        ? `Your room is being prepared. It will be ready at about ${time}.`
        : 'Your room is being prepared.',
    needsColleague: 'Your room needs a colleague’s help. Please ask at the desk.',
    notFree: 'Your room is not free yet. A colleague will help you at the desk.',
    changed: 'Something changed in your booking. A colleague will finish this with you.',
    moment: 'One moment, please. We are trying again.',
    cannotMake: 'This machine cannot make your key now. You are not at fault, and your room is kept.',
    newCard: 'The card did not work and was taken back. We are making a new one.',
    placeCard: 'Hold a card on the reader.',
    liftCard: 'Take the card off the reader, and hold it there again.',
    oneCard: 'Hold only one card on the reader.',
    unknownCard: 'We must check one card before we make another. Please wait.',
    notTaken: 'The card was taken back for your safety. Touch here to get a new one.',
    lostCard:
      'Only a colleague can let us make a new card for a lost one. Please ask at the desk or call. Then look for your booking here again.',
    leaveAtDesk: 'Please check out at the desk: a colleague will help you.',
    cardKept: 'We have your card. A colleague will finish your check-out at the desk.',
    helpAtDesk: 'Please ask at the desk. A colleague will help you.',
    outOfService: 'Out of service. Please ask at the desk.',
  },
}

/** The values in a sentence. */
export interface Said {
  date?: string
  time?: string | null
  amount?: string
}

export type KioskTexts = typeof en

/** The texts of the kiosk, in the language that the guest chose. */
export const t = translated(en, (language) => import(`./texts/${language}.ts`))
