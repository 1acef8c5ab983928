import { translated } from '../lib/language/language.ts'

/** The English names of what a registration of a guest has. */
const en = {
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
  signature: 'Signature',
  signHere: 'Signature of the guest: with a finger, a pen or the mouse',
  signAgain: 'Sign again',
}

export type FieldTexts = typeof en

/** The names of what a registration of a guest has, in the language of the page. */
export const fieldTexts = translated(en, (language) => import(`./texts/${language}.ts`))
