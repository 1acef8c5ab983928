import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from '../../seed.ts'
import { openHouse, type ReservationHouse, today } from './house.ts'

type Values = Record<string, unknown>

let house: ReservationHouse
before(async () => {
  house = await openHouse()
})
after(() => house.stop())

/** What GET has shown is sent back by PUT: accepted, and nothing has changed. */
async function comesBack(path: string): Promise<void> {
  const read = await house.ask('GET', path)
  assert.equal(read.status, 200, read.text)
  const { attributes } = read.body.data
  for (const body of [attributes, { data: { ...read.body.data, attributes } }]) {
    const put = await house.ask('PUT', path, { body })
    assert.equal(put.status, 204, `${put.text} for ${read.text}`)
    assert.equal(put.headers.get('etag'), read.headers.get('etag'), read.text)
  }
  assert.deepEqual((await house.ask('GET', path)).body, read.body)
}

const word = fc
  .string({ minLength: 1, maxLength: 30, unit: 'grapheme' })
  .filter((text) => !/[\p{Cc}\p{Cs}]/u.test(text))
const code = fc.uuid().map((id) => id.slice(0, 30))
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined })
const oneOf = <T>(...values: T[]) => maybe(fc.constantFrom(...values))
const cents = fc.integer({ min: 0, max: 10_000_000 }).map((minor) => minor / 100)
const date = fc
  .date({ min: new Date('2026-06-01'), max: new Date('2030-12-31'), noInvalidDate: true })
  .map((day) => day.toISOString().slice(0, 10))
const time = fc
  .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }), fc.constantFrom('', ':00'))
  .map(([h, m, seconds]) => `${String(h).padStart(2, '0')}:${String(m).padStart(2, '0')}${seconds}`)

const address = fc.record({
  type: oneOf('Home', 'Business', 'Billing'),
  line1: word,
  line2: maybe(fc.constant('')),
  city: word,
  region: maybe(word),
  country: fc.constantFrom('PT', 'DE', 'JP'),
})
const emails = fc.array(
  fc.record({
    address: fc.emailAddress().filter(({ length }) => length < 200),
    type: oneOf('Private', 'Other'),
  }),
  { maxLength: 3 },
)
const phoneNumbers = fc.array(
  fc.record({
    number: fc.constantFrom('+351 912 345 678', '912345678', '0049-30-1234', '7'),
    use: oneOf('Home'),
  }),
  { maxLength: 3 },
)
const names = maybe(fc.dictionary(fc.constantFrom('en', 'pt', 'de-CH'), word))

const fee = fc.oneof(
  fc.record({ nights: fc.integer({ min: 1, max: 365 }) }),
  fc.record({ percent: fc.integer({ min: 0, max: 100 }), of: fc.constantFrom('Stay', 'FirstNight') }),
  fc.record({ amount: cents, currency: fc.constant('EUR') }),
)

const resources: Record<string, fc.Arbitrary<Values>> = {
  properties: fc.record({
    name: word,
    enabled: fc.boolean(),
    description: maybe(word),
    address,
    code: maybe(code),
  }),
  amenities: fc.record({ code, name: word, names, category: oneOf('View', 'Bed'), otaCode: oneOf(1, 40) }),
  'unit-types': fc.record({ code, name: word, maxOccupancy: oneOf(1, 9), maxChildren: oneOf(0, 3) }),
  units: fc.record({
    name: code,
    floor: maybe(word),
    status: oneOf('Clean', 'OutOfOrder'),
    priority: oneOf(1, 7),
  }),
  profiles: fc.record({
    firstName: word,
    lastName: word,
    middleName: maybe(fc.constant('')),
    nationality: oneOf('PT', 'DE'),
    profileType: oneOf('Private', 'Group', null),
    birthDate: oneOf('1980-02-29', today),
    gender: oneOf('Female', 'Unknown'),
    addresses: maybe(fc.array(address, { maxLength: 3 })),
    emails: maybe(emails),
    phoneNumbers: maybe(phoneNumbers),
  }),
  services: fc
    .record({
      code,
      name: word,
      amountWithTax: cents,
      amountWithoutTax: cents,
      pricingType: fc.constantFrom(12, 19, 24),
    })
    .map((each) => ({ ...each, currencyCode: 'EUR', count: each.pricingType === 24 ? 3 : 1 })),
  'cancellation-policies': fc.oneof(
    fc.record({ code, name: word, nonRefundable: fc.constant(true) }),
    fc.record({
      code,
      name: word,
      descriptions: names,
      noShowFee: maybe(fee),
      tiers: fc.tuple(fee, fee).map(([first, last]) => [
        { offset: 'P1M', fee: first },
        { offset: 'PT6H', fee: last },
      ]),
    }),
  ),
  'rate-plans': fc.record({
    code,
    name: word,
    startDate: fc.constant(today),
    endDate: date,
    startTime: maybe(time),
    currency: oneOf('EUR', 'JPY'),
    mealPlan: oneOf('Breakfast'),
    active: maybe(fc.boolean()),
  }),
}

