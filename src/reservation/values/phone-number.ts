import { createRequire } from 'node:module'
import { invalidValue } from '../../resource/problem.ts'
import { withOnePrimary } from './primary.ts'
import { closedObject, textOf, withoutNulls } from './value-schema.ts'

const phoneTypes = ['Mobile', 'Voice', 'Fax'] as const
const phoneUses = ['Home', 'Business', 'Other'] as const

/** The JSON Schema of a PhoneNumber. */
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

/** The type of a value that `phoneNumberSchema` accepts. */
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
 * Returns a profile's phone numbers, exactly one of them primary. A number whose length is possible in `country` (ISO
 * 3166-1 alpha-2, upper case) or internationally is converted to E.164. Throws 422 `validation-failed`.
 */
export function profilePhoneNumbers(numbers: readonly PhoneNumberInput[], country: string): PhoneNumber[] {
  const checked = numbers.map((input, at) => ({
    ...withoutNulls(input),
    number: phoneNumber(input.number, country, `/phoneNumbers/${at}/number`),
  }))
  return withOnePrimary(checked, '/phoneNumbers')
}

/**
 * Returns a phone number in E.164. A number whose length fits no numbering plan is returned as its digits, with a
 * leading `+` if the input has one. Throws 422 `validation-failed` when it has no digits.
 */
export function phoneNumber(text: string, country: string, pointer: string): string {
  const { isSupportedCountry, parsePhoneNumberFromString } = library()
  const parsed = parsePhoneNumberFromString(text, isSupportedCountry(country) ? country : undefined)
  if (parsed?.isPossible()) return parsed.number
  const digits = text.replace(/\D/g, '')
  if (digits === '') throw invalidValue(pointer, 'Expected a phone number.', { expected: 'phone number' })
  return text.trim().startsWith('+') ? `+${digits}` : digits
}

/** Loaded with the first number, because its tables take longer to load than the rest of the module. */
function library(): typeof import('libphonenumber-js/min') {
  return createRequire(import.meta.url)('libphonenumber-js/min')
}
