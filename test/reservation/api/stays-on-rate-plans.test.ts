import type { ReservationHouse } from './house.ts'
import { type Scenario, scenarios } from './scenario.ts'
import { newStay } from './stay-samples.ts'

const unknown = '0197c0de-0000-7000-8000-000000000000'
const sold = { startDate: '2026-06-10', endDate: '2026-06-20' }
const tiers = [{ offset: 'P7D', fee: { nights: 1 } }]

let count = 0

/** A rate plan sold for some nights of June, under a policy, and what a stay needs. */
async function plan(house: ReservationHouse, attributes: Record<string, unknown> = {}) {
  const code = `P${++count}`
  const policyId = await house.make('cancellation-policies', {
    code,
    name: 'Moderate',
    description: 'One night within a week of arrival.',
    tiers,
  })
  const ratePlan = { code, name: code, ...sold, cancellationPolicyId: policyId, ...attributes }
  const ratePlanId = await house.make('rate-plans', ratePlan)
  return { ...(await house.rooms(1)), policyId, ratePlanId, ratePlan }
}

/** The same with a stay on the plan. */
async function onPlan(house: ReservationHouse) {
  const made = await plan(house)
  const { unitTypeId, ratePlanId } = made
  const stay = { ...sold, units: [{ unitTypeId }], ratePlanId }
  return { ...made, ...(await house.stay(stay)) }
}

const put = (name: string, dates: object, refusal?: Record<string, unknown>): Scenario => ({
  name: `nights ${name}: ${refusal ? '422' : '201'}`,
  given: plan,
  request: ['POST', '/api/v2/reservations', { stays: [newStay({ ratePlanId: '{ratePlanId}', ...dates })] }],
  status: refusal ? 422 : 201,
  ...(refusal && { error: { code: 'validation-failed', at: '/stays/0/ratePlanId', meta: refusal } }),
})

scenarios('A stay is put on a rate plan for', [
  put('within those it is sold for', { startDate: '2026-06-10', endDate: '2026-06-21' }),
  put('of which one is before', { startDate: '2026-06-09', endDate: '2026-06-12' }, sold),
  put('of which one is after', { startDate: '2026-06-19', endDate: '2026-06-22' }, sold),
  put('none, on its last day', {
    startDate: '2026-06-20',
    endDate: '2026-06-20',
    startTime: '10:00',
    endTime: '18:00',
  }),
  {
    name: 'a plan that is not active: 422',
    given: (house) => plan(house, { active: false }),
    request: ['POST', '/api/v2/reservations', { stays: [newStay({ ...sold, ratePlanId: '{ratePlanId}' })] }],
    status: 422,
    error: { code: 'validation-failed', at: '/stays/0/ratePlanId', meta: { active: false } },
  },
  {
    name: 'a plan that is not there: 422',
    given: onPlan,
    request: ['PATCH', '{path}', { ratePlanId: unknown }],
    status: 422,
    error: { code: 'reference-unknown', at: '/ratePlanId' },
  },
  {
    name: 'a stay keeps its plan when it is made longer than the plan is sold for',
    given: onPlan,
    request: ['PATCH', '{path}', { endDate: '2026-06-30' }],
    status: 204,
    afterwards: '{path}',
    holds: { ratePlanId: '{ratePlanId}', endDate: '2026-06-30' },
  },
  {
    name: 'a stay keeps its plan when the plan is sold no longer',
    given: async (house) => {
      const made = await onPlan(house)
      const body = { ...made.ratePlan, active: false }
      await house.ask('PUT', `/api/v2/rate-plans/${made.ratePlanId}`, { body })
      return made
    },
    request: ['PATCH', '{path}', { comment: 'late' }],
    status: 204,
  },
])

scenarios('The terms of a stay', [
  {
    name: 'are those of its plan’s policy',
    given: onPlan,
    request: ['GET', '{path}'],
    status: 200,
    holds: {
      cancellationPolicy: {
        name: 'Moderate',
        description: 'One night within a week of arrival.',
        reference: 'Arrival',
        tiers,
        noShowFee: { nights: 1 },
        nonRefundable: false,
      },
    },
  },
  {
    name: 'stay as they were when the plan gets another policy',
    given: async (house) => {
      const made = await onPlan(house)
      const other = await house.make('cancellation-policies', {
        code: `O${++count}`,
        name: 'Strict',
        nonRefundable: true,
      })
      const body = { ...made.ratePlan, cancellationPolicyId: other }
      await house.ask('PUT', `/api/v2/rate-plans/${made.ratePlanId}`, { body })
      await house.ask('PATCH', made.path, { body: { comment: 'late' } })
      return made
    },
    request: ['GET', '{path}'],
    status: 200,
    holds: { comment: 'late', cancellationPolicy: { name: 'Moderate' } },
  },
  {
    name: 'are not for a body to say',
    given: plan,
    request: [
      'POST',
      '/api/v2/reservations',
      { stays: [newStay({ cancellationPolicy: { name: 'None' }, cancellationFee: { amount: 0 } })] },
    ],
    status: 201,
    holds: { stays: [{ cancellationPolicy: null, cancellationFee: null }] },
  },
  {
    name: 'are those of another plan when the stay is put on it',
    given: async (house) => ({ ...(await onPlan(house)), other: await plan(house, { code: 'Q' }) }),
    request: ['PATCH', '{path}', { ratePlanId: null }],
    status: 204,
    afterwards: '{path}',
    lacks: ['ratePlanId', 'cancellationPolicy'],
  },
  {
    name: 'of a plan without a policy are none',
    given: (house) => plan(house, { cancellationPolicyId: null }),
    request: ['POST', '/api/v2/reservations', { stays: [newStay({ ...sold, ratePlanId: '{ratePlanId}' })] }],
    status: 201,
    holds: { stays: [{ ratePlanId: '{ratePlanId}', cancellationPolicy: null }] },
  },
  {
    name: 'keep their plan from being deleted',
    given: onPlan,
    request: ['DELETE', '/api/v2/rate-plans/{ratePlanId}'],
    status: 409,
    error: { code: 'resource-referenced', meta: { by: 'stay', count: 1 } },
  },
  {
    name: 'a policy that a plan has cannot be deleted',
    given: plan,
    request: ['DELETE', '/api/v2/cancellation-policies/{policyId}'],
    status: 409,
    error: { code: 'resource-referenced', meta: { by: 'rate-plan', count: 1 } },
  },
])

scenarios('The price of a stay', [
  {
    name: 'on a derived plan is what the body says: nothing is taken off it again',
    given: async (house) => {
      const made = await plan(house, { currency: 'EUR' })
      const derived = await house.make('rate-plans', {
        code: `D${++count}`,
        name: 'Ten off',
        ...sold,
        parentId: made.ratePlanId,
        derivedAdjustment: { type: 'Percent', value: -10 },
      })
      return { ...made, derived }
    },
    request: [
      'POST',
      '/api/v2/reservations',
      {
        stays: [
          newStay({ ...sold, ratePlanId: '{derived}', amount: { currency: 'EUR', amountWithTax: 90 } }),
        ],
      },
    ],
    status: 201,
    holds: { due: 9_000, stays: [{ amount: { amountWithTax: 90 } }] },
  },
])
