import type { Transaction } from '../../resource/command.ts'
import { valueList } from '../../resource/compound.ts'
import { country, date, language, oneOf, text } from '../../resource/fields.ts'
import { Problem } from '../../resource/problem.ts'
import { type Row, resource, type Writing } from '../../resource/resource.ts'
import { namesOf } from '../../resource/values/person-name.ts'
import { type AddressInput, profileAddresses, profileAddressSchema } from '../values/address.ts'
import { type Email, type EmailInput, emailSchema, profileEmails } from '../values/email.ts'
import { expectCountry } from '../values/expect-country.ts'
import { nameSearch } from '../values/name-search.ts'
import { normalizedName } from '../values/normalized-name.ts'
import { type PhoneNumberInput, phoneNumberSchema, profilePhoneNumbers } from '../values/phone-number.ts'
import { profileTypes } from '../values/profile-type.ts'
import { expectBirthDate } from './birth-date.ts'
import { settingsIn } from './house.ts'

const asWritten =
  'Accents, spaces and hyphens count: `filter[normalizedName][like]` finds a name without them.'

/** The name of a person or a company that was erased. */
export const erasedName = { firstName: 'Erased', lastName: 'Guest' } as const

const fields = {
  firstName: text({
    required: true,
    personal: true,
    erased: erasedName.firstName,
    min: 0,
    max: 100,
    search: 1,
    note: 'Empty for a person with one name, which is the lastName.',
    filterNote: asWritten,
  }),
  middleName: text({ personal: true, min: 0, max: 100 }),
  lastName: text({
    required: true,
    personal: true,
    erased: erasedName.lastName,
    max: 100,
    search: 2,
    filterNote: asWritten,
  }),
  nationality: country({ personal: true }),
  companyName: text({ personal: true, min: 0, max: 255, search: 3 }),
  profileType: oneOf(profileTypes, { personal: false, default: 'Private' }),
  title: text({ personal: true, min: 0, max: 30 }),
  languageCode: language({ personal: true }),
  birthDate: date({ personal: true }),
  gender: oneOf(['Female', 'Male', 'Other', 'Unknown'], { personal: true }),
  addresses: valueList<AddressInput>(profileAddressSchema, { personal: true, max: 20 }),
  emails: valueList<EmailInput>(emailSchema, { personal: true, max: 20, searched: { address: 4 } }),
  phoneNumbers: valueList<PhoneNumberInput>(phoneNumberSchema, {
    personal: true,
    max: 20,
    searched: { number: 5 },
  }),
  number: text({ personal: true, max: 64 }),
  externalId: text({ personal: true, max: 128 }),
  normalizedName: text({
    min: 0,
    readOnly: true,
    search: 14,
    like: nameSearch,
    note: 'The name in ASCII upper case, for card printers and lock servers.',
    filterNote:
      'like finds a name by its words, in any order and any script: case, accents, spaces and signs make no difference. `Novak Tomas` finds Tomáš Novák, `DeVries` finds Jan de Vries, and `Mueller` finds Müller.',
  }),
}

/** A person or a company. */
export const profile = resource('profile', {
  path: 'profiles',
  example: {
    firstName: 'Inês',
    lastName: 'Müller',
    nationality: 'PT',
    languageCode: 'pt',
    emails: [{ address: 'ines@example.com', type: 'Private', primary: true }],
    phoneNumbers: [{ number: '+351 912 345 678', type: 'Mobile' }],
  },
  scopes: { read: 'profiles.read-own', list: 'profiles.read', write: 'profiles.write' },
  operations: ['list', 'remove'],
  fields,
  indexes: [
    { fields: ['lastName'], why: 'a kiosk finds a guest by last name' },
    { fields: ['externalId'], where: 'externalId IS NOT NULL', why: 'the PMS finds its profiles again' },
  ],
  problems: ['external-id-conflict', 'person-known'],
  rules: { write: [bornInThePast, companyHasAName, onePrivateOfAnId, listsInForm] },
})

export type Profile = Row<typeof fields>

/** Returns the profile of type Private with this externalId. */
export function privateOf(tx: Transaction, externalId: unknown): Profile | undefined {
  if (!externalId) return undefined
  const found = tx.select(profile, [
    { path: 'externalId', operator: 'eq', value: String(externalId) },
    { path: 'profileType', operator: 'eq', value: 'Private' },
  ])
  return found[0]
}

function bornInThePast({ tx, after: { birthDate } }: Writing<typeof fields>): void {
  if (birthDate) expectBirthDate(tx, birthDate)
}

function companyHasAName({ after: { profileType, companyName } }: Writing<typeof fields>): void {
  if (profileType !== 'Company' || companyName) return
  throw new Problem('validation-failed', 'A profile of type Company needs a companyName.', {
    pointer: '/companyName',
  })
}

/** Two profiles of type Private with the same externalId would describe the same person twice. */
function onePrivateOfAnId({ tx, id, before, after }: Writing<typeof fields>): void {
  const isAsBefore = before?.externalId === after.externalId && before?.profileType === after.profileType
  if (isAsBefore || !after.externalId || after.profileType !== 'Private') return
  const taken = privateOf(tx, after.externalId)
  if (!taken || taken.id === id) return
  throw new Problem('external-id-conflict', `Profile ${taken.id} already has this externalId.`, {
    pointer: '/externalId',
    meta: { id: taken.id },
  })
}

function listsInForm({ tx, before, after }: Writing<typeof fields>): void {
  const { addresses, emails, phoneNumbers } = after
  if (addresses) after.addresses = profileAddresses(addresses, before?.addresses ?? [])
  expectCountry(after.nationality, '/nationality', [before?.nationality])
  if (emails) after.emails = profileEmails(emails, (before?.emails ?? []) as Email[])
  if (phoneNumbers) {
    after.phoneNumbers = profilePhoneNumbers(phoneNumbers, settingsIn(tx).country)
  }
  after.normalizedName = normalizedName(...namesOf(after)).slice(0, 255)
}
