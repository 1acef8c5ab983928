import { country } from '../../resource/fields.ts'
import { invalidValue } from '../../resource/problem.ts'
import { expectCountry } from './expect-country.ts'
import { withOnePrimary } from './primary.ts'
import { closedObject, type Schema, textOf, withoutNulls } from './value-schema.ts'

const addressTypes = ['Home', 'Business', 'Billing', 'Mailing', 'Other'] as const
type AddressType = (typeof addressTypes)[number]

const properties = {
  type: { enum: addressTypes },
  line1: textOf(1, 255),
  line2: textOf(0, 255),
  line3: textOf(0, 255),
  postalCode: textOf(0, 20),
  city: textOf(1, 100),
  region: textOf(0, 100),
  regionCode: {
    type: 'string',
    pattern: '^[A-Z]{2}-[A-Z0-9]{1,3}$',
    description: 'a region code of ISO 3166-2, such as PT-13',
  },
  country: country().schema,
  primary: { type: 'boolean' },
} satisfies Record<string, Schema>

/** The JSON Schema of an Address of a profile. Every member is optional. */
export const profileAddressSchema = closedObject(properties)

/** The same with another schema of the country, for what a PMS reports. */
export function addressSchemaWith(country: Schema): Schema {
  return closedObject({ ...properties, country })
}

/** The JSON Schema of the Address of a property. It requires line1, city and country, and allows coordinates. */
export const propertyAddressSchema = closedObject(
  {
    ...properties,
    latitude: { type: 'number', minimum: -90, maximum: 90 },
    longitude: { type: 'number', minimum: -180, maximum: 180 },
  },
  ['line1', 'city', 'country'],
)

/** The type of a value that the schemas accept. */
export interface AddressInput {
  type?: AddressType | null
  line1?: string | null
  line2?: string | null
  line3?: string | null
  postalCode?: string | null
  city?: string | null
  region?: string | null
  /** ISO 3166-2. */
  regionCode?: string | null
  /** ISO 3166-1 alpha-2. */
  country?: string | null
  primary?: boolean | null
  latitude?: number | null
  longitude?: number | null
}

type Address = { [Part in keyof AddressInput]: NonNullable<AddressInput[Part]> } & {
  type: AddressType
}

/**
 * Returns a profile's addresses. The default type is Home, and exactly one address is primary. A country that one of the addresses
 * `before` has may be a former one. Throws 422 `validation-failed`.
 */
export function profileAddresses(
  addresses: readonly AddressInput[],
  before: readonly AddressInput[] = [],
): Address[] {
  const checked = addresses.map((address, at) => addressOf(address, 'Home', `/addresses/${at}`, before))
  return withOnePrimary(checked, '/addresses')
}

/**
 * Returns the property's address. The default type is Business. The country of the address `before` may be a former one. Throws 422
 * `validation-failed`.
 */
export function propertyAddress(address: AddressInput, before: AddressInput | null = null): Address {
  return addressOf(address, 'Business', '/address', before ? [before] : [])
}

/**
 * Returns the address of a person who has one. Its default type is Home. The country of the address `before` may be a former one. Throws
 * 422 `validation-failed`.
 */
export function homeAddress(address: AddressInput, before: AddressInput | null = null): Address {
  return addressOf(address, 'Home', '/address', before ? [before] : [])
}

function addressOf(
  input: AddressInput,
  type: AddressType,
  pointer: string,
  before: readonly AddressInput[],
): Address {
  const address = { type, ...withoutNulls(input) }
  const { regionCode, country } = address
  expectCountry(
    country,
    `${pointer}/country`,
    before.map((each) => each.country),
  )
  if (regionCode !== undefined && regionCode.slice(0, 2) !== country) {
    throw invalidValue(`${pointer}/regionCode`, 'regionCode must start with the country.', {
      expected: 'ISO 3166-2 code of the country',
    })
  }
  const composed = Object.entries(address).map(([part, value]) => [
    part,
    typeof value === 'string' ? value.normalize('NFC') : value,
  ])
  return Object.fromEntries(composed) as Address
}
