import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  type AddressInput,
  profileAddresses,
  profileAddressSchema,
  propertyAddress,
  propertyAddressSchema,
} from '../../../src/reservation/values/address.ts'
import { refusal } from '../refusal.ts'
import { accepts } from '../schema-check.ts'

const house = { line1: 'Hauptstraße 1', city: 'Köln', country: 'DE' }

describe('An address', () => {
  it('of a profile is at home, of a property at business, unless it says otherwise', () => {
    assert.deepEqual(profileAddresses([{ city: 'Köln' }]), [{ type: 'Home', city: 'Köln', primary: true }])
    assert.equal(profileAddresses([{ type: 'Billing' }])[0]?.type, 'Billing')
    assert.deepEqual(propertyAddress({ ...house, type: null }), { type: 'Business', ...house })
  })

  it('is kept composed, without what is null', () => {
    assert.deepEqual(propertyAddress({ ...house, city: 'Ko\u0308ln', line2: null }), {
      type: 'Business',
      ...house,
    })
  })

  it('has a region of its own country', () => {
    assert.equal(propertyAddress({ ...house, regionCode: 'DE-NW' }).regionCode, 'DE-NW')
  })

  const strangers: [rule: string, AddressInput][] = [
    ['of another country', { country: 'AT', regionCode: 'DE-NW' }],
    ['without a country', { regionCode: 'DE-NW' }],
  ]
  for (const [rule, address] of strangers) {
    it(`with a region ${rule} is refused`, () => {
      const read = () => profileAddresses([house, address])
      assert.throws(read, refusal('validation-failed', '/addresses/1/regionCode'))
    })
  }

  const forms: [body: unknown, profile: boolean, property: boolean][] = [
    [{}, true, false],
    [house, true, true],
    [{ ...house, line2: null, postalCode: '' }, true, true],
    [{ ...house, latitude: 50.9, longitude: 6.95 }, false, true],
    [{ ...house, latitude: 90.1 }, false, false],
    [{ ...house, city: null }, true, false],
    [{ ...house, country: 'de' }, false, false],
    [{ ...house, regionCode: 'NW' }, false, false],
    [{ ...house, postalCode: 50667 }, false, false],
    [{ ...house, line1: 'a\nb' }, false, false],
    [{ ...house, line1: 'x'.repeat(256) }, false, false],
    [{ ...house, type: 'home' }, false, false],
  ]
  for (const [body, profile, property] of forms) {
    it(`${JSON.stringify(body).slice(0, 90)}: of a profile ${profile}, of a property ${property}`, () => {
      assert.equal(accepts(profileAddressSchema, body), profile)
      assert.equal(accepts(propertyAddressSchema, body), property)
    })
  }
})
