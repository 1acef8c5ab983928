import { bodies, booked, nobody } from './facts.ts'
import type { Row } from './row.ts'
import { createRows, listRows, readRows } from './rows-of-lists.ts'

const profile = '/profiles/{profileId}'
const property = '/properties/{propertyId}'
const ratePlan = '/rate-plans/{ratePlanId}'
const service = '/services/{serviceId}'

/** Profiles, the property, rate plans and services, with what belongs to them. */
export const guestRows: Row[] = [
  ...listRows('GET /profiles'),
  { of: 'GET /profiles', status: 401, as: null, code: 'unauthenticated' },
  { of: 'GET /profiles', status: 403, as: 'housekeeping', code: 'scope-required' },
  { of: 'GET /profiles', status: 404, cannot: 'The list is always there; where nobody fits, it is empty.' },
  { of: 'GET /profiles', status: 422, cannot: 'It has no body that could be wrong; a wrong query is a 400.' },
  { of: 'GET /profiles', status: 429, in: 'quotas', code: 'rate-limited' },
  ...createRows('POST /profiles', bodies.profile, { lastName: '' }),
  ...readRows(`GET ${profile}`),
  { of: `PUT ${profile}`, status: 204, body: { ...bodies.profile, title: 'Dr' } },
  { of: `PATCH ${profile}`, status: 204, body: { title: 'Prof' } },
  {
    of: `DELETE ${profile}`,
    status: 204,
    given: async ({ make }) => ({ profileId: await make('profiles', { firstName: 'Al', lastName: 'One' }) }),
  },
  { of: `DELETE ${profile}`, status: 409, code: 'resource-referenced' },

  ...listRows('GET /properties'),
  ...createRows('POST /properties', bodies.property, { enabled: 'yes' }),
  ...readRows(`GET ${property}`),
  { of: `PUT ${property}`, status: 204, body: { ...bodies.property, code: 'H' } },
  {
    of: `DELETE ${property}`,
    status: 204,
    given: async ({ make }) => ({ propertyId: await make('properties', bodies.property) }),
  },

  ...listRows('GET /rate-plans'),
  ...createRows('POST /rate-plans', { ...bodies.ratePlan, code: '{fresh}' }, { mealPlan: 'Brunch' }),
  ...readRows(`GET ${ratePlan}`),
  { of: `PUT ${ratePlan}`, status: 204, body: { ...bodies.ratePlan, code: '{fresh}' } },
  {
    of: `DELETE ${ratePlan}`,
    status: 204,
    given: async ({ make }) => ({ ratePlanId: await make('rate-plans', { ...bodies.ratePlan, code: 'GO' }) }),
  },

  ...listRows('GET /services'),
  ...createRows('POST /services', { ...bodies.service, code: '{fresh}' }, { currencyCode: 'euro' }),
  ...readRows(`GET ${service}`),
  { of: `PUT ${service}`, status: 204, body: { ...bodies.service, code: '{fresh}' } },
  {
    of: `DELETE ${service}`,
    status: 204,
    given: async ({ make }) => ({ serviceId: await make('services', { ...bodies.service, code: 'GO' }) }),
  },
  {
    of: `DELETE ${service}`,
    status: 409,
    code: 'resource-referenced',
    given: async (house) => {
      const serviceId = await house.make('services', { ...bodies.service, code: 'STAYS' })
      await booked(house, { services: [{ serviceId }] })
      return { serviceId }
    },
  },

  ...listRows('GET /cancellation-policies'),
  ...createRows('POST /cancellation-policies', { ...bodies.policy, code: '{fresh}' }, { tiers: [] }),
  ...readRows('GET /cancellation-policies/{cancellationPolicyId}'),
  {
    of: 'PUT /cancellation-policies/{cancellationPolicyId}',
    status: 204,
    body: { ...bodies.policy, code: '{fresh}', nonRefundable: false },
  },
  {
    of: 'DELETE /cancellation-policies/{cancellationPolicyId}',
    status: 204,
    given: async ({ make }) => ({
      cancellationPolicyId: await make('cancellation-policies', { ...bodies.policy, code: 'GO' }),
    }),
  },
  {
    of: 'DELETE /cancellation-policies/{cancellationPolicyId}',
    status: 409,
    code: 'resource-referenced',
    given: async ({ make }) => {
      const cancellationPolicyId = await make('cancellation-policies', { ...bodies.policy, code: 'STAYS' })
      await make('rate-plans', { ...bodies.ratePlan, code: 'FLEX', cancellationPolicyId })
      return { cancellationPolicyId }
    },
  },

  ...listRows('GET /amenities'),
  ...createRows('POST /amenities', { ...bodies.amenity, code: '{fresh}' }, { category: 'Nice' }),
  ...readRows('GET /amenities/{amenityId}'),
  { of: 'PUT /amenities/{amenityId}', status: 204, body: { ...bodies.amenity, code: '{fresh}' } },
  {
    of: 'DELETE /amenities/{amenityId}',
    status: 204,
    given: async ({ make }) => ({ amenityId: await make('amenities', { ...bodies.amenity, code: 'GO' }) }),
  },
  {
    of: 'DELETE /amenities/{amenityId}',
    status: 409,
    code: 'resource-referenced',
    given: async ({ make }) => {
      const amenityId = await make('amenities', { ...bodies.amenity, code: 'STAYS' })
      await make('unit-types', { code: 'AMEN', name: 'With view', amenities: [amenityId] })
      return { amenityId }
    },
  },

  { of: 'GET /status', status: 200 },
  { of: 'GET /status', status: 401, as: null, code: 'unauthenticated' },
  { of: 'GET /status', status: 403, headers: { 'X-Tenant-ID': nobody }, code: 'tenant-mismatch' },
  { of: 'GET /status', status: 429, in: 'quotas', code: 'rate-limited' },
  { of: 'GET /status', status: 500, in: 'ruins', code: 'internal' },
]
