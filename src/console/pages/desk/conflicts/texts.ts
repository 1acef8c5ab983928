import { plural } from '../../lib/language/format.ts'
import { translated } from '../../lib/language/language.ts'

/** The English texts of this screen. */
const en = {
  title: 'PMS conflicts',
  open: 'Open',
  done: 'Decided',
  none: 'No conflict is open.',
  noneDone: 'Nothing has been decided yet.',
  cut: (shown: number, all: string) => `The newest ${shown} of ${all} are shown.`,
  decided: (time: string, name: string) => `${time}, by ${name}`,
  meaning: 'Hotel and PMS have different values. Choose the right one: it then counts in the hotel.',
  sides: { Pms: 'PMS', Local: 'Hotel' },
  counts: 'counts',
  keep: {
    Pms: (value: string) => `Keep the PMS's value: ${value}`,
    Local: (value: string) => `Keep the hotel's value: ${value}`,
  },
  use: {
    Pms: (value: string) => `Use the PMS's value: ${value}`,
    Local: (value: string) => `Use the hotel's value: ${value}`,
  },
  accept: 'Keep the value that counts',
  other: 'Use the other value',
  gone: 'Stay that is no longer here',
  next: 'Next conflict',
  previous: 'Previous conflict',
  groups: {
    dates: 'Dates',
    guests: 'Guests',
    rates: 'Price',
    services: 'Services',
    units: 'Room',
    comments: 'Comments',
    status: 'Status',
    payments: 'Payments',
  },
  states: {
    open: 'open',
    accepted: 'kept',
    reversed: 'other value used',
    settled: 'settled by itself',
  },
  /** The names of values. */
  members: {
    stays: 'Stay',
    startDate: 'Arrival',
    startTime: 'Time of arrival',
    endDate: 'Departure',
    endTime: 'Time of departure',
    status: 'Status',
    personCount: 'Persons',
    units: 'Room',
    reservationIds: 'Booking number',
    ratePlanCode: 'Rate plan',
    services: 'Service',
    amount: 'Price',
    payments: 'Payment',
    comment: 'Comment',
    guestComment: 'The guest wrote',
    channel: 'Channel',
    purpose: 'Purpose of the stay',
    guests: 'Guest',
    firstName: 'First name',
    middleName: 'Middle name',
    lastName: 'Last name',
    title: 'Title',
    profileType: 'Kind of guest',
    companyName: 'Company',
    nationality: 'Nationality',
    languageCode: 'Language',
    birthDate: 'Date of birth',
    gender: 'Gender',
    addresses: 'Address',
    emails: 'Email',
    phoneNumbers: 'Telephone',
  },
  /** What a side has that lacks a value, by its name; `nothing` for any other. */
  absent: {
    stays: 'no such stay',
    guests: 'no such guest',
    units: 'no room',
    startTime: 'usual time',
    endTime: 'usual time',
    services: 'not booked',
    amount: 'no price',
    payments: 'not recorded',
  },
  nothing: 'nothing',
  persons: {
    adults: (count: number) => plural(count, { one: '1 adult', other: `${count} adults` }),
    children: (count: number) => plural(count, { one: '1 child', other: `${count} children` }),
    infants: (count: number) => plural(count, { one: '1 infant', other: `${count} infants` }),
  },
  genders: { Female: 'female', Male: 'male', Other: 'other', Unknown: 'unknown' },
  purposes: { Leisure: 'leisure', Business: 'business', Other: 'other' },
  takenBack: 'taken back',
}

export type ConflictTexts = typeof en

/** The texts of this screen, in the language of the page. */
export const t = translated(en, (language) => import(`./texts/${language}.ts`))