/** What can be told of a stay besides its dates and units. */
const stayParts = fc.record({
  status: fc.constantFrom('Tentative', 'Waitlisted', 'Confirmed'),
  startDate: date,
  nights: fc.integer({ min: 1, max: 9 }),
  startTime: maybe(time),
  endTime: maybe(time),
  personCount: fc.oneof(
    fc.record({ adults: fc.integer({ min: 1, max: 9 }), children: oneOf(0, 2), infants: oneOf(0, 1) }),
    fc.record({
      adults: fc.integer({ min: 1, max: 9 }),
      childrenAges: fc.array(fc.integer({ min: 0, max: 17 })),
    }),
  ),
  reservationIds: fc.uniqueArray(
    fc.record({
      type: fc.constantFrom('Master', 'Confirmation', 'Voucher'),
      value: word,
      source: maybe(word),
    }),
    { selector: ({ type }) => type },
  ),
  externalId: maybe(word),
  comment: maybe(fc.constantFrom('', 'a\nb', 'é')),
  price: maybe(cents),
  profiles: fc.array(
    fc.record({ firstName: word, lastName: word, role: oneOf('Booker', 'AdditionalGuest') }),
    {
      maxLength: 3,
    },
  ),
  services: fc.array(fc.record({ count: oneOf(1, 4) }), { maxLength: 2 }),
})
type StayParts = typeof stayParts extends fc.Arbitrary<infer Parts> ? Parts : never

function stayOf(
  { nights, price, services, ...parts }: StayParts,
  unitTypeId: string,
  serviceId: string,
): Values {
  const end = new Date(Date.parse(parts.startDate) + nights * 86_400_000).toISOString().slice(0, 10)
  return {
    ...parts,
    endDate: end,
    units: [{ unitTypeId: unitTypeId.toUpperCase() }, { unitTypeId }],
    services: services.map((each) => ({ ...each, serviceId })),
    ...(price !== undefined && {
      amount: { currency: 'EUR', amountWithTax: price, taxes: [{ code: 'T', name: 'Tax', amount: 0 }] },
    }),
  }
}

describe('What GET shows can be sent back by PUT, and changes nothing', () => {
  for (const [collection, arbitrary] of Object.entries(resources)) {
    it(`/${collection}`, () =>
      fc.assert(
        fc.asyncProperty(arbitrary, async (attributes) => {
          await comesBack(`/api/v2/${collection}/${await house.make(collection, attributes)}`)
        }),
        { numRuns: 20 },
      ))
  }

  it('/reservations and their stays', async () => {
    const { unitTypeId } = await house.rooms(0)
    const serviceId = await house.make('services', {
      code: 'S',
      name: 'S',
      currencyCode: 'EUR',
      amountWithTax: 1.1,
      amountWithoutTax: 1,
      pricingType: 24,
      count: 1,
    })
    const reservation = fc.record({
      comment: maybe(word),
      purpose: oneOf('Leisure'),
      stays: fc.array(stayParts, { minLength: 1, maxLength: 3 }),
    })
    await fc.assert(
      fc.asyncProperty(reservation, async ({ stays, ...rest }) => {
        const given = stays.map((each) => stayOf(each, unitTypeId, serviceId))
        const path = `/api/v2/reservations/${await house.make('reservations', { ...rest, stays: given })}`
        for (const { id } of (await house.attributes(path)).stays) await comesBack(`${path}/stays/${id}`)
        await comesBack(path)
      }),
      { numRuns: 30 },
    )
  })

  for (const status of ['InHouse', 'CheckedOut', 'Canceled', 'NoShow']) {
    it(`a stay that is ${status}, and as it was first sent`, async () => {
      const { unitTypeId, unitId } = await house.rooms(1)
      const first = {
        startDate: status === 'NoShow' ? '2026-05-30' : today,
        endDate: '2026-06-04',
        status: 'Confirmed',
        personCount: { adults: 1, childrenAges: [] },
        units: [{ unitTypeId, unitId }],
        reservationIds: [{ type: 'Master', value: 'm 1' }],
      }
      const { path, reservation } = await house.stay(first)
      const way = status === 'CheckedOut' ? ['InHouse', 'CheckedOut'] : [status]
      for (const each of way) {
        const set = await house.ask('PATCH', path, { body: { status: each } })
        assert.equal(set.status, 204, set.text)
      }
      await comesBack(path)
      await comesBack(reservation)
      if (status === 'CheckedOut') return
      const { etag } = Object.fromEntries((await house.ask('GET', path)).headers)
      const again = await house.ask('PUT', path, { body: { ...first, status } })
      assert.equal(again.status, 204, again.text)
      assert.equal(again.headers.get('etag'), etag)
    })
  }
})
