import { createRequire } from 'node:module'
import { invalidValue } from '../invalid-value.ts'
import { closedObject, textOf, withoutNulls } from '../value-schema.ts'
import { withOnePrimary } from './primary.ts'

const phoneTypes = ['Mobile', 'Voice', 'Fax'] as const
const phoneUses = ['Home', 'Business', 'Other'] as const

/** A PhoneNumber in a body. */
export const phoneNumberSchema = closedObject(
  {
    number: textOf(1, 32),
    extension: textOf(0, 10),
    type: { enum: phoneTypes },
    use: { enum: phoneUses },
    primary: { type: 'boolean' },
  },
  ['number'],
)

/** What `phoneNumberSchema` lets through. */
export interface PhoneNumberInput {
  number: string
  extension?: string | null
  type?: (typeof phoneTypes)[number] | null
  use?: (typeof phoneUses)[number] | null
  primary?: boolean | null
}

type PhoneNumber = { [Part in keyof PhoneNumberInput]: NonNullable<PhoneNumberInput[Part]> } & {
  primary: boolean
}

/**
 * A profile's phone numbers, in E.164 where they can be read as numbers of `country` (ISO 3166-1 alpha-2, upper case)
 * or as international ones, one of them primary. Throws 422 `validation-failed`.
 */
export function profilePhoneNumbers(numbers: readonly PhoneNumberInput[], country: string): PhoneNumber[] {
  const checked = numbers.map((input, at) => ({
    ...withoutNulls(input),
    number: phoneNumber(input.number, country, `/phoneNumbers/${at}/number`),
  }))
  return withOnePrimary(checked, '/phoneNumbers')
}

/**
 * A phone number in E.164, or its digits with a leading `+` when it has one, where its length fits no numbering plan.
 * Throws 422 `validation-failed` when there is no digit in it.
 */
export function phoneNumber(text: string, country: string, pointer: string): string {
  const { isSupportedCountry, parsePhoneNumberFromString } = library()
  const parsed = parsePhoneNumberFromString(text, isSupportedCountry(country) ? country : undefined)
  if (parsed?.isPossible()) return parsed.number
  const digits = text.replace(/\D/g, '')
  if (digits === '') throw invalidValue(pointer, 'Expected a phone number.', { expected: 'phone number' })
  return text.trim().startsWith('+') ? `+${digits}` : digits
}

/** Loaded at the first number: its tables take longer to load than the rest of the room. */
function library(): typeof import('libphonenumber-js/min') {
  return createRequire(import.meta.url)('libphonenumber-js/min')
}
