import { translated } from '../../lib/language.ts'

/** The English texts of the registrations of guests. */
const en = {
  title: 'Registration',
  registered: 'Registered',
  notRegistered: 'Not registered',
  register: 'Register',
  correct: 'Correct',
  registerTitle: 'Registration of a guest',
  noGuest: 'The stay has no guest with a name yet. Add one first.',
  lastName: 'Last name',
  firstName: 'First name',
  birthDate: 'Date of birth',
  nationality: 'Nationality',
  line1: 'Street and number, or place',
  postalCode: 'Postal code',
  city: 'Town',
  country: 'Country',
  documentType: 'Identity document',
  documentTypes: {
    Passport: 'Passport',
    IdentityCard: 'Identity card',
    ResidencePermit: 'Residence permit',
    DrivingLicence: 'Driving licence',
    Other: 'Other',
  } as Record<string, string>,
  documentNumber: 'Number of the document',
  documentCountry: 'Issued by (country)',
  houseRules: 'House rules',
  accepts: 'The guest has read the house rules and accepts them.',
  onPaper: 'The guest has signed on paper, which the desk keeps.',
  signature: 'Signature',
  signHere: 'Signature of the guest: with a finger, a pen or the mouse',
  signAgain: 'Sign again',
  save: 'Save',
  waived: 'Without registration',
  without: 'Check in without registration',
  why: 'Reason',
  whyHint: 'At least three letters. It is kept with the stay. An empty reason removes it.',
  keepReason: 'Keep the reason',
  dayFile: 'Registrations of the day (CSV)',
}

export type RegistrationTexts = typeof en

/** The texts of the registrations of guests, in the language of the page. */
export const t = translated(en, (language) => import(`./texts/${language}.ts`))
