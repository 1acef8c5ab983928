import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { completed, readAttributes } from '../../src/resource/attributes.ts'
import { parts, references, sealed, texts, valueObject } from '../../src/resource/compound.ts'
import { flag, instant, integer, reference, text, time } from '../../src/resource/fields.ts'
import { Problem } from '../../src/resource/problem.ts'
import { objectSchema, partialSchema } from '../../src/resource/schema.ts'
import { decimal } from '../../src/resource/values/decimal.ts'

const fields = {
  name: text({ required: true }),
  price: decimal(),
  opens: time(),
  ends: instant(),
  open: flag({ default: true }),
  tags: texts({ default: ['a'] }),
  size: valueObject<object>({ type: 'object', properties: {} }),
  total: integer({ readOnly: true }),
  count: integer({ computed: 'SELECT 1' }),
  key: sealed({ type: 'object' }),
  rooms: references('x_room', { roomId: reference('room', { required: true }) }),
  guests: parts('x_guest', {
    name: text({ required: true }),
    born: integer({ readOnly: true }),
    until: time(),
  }),
}

describe('the attributes of a body', () => {
  it('are those that a body may set, in normal form', () => {
    const body = {
      name: 'é'.normalize('NFD'),
      opens: '08:05:00',
      ends: '2026-10-25T02:30:00+02:00',
      total: 5,
      count: 7,
      stray: 1,
      guests: [{ name: 'A', born: 1, until: '09:00:00' }],
    }
    assert.deepEqual(readAttributes(fields, body), {
      name: 'é',
      opens: '08:05',
      ends: Date.UTC(2026, 9, 25, 0, 30),
      guests: [{ name: 'A', until: '09:00' }],
    })
  })

  it('that are null take their default, or are cleared', () => {
    assert.deepEqual(readAttributes(fields, { price: null, open: null, tags: null }), {
      price: null,
      open: true,
      tags: ['a'],
    })
  })

  it('are refused all at once, each with its pointer', () => {
    const body = {
      price: 0.00001,
      opens: '08:00:30',
      ends: '2026-12-31T23:59:60Z',
      guests: [{ name: 'A' }, { name: 'B', until: '10:00Z' }],
    }
    assert.throws(
      () => readAttributes(fields, body),
      (error) => {
        assert.ok(error instanceof Problem)
        const found = [error, ...error.others].map(({ code, options }) => [code, options.pointer])
        assert.deepEqual(found, [
          ['validation-failed', '/price'],
          ['seconds-not-zero', '/opens'],
          ['validation-failed', '/ends'],
          ['time-with-offset', '/guests/1/until'],
        ])
        return true
      },
    )
  })
})

describe('a replacement', () => {
  it('sets every field that a body may set, and leaves sealed ones', () => {
    assert.deepEqual(completed(fields, { name: 'A', open: false }), {
      name: 'A',
      price: null,
      opens: null,
      ends: null,
      open: false,
      tags: ['a'],
      size: null,
      rooms: null,
      guests: null,
    })
  })
})

describe('a schema', () => {
  const { properties, required, additionalProperties } = objectSchema(fields) as {
    properties: Record<string, { type?: unknown }>
    required: string[]
    additionalProperties: boolean
  }

  it('requires the required fields and refuses unknown ones', () => {
    assert.deepEqual(required, ['name'])
    assert.equal(additionalProperties, false)
  })

  it('accepts null for an optional field, and anything for a read-only one', () => {
    assert.equal(properties.name?.type, 'string')
    assert.deepEqual(properties.price?.type, ['number', 'null'])
    assert.deepEqual(properties.total, {})
    assert.deepEqual(properties.count, {})
  })

  it('of a partial body requires nothing', () => assert.deepEqual(partialSchema(fields).required, []))

  it('leaves out the fields that a batch does not have', () => {
    assert.ok(!Object.hasOwn(objectSchema(fields, ['tags']).properties as object, 'tags'))
  })
})
