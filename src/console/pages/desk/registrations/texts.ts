import { translated } from '../../lib/language/language.ts'

/** The English texts of the registrations of guests. */
const en = {
  title: 'Registration',
  registered: 'Registered',
  notRegistered: 'Not registered',
  notSigned: 'Signature is missing',
  register: 'Register',
  correct: 'Correct',
  registerTitle: 'Registration of a guest',
  noGuest: 'The stay has no guest with a name yet. Add one first.',
  lastName: 'Last name',
  firstName: 'First name',
  accepts: 'The guest has read the house rules and accepts them.',
  onPaper: 'The guest has signed on paper, which the desk keeps.',
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
