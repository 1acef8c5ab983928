import assert from 'node:assert/strict'
import type { HouseWithPms } from '../pms/adapters/scripted-adapter.ts'
import { today, tomorrow } from '../reservation/api/house.ts'
import type { Facts, Values } from './row.ts'

export const nobody = '0197c0de-0000-7000-8000-000000000001'

export const bodies = {
  profile: { firstName: 'Ida', lastName: 'Conform' },
  property: {
    name: 'House',
    enabled: true,
    address: { line1: 'Rua 1', city: 'Lisboa', country: 'PT' },
  },
  ratePlan: { code: 'BAR', name: 'Best', startDate: '2026-01-01', endDate: '2026-12-31', currency: 'EUR' },
  service: {
    code: 'PARK',
    name: 'Parking',
    currencyCode: 'EUR',
    amountWithTax: 12,
    amountWithoutTax: 10,
    pricingType: 12,
    count: 1,
  },
  policy: { code: 'FLEX', name: 'Flexible', tiers: [{ offset: 'P1D', fee: { percent: 50, of: 'Stay' } }] },
  amenity: { code: 'VIEW', name: 'View', category: 'View' },
  payment: { currency: 'EUR', amount: 100, brand: 'Visa' },
  registration: { firstName: 'Ida', lastName: 'Conform' },
  stay: {
    startDate: today,
    endDate: tomorrow,
    status: 'Confirmed',
    personCount: { adults: 1 },
    units: [{ unitTypeId: '{unitTypeId}' }],
    reservationIds: [],
    amount: { currency: 'EUR', amountWithTax: 50 },
  },
} satisfies Record<string, Values>

let count = 0
/** Another text each time, for what must be the only one. */
export const another = (prefix: string) => `${prefix}${++count}`

/** What most rows are asked about. */
export async function factsOf(house: HouseWithPms): Promise<Facts> {
  const { unitTypeId, unitIds } = await house.rooms(6)
  const profileId = await house.make('profiles', bodies.profile)
  const ratePlanId = await house.make('rate-plans', { ...bodies.ratePlan, code: another('P') })
  const serviceId = await house.make('services', { ...bodies.service, code: another('S') })
  const stay = await booked(house, { unitTypeId, profiles: [{ id: profileId }], services: [{ serviceId }] })
  const paid = await house.ask('POST', `${stay.path}/actions/record-payment`, { body: bodies.payment })
  assert.equal(paid.status, 201, paid.text)
  return {
    nobody,
    unitTypeId,
    unitId: unitIds.at(-1)!,
    profileId,
    ratePlanId,
    serviceId,
    propertyId: (await house.ask('GET', '/api/v2/properties')).body.data[0].id,
    reservationId: stay.reservationId,
    stayId: stay.id,
    paymentId: paid.body.data.id,
    cancellationPolicyId: await house.make('cancellation-policies', { ...bodies.policy, code: another('C') }),
    amenityId: await house.make('amenities', { ...bodies.amenity, code: another('A') }),
    configurationId: await standaloneOf(house),
    scriptedId: house.configurationId,
    extensionName: 'payment-methods',
    handOverId: nobody,
    helpCallId: nobody,
    registrationId: nobody,
    date: today,
    terminalPaymentId: nobody,
  }
}

async function standaloneOf({ make }: HouseWithPms): Promise<string> {
  return make('/api/config/v1/pms-configurations', { name: another('House '), adapter: 'standalone' })
}

/** A stay of a reservation of its own; of a new unit type when none is given. */
export async function booked(house: HouseWithPms, { unitTypeId, ...more }: Values = {}) {
  const type = unitTypeId ?? (await house.rooms(2)).unitTypeId
  const { units: _, ...stay } = bodies.stay
  const made = await house.stay({ ...stay, units: [{ unitTypeId: type }], ...more })
  return { ...made, reservationId: made.reservation.split('/').at(-1)!, unitTypeId: String(type) }
}

/** The least that a house which registers guests may ask. */
export async function registersGuests(
  house: Pick<HouseWithPms, 'ask'>,
  fields = ['lastName'],
): Promise<void> {
  const { links } = (await house.ask('GET', '/api/config/v1/settings')).body.data[0]
  const set = await house.ask('PATCH', links.self, { body: { registrationFields: fields } })
  assert.equal(set.status, 204, set.text)
}

/** A stay with a guest who is registered. */
export async function registered(house: HouseWithPms) {
  const profileId = await house.make('profiles', { ...bodies.profile, lastName: another('Conform ') })
  const { id } = await booked(house, { profiles: [{ id: profileId }] })
  await registersGuests(house)
  const path = `/api/v2/stays/${id}/registrations/${profileId}`
  const made = await house.ask('PUT', path, { body: bodies.registration })
  assert.equal(made.status, 204, made.text)
  const { body } = await house.ask('GET', `/api/v2/registrations?filter[stayId]=${id}`)
  // Other rows check guests in.
  await registersGuests(house, [])
  return { stayId: id, profileId, registrationId: body.data[0].id as string }
}

/** A stay whose price fell after it was paid: 10.00 EUR are to be given back. */
export async function overpaid(house: HouseWithPms, facts: Values = {}) {
  const { path, id, reservationId } = await booked(house, facts)
  const paid = await house.ask('POST', `${path}/actions/record-payment`, {
    body: { ...bodies.payment, amount: 5_000 },
  })
  assert.equal(paid.status, 201, paid.text)
  const cheaper = await house.ask('PATCH', path, {
    body: { amount: { currency: 'EUR', amountWithTax: 40 } },
  })
  assert.equal(cheaper.status, 204, cheaper.text)
  return { path, stayId: id, reservationId, paymentId: paid.body.data.id }
}

/** The same, where a part of the payment was given back. */
export async function refundedPayment(house: HouseWithPms) {
  const facts = await overpaid(house)
  const body = { ...bodies.payment, refundOf: facts.paymentId, reason: 'Wrong card' }
  const given = await house.ask('POST', `${facts.path}/actions/record-refund`, { body })
  assert.equal(given.status, 201, given.text)
  return facts
}
