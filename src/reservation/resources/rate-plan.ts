import { json } from '../../resource/compound.ts'
import { exampleId } from '../../resource/example-id.ts'
import { currency, date, flag, oneOf, reference, text, time } from '../../resource/fields.ts'
import { invalidValue, Problem } from '../../resource/problem.ts'
import { resource, type Writing } from '../../resource/resource.ts'
import {
  type DerivedAdjustmentInput,
  derivedAdjustment,
  derivedAdjustmentSchema,
} from '../pricing/derived-adjustment.ts'
import { checkDerivation } from '../pricing/rate-plan-derivation.ts'
import { checkCurrency } from '../values/money.ts'
import { referenced } from '../values/value-problems.ts'

const fields = {
  active: flag({ default: true }),
  parentId: reference('rate-plan'),
  code: text({ required: true, max: 30 }),
  name: text({ required: true }),
  description: text({ min: 0, max: 4000, multiline: true }),
  startDate: date({ required: true }),
  startTime: time(),
  endDate: date({ required: true }),
  endTime: time(),
  mealPlan: oneOf(['RoomOnly', 'Breakfast', 'HalfBoard', 'FullBoard', 'AllInclusive']),
  currency: currency(),
  guaranteeType: oneOf(['None', 'CcRequired', 'Deposit', 'Prepay']),
  cancellationPolicyId: reference('cancellation-policy'),
  derivedAdjustment: json<DerivedAdjustmentInput>(derivedAdjustmentSchema),
}

/** The terms at which units are sold. */
export const ratePlan = resource('rate-plan', {
  path: 'rate-plans',
  example: {
    code: 'BAR',
    name: 'Best available rate',
    startDate: '2026-01-01',
    endDate: '2027-12-31',
    mealPlan: 'Breakfast',
    currency: 'EUR',
    guaranteeType: 'CcRequired',
    cancellationPolicyId: exampleId('cancellation-policy'),
  },
  scopes: { read: 'rate-plans.read', write: 'rate-plans.write' },
  fields,
  problems: ['end-before-start', 'rate-plan-derivation'],
  rules: { write: [endsAfterItStarts, sellsInCurrencyInForce, derives] },
})

function endsAfterItStarts({ after }: Writing<typeof fields>): void {
  const { startDate, endDate, startTime, endTime } = after
  const sameDay = startDate === endDate && startTime && endTime && endTime < startTime
  if (endDate >= startDate && !sameDay) return
  throw new Problem('end-before-start', 'The rate plan ends before it starts.', { pointer: '/endDate' })
}

function sellsInCurrencyInForce({ before, after }: Writing<typeof fields>): void {
  if (after.currency) checkCurrency(after.currency, '/currency', before?.currency)
}

function derives({ tx, id, before, after: plan }: Writing<typeof fields>): void {
  const parent = (other: string) => referenced(tx, ratePlan, other, '/parentId')
  checkDerivation({ ...plan, id: before ? id : null }, (other) => parent(other).parentId ?? null)
  if (!plan.derivedAdjustment) return
  const currency = plan.currency ?? (plan.parentId ? parent(plan.parentId).currency : null)
  if (!currency) throw invalidValue('/currency', 'A derived plan, or its parent, needs a currency.')
  plan.derivedAdjustment = derivedAdjustment(plan.derivedAdjustment, currency)
}
