import { plural } from '../../lib/language/format.ts'
import { translated } from '../../lib/language/language.ts'

/** The English texts of the registration at the kiosk. Every sentence is also spoken. */
const en = {
  whose: (name: string, at: number, of: number) => `Registration of ${name}, question ${at} of ${of}.`,
  dayInDigits: 'Type eight digits: day, month and year.',
  noSuchDay: 'There is no such day. Please check the digits.',
  chooseCountry: 'Type the first letters, then touch the country.',
  moreCountries: (count: number) =>
    plural(count, { one: '1 more. Type more letters.', other: `${count} more. Type more letters.` }),
  noCountry: 'No country begins like this. Please delete some letters.',
  readRules: 'Please read the house rules, and accept them.',
  up: 'Further up',
  down: 'Further down',
  accept: 'I accept the house rules',
  sign: 'Please sign in the field with a finger.',
  notSigned: 'This is too short for a signature. Please sign once more.',
  cannotSign: 'I cannot sign here',
  rulesChanged: 'The house rules have just changed. Please read them once more.',
}

export type KioskRegistrationTexts = typeof en

/** The texts of the registration at the kiosk, in the language of the page. */
export const t = translated(en, (language) => import(`./texts/${language}.ts`))
