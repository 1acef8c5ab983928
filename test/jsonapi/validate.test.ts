import assert from 'node:assert/strict'
import { it } from 'node:test'
import { validate } from '../../src/jsonapi/schemas/validate.ts'
import { cancellationTermsSchemas } from '../../src/reservation/pricing/cancellation-policy-terms.ts'
import type { JsonSchema } from '../../src/resource/field.ts'
import { currency, date, text, time, uuid } from '../../src/resource/fields.ts'
import { Problem } from '../../src/resource/problem.ts'
import { nullable } from '../../src/resource/schema.ts'

it('a body with any number of errors causes at most fifty problems', async () => {
  const strays = Object.fromEntries(Array.from({ length: 900 }, (_, each) => [`stray${each}`, each]))
  await assert.rejects(validate({ type: 'object', additionalProperties: false }, strays), (error) => {
    assert.ok(error instanceof Problem)
    assert.deepEqual([error.options.pointer, error.others.length], ['/stray0', 49])
    return true
  })
})

const large: [what: string, schema: JsonSchema, value: unknown, detail: string][] = [
  [
    'a list that is too long',
    { type: 'array', maxItems: 10, uniqueItems: true, items: { type: 'object', required: ['id'] } },
    Array.from({ length: 300_000 }, () => ({})),
    'the body must have at most 10 items.',
  ],
  ['a list', { type: 'array', items: { type: 'string' } }, Array(300_000).fill(1), '0 must be string.'],
  [
    'an object',
    { type: 'object', additionalProperties: false },
    Object.fromEntries(Array.from({ length: 100_000 }, (_, each) => [`stray${each}`, each])),
    'stray0 is not a field of this resource.',
  ],
  [
    'a text',
    { type: 'string', maxLength: 10, pattern: '^b' },
    'a'.repeat(1_000_000),
    'the body must have at most 10 characters.',
  ],
]

for (const [what, schema, value, detail] of large) {
  it(`of ${what} as large as a body can be, only the first error is reported`, async () => {
    await assert.rejects(validate(schema, value), (error) => {
      assert.ok(error instanceof Problem)
      assert.deepEqual([error.message, error.others.length], [detail, 0])
      return true
    })
  })
}

const fee = cancellationTermsSchemas.noShowFee
const list = (item: JsonSchema) => ({ type: 'array', minItems: 1, maxItems: 2, items: item })

const told: [what: string, schema: JsonSchema, value: unknown, details: string[]][] = [
  ['a time', time().schema, '2pm', ['the body must be a time (HH:MM).']],
  ['a date', date().schema, '1.6.2026', ['the body must be a date (YYYY-MM-DD).']],
  ['an id', uuid().schema, '201', ['the body must be an id (UUID).']],
  ['a currency', currency().schema, 'eur', ['the body must be a currency code (three upper-case letters).']],
  ['a text', text().schema, 'a\u0007', ['the body must be text without control characters.']],
  ['an empty text', text().schema, '', ['the body must not be empty.']],
  ['a long text', text({ max: 2 }).schema, 'abc', ['the body must have at most 2 characters.']],
  ['a short list', list({}), [], ['the body must have at least 1 item.']],
  ['a long list', list({}), [1, 2, 3], ['the body must have at most 2 items.']],
  ['a word', nullable({ enum: ['View', 'Bed'] }), 'view', ['the body must be one of View, Bed.']],
  [
    'the same twice',
    { type: 'array', uniqueItems: true },
    [1, 1],
    ['the body must not have the same item twice.'],
  ],
  ['null or a text', nullable(text().schema), 7, ['the body must be string or null.']],
  ['a share that is too large', fee, { percent: 101, of: 'Stay' }, ['percent must be <= 100.']],
  [
    'an amount of no currency',
    fee,
    { amount: 1, currency: 'X' },
    ['currency must be a currency code (three upper-case letters).'],
  ],
  ['two forms in one', fee, { nights: 1, percent: 5 }, ['percent is not a field of this resource.']],
  ['none of the forms', nullable(fee), 'much', ['the body must be object or null.']],
  ['a form with nothing in it, or null', nullable(fee), {}, ['nights is required.']],
  ['one of them in a list', list(fee), [{ nights: 1 }, { nights: 0 }], ['1/nights must be >= 1.']],
]

for (const [what, schema, value, details] of told) {
  it(`says of ${what}: ${details.join(' ')}`, async () => {
    await assert.rejects(validate(schema, value), (error) => {
      assert.ok(error instanceof Problem)
      assert.deepEqual(
        [error, ...error.others].map(({ message }) => message),
        details,
      )
      return true
    })
  })
}

it('accepts null for an optional value of several forms', () => validate(nullable(fee), null))
