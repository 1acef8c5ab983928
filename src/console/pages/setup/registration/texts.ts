import { translated } from '../../lib/language/language.ts'

/** The English texts of what the house wants to know of its guests. */
const en = {
  title: 'Registration of guests',
  why: 'Where the law wants guests to be registered, choose what each guest gives before the check-in. Without any, no guest is registered.',
  fields: 'Each guest gives',
  name: 'Name',
  address: 'Address',
  rules: 'Consent to the house rules',
  days: 'Days after the departure that registrations are kept',
  daysHint: 'After that they are deleted. The law of your country says how long.',
  houseRules: (language: string) => `House rules, ${language}`,
  houseRulesHint:
    'Guests read and accept them in their language, or else in the first one that has a text. A change asks the guests who come next again.',
}

export type RegistrationSetupTexts = typeof en

/** The texts of what the house wants to know of its guests, in the language of the page. */
export const t = translated(en, (language) => import(`./texts/${language}.ts`))
