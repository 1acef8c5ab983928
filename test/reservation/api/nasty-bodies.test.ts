import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from '../../seed.ts'
import { aStay, openHouse, type ReservationHouse } from './house.ts'

let house: ReservationHouse
before(async () => {
  house = await openHouse()
})
after(() => house.stop())

/** Values that have broken servers before. */
const nasty = fc.constantFrom<unknown>(
  null,
  true,
  0,
  -0,
  -1,
  0.1,
  1e308,
  5e-324,
  2 ** 53,
  -(2 ** 63),
  '',
  ' ',
  '0',
  '\u0000',
  '\ud800',
  '👩‍👩‍👧',
  'ﷺ'.repeat(300),
  'x'.repeat(100_000),
  '0000-00-00',
  '0000-01-01',
  '9999-12-31',
  '2024-02-30',
  '-271821-04-20',
  '24:00',
  '00:00:60',
  '00000000-0000-0000-0000-000000000000',
  'P99999Y',
  '__proto__',
  [],
  [[]],
  [null],
  {},
  { '': null },
  { id: null },
  { data: null },
  JSON.parse('{"__proto__":{"a":1},"constructor":{"prototype":{}}}'),
)

type Body = Record<string, unknown>

const address = { line1: 'a', city: 'b', country: 'PT' }
const bodies: Record<string, Body> = {
  properties: { name: 'P', enabled: true, address },
  amenities: { code: 'A', name: 'A', names: { en: 'A' }, category: 'Bed', otaCode: 1, scope: 'Unit' },
  'unit-types': { code: 'T', name: 'T', maxOccupancy: 2, maxAdults: 2, maxChildren: 1, amenities: [] },
  units: { name: 'U', floor: '1', status: 'Clean', unitTypeId: null, priority: 1, amenities: [] },
  profiles: {
    firstName: 'F',
    lastName: 'L',
    profileType: 'Private',
    birthDate: '1990-01-01',
    addresses: [address],
    emails: [{ address: 'a@b.c', verifiedAt: null }],
    phoneNumbers: [{ number: '1', extension: '2' }],
    type: 'profile',
  },
  services: {
    code: 'S',
    name: 'S',
    currencyCode: 'EUR',
    amountWithTax: 1,
    amountWithoutTax: 1,
    pricingType: 24,
    count: 1,
  },
  'cancellation-policies': {
    code: 'C',
    name: 'C',
    descriptions: { en: 'x' },
    reference: 'Arrival',
    tiers: [{ offset: 'P1D', fee: { percent: 50, of: 'Stay' } }],
    noShowFee: { amount: 1, currency: 'EUR' },
  },
  'rate-plans': {
    code: 'R',
    name: 'R',
    startDate: '2026-01-01',
    startTime: '10:00',
    endDate: '2026-12-31',
    currency: 'EUR',
    parentId: null,
    cancellationPolicyId: null,
    derivedAdjustment: null,
  },
}

const stayBody: Body = {
  ...aStay,
  startTime: '15:00',
  units: [{ unitTypeId: '', unitId: null }],
  reservationIds: [{ type: 'Master', value: 'M', source: null }],
  externalId: null,
  ratePlanId: null,
  services: [{ serviceId: '', count: 1, stayId: '' }],
  amount: {
    currency: 'EUR',
    amountWithTax: 1,
    taxes: [{ code: 'V', name: 'V', percent: 0, amount: 0 }],
    perNight: [{ date: aStay.startDate, amountWithTax: 1 }],
  },
  profiles: [{ firstName: 'A', lastName: 'B', role: 'Booker' }],
}

/** Every place in a body, as a path of names. */
function placesIn(value: unknown, at: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [at]
  return [at, ...Object.entries(value).flatMap(([name, each]) => placesIn(each, [...at, name]))]
}

/** The body with another value in one place. */
function withAt(value: unknown, [first, ...rest]: string[], other: unknown): unknown {
  if (first === undefined) return other
  if (Array.isArray(value))
    return value.map((each, at) => (String(at) === first ? withAt(each, rest, other) : each))
  const object = value as Body
  return { ...object, [first]: withAt(object[first], rest, other) }
}

/** Refused or accepted, never failed; a refusal of a body says where in it. */
async function isAnswered(method: string, path: string, body: unknown): Promise<void> {
  const { status, text, body: answer } = await house.ask(method, path, { body })
  assert.ok([201, 204, 400, 404, 409, 422].includes(status), `${status} ${text} for ${JSON.stringify(body)}`)
  if (status !== 422 && status !== 404) return
  for (const { source, detail } of answer.errors) assert.equal(typeof source?.pointer, 'string', detail)
}

describe('No body brings a 500', () => {
  for (const [collection, body] of Object.entries(bodies)) {
    it(`POST and PUT /${collection}`, async () => {
      const path = `/api/v2/${collection}`
      const kept = `${path}/${await house.make(collection, body)}`
      const place = fc.constantFrom(...placesIn(body))
      await fc.assert(
        fc.asyncProperty(place, nasty, async (at, value) => {
          await isAnswered('POST', path, withAt(body, at, value))
          await isAnswered('PUT', kept, withAt(body, at, value))
        }),
        { numRuns: 40 },
      )
    })
  }

  it('POST, PUT and PATCH of reservations and stays', async () => {
    const { unitTypeId } = await house.rooms(1)
    const serviceId = await house.make('services', { ...bodies.services, code: 'S2' })
    const whole = {
      ...stayBody,
      units: [{ unitTypeId, unitId: null }],
      services: [{ serviceId, count: 1, stayId: serviceId }],
    }
    const { path, reservation } = await house.stay(whole)
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...placesIn(whole)), nasty, async (at, value) => {
        const body = withAt(whole, at, value)
        await isAnswered('POST', '/api/v2/reservations', { stays: [body] })
        await isAnswered('PUT', path, body)
        await isAnswered('PATCH', path, body)
        await isAnswered('PUT', `${path}/units`, value)
        await isAnswered('PUT', `${path}/services`, value)
        await isAnswered('PUT', reservation, { stays: [{ ...whole, id: path.slice(-36) }, body] })
      }),
      { numRuns: 80 },
    )
  })
})
