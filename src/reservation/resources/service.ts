import { currency, integer, text } from '../../resource/fields.ts'
import { invalidValue } from '../../resource/problem.ts'
import { resource, type Writing } from '../../resource/resource.ts'
import { decimal } from '../../resource/values/decimal.ts'
import { checkServiceCount, type PricingType, pricingTypes } from '../pricing/service-price.ts'
import { checkCurrency, toMinor } from '../values/money.ts'

const fields = {
  code: text({ required: true, max: 30 }),
  name: text({ required: true }),
  description: text({ min: 0, max: 4000, multiline: true }),
  currencyCode: currency({ required: true }),
  amountWithTax: decimal({ required: true }),
  amountWithoutTax: decimal({ required: true }),
  pricingType: integer({
    required: true,
    min: 12,
    max: 24,
    note: '12 per stay, 19 per night, 20 per person, 21 per person and night, 24 per item. A day use is charged as one night.',
  }),
  count: integer({ required: true, min: 1, max: 9999 }),
}

/** A product that can be booked besides a unit: breakfast, parking, a late check-out. */
export const service = resource('service', {
  path: 'services',
  example: {
    code: 'BREAKFAST',
    name: 'Breakfast',
    currencyCode: 'EUR',
    amountWithTax: 14.5,
    amountWithoutTax: 12.83,
    pricingType: 21,
    count: 1,
  },
  scopes: { read: 'services.read', write: 'services.write' },
  fields,
  rules: { write: [isPriced] },
})

const codes = Object.keys(pricingTypes).map(Number)

function isPriced({ before, after }: Writing<typeof fields>): void {
  const { pricingType, count, currencyCode, amountWithTax, amountWithoutTax } = after
  if (!codes.includes(pricingType)) {
    throw invalidValue('/pricingType', 'Unknown pricing type.', { allowed: codes })
  }
  checkServiceCount({ pricingType: pricingType as PricingType, count })
  checkCurrency(currencyCode, '/currencyCode', before?.currencyCode)
  toMinor(amountWithTax, currencyCode, '/amountWithTax')
  toMinor(amountWithoutTax, currencyCode, '/amountWithoutTax')
}
