import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import {
  ApiError,
  apiErrorOf,
  documentOf,
  noLine,
  type Shape,
} from '../../src/console/pages/lib/server/answer.ts'
import { screensIn } from '../../src/console/pages/lib/server/message.ts'
import fc from '../seed.ts'

const reply = (text: string, status = 200, retryAfter: string | null = null) => ({ status, text, retryAfter })
const unit = { type: 'unit', id: '1', attributes: { name: '101' } }
const text = (data: unknown, more: object = {}) => JSON.stringify({ data, ...more })

/** Returns the code of the failure; null for an answer that is read. */
function refusalOf(shape: Shape, ...given: Parameters<typeof reply>): string | null {
  try {
    documentOf(reply(...given), shape, ['name'])
    return null
  } catch (error) {
    assert.ok(error instanceof ApiError, `an ApiError: ${error}`)
    if (error.code === 'bad-answer') assert.deepEqual([error.status, error.message.length > 0], [0, true])
    return error.code
  }
}

const shapes: readonly Shape[] = ['one', 'maybe', 'list', 'done']

describe('an answer to a page', () => {
  it('is read where it has the shape that the page needs', () => {
    assert.equal(refusalOf('one', text(unit)), null)
    assert.equal(refusalOf('one', text(unit, { included: [unit], meta: {}, links: {} })), null)
    assert.equal(refusalOf('maybe', text(unit)), null)
    assert.equal(refusalOf('maybe', text(null)), null)
    assert.equal(refusalOf('maybe', '', 204), null)
    assert.equal(refusalOf('list', text([])), null)
    assert.equal(refusalOf('list', text([unit, unit])), null)
    assert.equal(refusalOf('done', '', 204), null)
    assert.equal(refusalOf('done', text(null)), null)
    assert.equal(refusalOf('done', '{"meta":{"count":1}}', 201), null)
  })

  const strange: Readonly<Record<string, Parameters<typeof reply>>> = {
    HTML: ['<!doctype html><p>Sign in</p>'],
    'HTML with 502': ['<html>Bad Gateway</html>', 502],
    'HTML with 401': ['<html>Sign in</html>', 401],
    nothing: [''],
    'nothing with 503': ['', 503],
    'half an answer': [text(unit).slice(0, -5)],
    null: ['null'],
    true: ['true'],
    'a number': ['1'],
    'a text': ['"data"'],
    'an empty array': ['[]'],
    'an empty object': ['{}'],
    'an answer of another service': ['{"status":"ok"}'],
    'errors with 200': ['{"errors":[{"code":"a","title":"b","detail":"c"}]}'],
    'no errors with 500': ['{"errors":[]}', 500],
    'errors that are none': ['{"errors":[null]}', 500],
    'errors that are an object': ['{"errors":{"code":"a"}}', 500],
    'data with 500': [text(unit), 500],
    'a redirect': [text(unit), 302],
    'a list of included resources that is none': [text(unit, { included: {} })],
    'meta that is none': [text(unit, { meta: null })],
    'links that are none': [text(unit, { links: [] })],
  }
  for (const [name, given] of Object.entries(strange))
    it(`is refused as a bad one: ${name}`, () => {
      for (const shape of shapes) assert.equal(refusalOf(shape, ...given), 'bad-answer', shape)
    })

  it('is refused where another shape was needed', () => {
    const resources = [[], [unit], 'a', 1, true, {}, { id: '1' }, { ...unit, attributes: [] }]
    for (const data of [...resources, { ...unit, attributes: {} }, { ...unit, id: 1 }]) {
      assert.equal(refusalOf('one', text(data)), 'bad-answer', JSON.stringify(data))
      assert.equal(refusalOf('maybe', text(data)), 'bad-answer', JSON.stringify(data))
    }
    assert.equal(refusalOf('one', text(null)), 'bad-answer')
    assert.equal(refusalOf('one', '', 204), 'bad-answer')
    assert.equal(refusalOf('list', '', 204), 'bad-answer')
    for (const data of [null, unit, [null], [unit, {}], [[unit]], [{ ...unit, attributes: null }]])
      assert.equal(refusalOf('list', text(data)), 'bad-answer', JSON.stringify(data))
  })

  it('that refuses keeps its code, field and time of a retry', () => {
    const errors = [
      { code: 'invalid', title: 'a', detail: 'b', source: { pointer: '/data/attributes/name' } },
    ]
    for (const shape of shapes)
      assert.throws(() => documentOf(reply(JSON.stringify({ errors }), 422, '7'), shape), {
        status: 422,
        code: 'invalid',
        message: 'b',
        field: 'name',
        retryAfterSeconds: 7,
      })
  })

  it('of any other kind is read, or is one ApiError', () => {
    const damaged = fc
      .tuple(fc.constantFrom(text(unit), text([unit]), '{"errors":[{"code":"a"}]}'), fc.nat(), fc.string())
      .map(
        ([whole, at, put]) =>
          whole.slice(0, at % whole.length) + put + whole.slice((at % whole.length) + put.length),
      )
    const any = fc.oneof(
      damaged,
      fc.json(),
      fc.string(),
      fc
        .record({ data: fc.jsonValue(), included: fc.jsonValue(), meta: fc.jsonValue() })
        .map((each) => JSON.stringify(each)),
      fc.record({ errors: fc.jsonValue() }).map((each) => JSON.stringify(each)),
    )
    fc.assert(
      fc.property(
        any,
        fc.constantFrom(200, 201, 204, 302, 401, 404, 500, 502, 503),
        fc.constantFrom(...shapes),
        (given, status, shape) => {
          let document: ReturnType<typeof documentOf<unknown>>
          try {
            document = documentOf(reply(given, status), shape, ['name'])
          } catch (error) {
            assert.ok(error instanceof ApiError, `an ApiError: ${error}`)
            assert.ok(error.code === 'bad-answer' ? error.status === 0 : error.status === status)
            return
          }
          assert.ok(status < 300)
          const { data } = document
          if (shape === 'list') assert.ok(Array.isArray(data))
          if (shape === 'one') assert.ok((data as typeof unit).attributes.name !== undefined)
        },
      ),
      { numRuns: 2_000 },
    )
  })
})

describe('a failure that is no refusal', () => {
  it('becomes a bad answer for a person, and is written to the console of the browser', (t) => {
    const written = t.mock.method(console, 'error', () => {})
    const refusal = noLine()
    assert.equal(apiErrorOf(refusal), refusal)
    for (const error of [new TypeError('data is null'), new RangeError('a'), 'a', null, undefined])
      assert.deepEqual([apiErrorOf(error).code, apiErrorOf(error).status], ['bad-answer', 0])
    assert.equal(written.mock.callCount(), 10)
  })
})

describe('a sentence of the box', () => {
  it('leads by a link to the screen whose address it has', () => {
    assert.deepEqual(screensIn('Decide them on the page /desk#/conflicts. See (/setup#/system/backups).'), [
      'Decide them on the page ',
      '/desk#/conflicts',
      '. See (',
      '/setup#/system/backups',
      ').',
    ])
    assert.deepEqual(screensIn('Restore it in the set-up (/setup).'), [
      'Restore it in the set-up (',
      '/setup',
      ').',
    ])
    const other = 'No address: /api/v2, https://example.com/desk, /desktop.'
    assert.deepEqual(screensIn(other), [other])
  })
})
