import { valueObject } from '../../resource/compound.ts'
import { flag, text } from '../../resource/fields.ts'
import { resource } from '../../resource/resource.ts'
import { type AddressInput, propertyAddress, propertyAddressSchema } from '../values/address.ts'

/** The hotel. One appliance normally has one. */
export const property = resource('property', {
  path: 'properties',
  example: {
    name: 'Hotel do Porto',
    enabled: true,
    address: { line1: 'Rua do Porto 1', postalCode: '1100-001', city: 'Lisboa', country: 'PT' },
    code: 'PORTO',
  },
  scopes: { read: 'properties.read', write: 'properties.write' },
  fields: {
    name: text({ required: true }),
    description: text({ max: 4000, min: 0, multiline: true }),
    enabled: flag({ required: true }),
    address: valueObject<AddressInput, { required: true }>(propertyAddressSchema, { required: true }),
    code: text({ max: 30 }),
  },
  rules: {
    write: [
      ({ before, after }) => {
        after.address = propertyAddress(after.address, before?.address)
      },
    ],
  },
})
