import { json } from '../../resource/compound.ts'
import { flag, oneOf, text } from '../../resource/fields.ts'
import { resource, type Writing } from '../../resource/resource.ts'
import {
  type CancellationTermsInput,
  cancellationReferences,
  cancellationTerms,
  cancellationTermsSchemas,
} from '../pricing/cancellation-policy-terms.ts'

const fields = {
  code: text({ required: true, max: 30 }),
  name: text({ required: true }),
  description: text({ min: 0, max: 4000, multiline: true }),
  descriptions: json<Record<string, string>>({
    type: 'object',
    maxProperties: 50,
    propertyNames: { pattern: '^[a-z]{2}(-[A-Z]{2})?$' },
    additionalProperties: { type: 'string', maxLength: 4000 },
  }),
  reference: oneOf(cancellationReferences, { default: 'Arrival' }),
  tiers: json(cancellationTermsSchemas.tiers),
  noShowFee: json(cancellationTermsSchemas.noShowFee),
  nonRefundable: flag({ default: false }),
}

/**
 * The fees of a cancellation and when they apply. A stay keeps a copy of the terms from the moment it takes the rate
 * plan.
 */
export const cancellationPolicy = resource('cancellation-policy', {
  path: 'cancellation-policies',
  example: {
    code: 'FLEX',
    name: 'Flexible',
    description: 'Free of charge until the day before arrival; then the first night.',
    tiers: [{ offset: 'P1D', fee: { percent: 100, of: 'FirstNight' } }],
  },
  scopes: { read: 'rate-plans.read', write: 'rate-plans.write' },
  fields,
  rules: { write: [termsHold] },
})

function termsHold({ after }: Writing<typeof fields>): void {
  const { reference, tiers, noShowFee, nonRefundable } = after
  Object.assign(
    after,
    cancellationTerms({ reference, tiers, noShowFee, nonRefundable } as CancellationTermsInput),
  )
}
