import { json, valueObject } from '../../resource/compound.ts'
import { country, date, flag, instant, oneOf, reference, text } from '../../resource/fields.ts'
import { type Attributes, type Row, resource, type Writing } from '../../resource/resource.ts'
import { type AddressInput, homeAddress, profileAddressSchema } from '../values/address.ts'
import { expectCountry } from '../values/expect-country.ts'
import { type AcceptedRules, acceptedRulesSchema } from '../values/house-rules.ts'
import { documentTypes } from '../values/registration-fields.ts'
import { expectSignature, type Signature, signatureSchema } from '../values/signature.ts'
import { expectBirthDate } from './birth-date.ts'
import { erasedName } from './profile.ts'

/** Who sees the number of the document and the signature. */
const scope = 'registrations.read-document'

const fields = {
  stayId: reference('stay', { required: true, readOnly: true }),
  profileId: reference('profile', { required: true, readOnly: true }),
  firstName: text({ personal: true, min: 0, max: 100, note: 'Empty for a person with one name.' }),
  lastName: text({ required: true, personal: true, erased: erasedName.lastName, max: 100 }),
  birthDate: date({ personal: true }),
  nationality: country({ personal: true }),
  address: valueObject<AddressInput>(profileAddressSchema, { personal: true }),
  documentType: oneOf(documentTypes, { personal: true }),
  documentNumber: text({
    personal: true,
    scope,
    filterable: false,
    max: 40,
    note: `Visible only with the scope ${scope}, and in no list.`,
  }),
  documentCountry: country({ personal: true, note: 'The country that issued the document.' }),
  acceptedRules: valueObject<AcceptedRules>(acceptedRulesSchema, {
    personal: false,
    note: 'The version of the house rules that the guest has accepted, the language in which the guest read them, and when.',
  }),
  signature: json<Signature>(signatureSchema, {
    personal: true,
    scope,
    note: `Visible only with the scope ${scope}, and in no list.`,
  }),
  signedOnPaper: flag({
    default: false,
    note: 'The desk keeps the signature on paper. It counts as a signature.',
  }),
  takenAt: instant({ required: true, readOnly: true, note: 'When this registration was written.' }),
  takenBy: text({
    required: true,
    readOnly: true,
    personal: false,
    max: 60,
    note: 'The account, station or token.',
  }),
  takenByName: text({ readOnly: true, personal: false, max: 200, note: 'Its name at that time.' }),
  takenAtKiosk: flag({ required: true, readOnly: true }),
}

/**
 * The registration of a guest of a stay: what the law of many countries wants before a guest sleeps. A guest of a stay has one: a later
 * one replaces it. Arrival, departure and the number of persons are those of the stay.
 */
export const registration = resource('registration', {
  path: 'registrations',
  scopes: { read: 'registrations.read', write: 'registrations.write' },
  operations: ['list', 'read'],
  // `stay.guest-registered` says it, without a value.
  bookkeeping: true,
  fields,
  indexes: [
    { fields: ['stayId', 'profileId'], unique: true, why: 'the registrations of a stay, one for each guest' },
    { fields: ['profileId'], why: 'the registrations of a person who is erased' },
  ],
  example: {
    firstName: 'Inês',
    lastName: 'Müller',
    birthDate: '1985-04-12',
    nationality: 'PT',
    address: { line1: 'Rua Augusta 1', postalCode: '1100-048', city: 'Lisboa', country: 'PT' },
    documentType: 'Passport',
    documentNumber: 'CA123456',
    documentCountry: 'PT',
  },
  rules: {
    write: [
      ({ tx, before, after }: Writing<typeof fields>) => {
        const { birthDate, nationality, documentCountry, address, signature } = after
        if (birthDate) expectBirthDate(tx, birthDate)
        expectCountry(nationality, '/nationality', [before?.nationality])
        expectCountry(documentCountry, '/documentCountry', [before?.documentCountry])
        if (address) after.address = homeAddress(address, before?.address)
        if (signature) expectSignature(signature)
      },
    ],
  },
})

export type Registration = Row<typeof fields>

/** The attributes of a registration that the caller sets. */
export type RegistrationInput = Omit<
  Attributes<typeof fields>,
  'stayId' | 'profileId' | 'takenAt' | 'takenBy' | 'takenByName' | 'takenAtKiosk'
>
