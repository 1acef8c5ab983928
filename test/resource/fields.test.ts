import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Field } from '../../src/resource/field.ts'
import {
  country,
  currency,
  date,
  flag,
  instant,
  integer,
  language,
  number,
  oneOf,
  text,
  time,
  uuid,
} from '../../src/resource/fields.ts'
import { decimal } from '../../src/resource/values/decimal.ts'
import fc from '../seed.ts'

const id = '0197C0DE-0000-7000-8000-000000000001'
const moment = Date.UTC(2026, 9, 25, 0, 30)

/** What a filter value is read as; undefined for what is none. */
const readings: [name: string, field: Field, reads: [text: string, value: string | number | undefined][]][] =
  [
    [
      'text',
      text(),
      [
        ['', ''],
        ['é', 'é'],
        ['é'.normalize('NFD'), 'é'],
      ],
    ],
    [
      'integer',
      integer(),
      [
        ['0', 0],
        ['-12', -12],
        ['9007199254740991', 9007199254740991],
        ['9007199254740993', undefined],
        ['1.0', undefined],
        ['+1', undefined],
        ['', undefined],
        ['1e3', undefined],
      ],
    ],
    [
      'decimal',
      decimal(),
      [
        ['12.5', 125000],
        ['-0.0001', -1],
        ['0.1', 1000],
        ['999999999.9999', 9999999999999],
        ['1.00001', undefined],
        ['1234567890', undefined],
        ['.5', undefined],
        ['abc', undefined],
      ],
    ],
    [
      'number',
      number(),
      [
        ['1.5', 1.5],
        ['-2', -2],
        ['1,5', undefined],
      ],
    ],
    [
      'flag',
      flag(),
      [
        ['true', 1],
        ['false', 0],
        ['1', undefined],
        ['TRUE', undefined],
      ],
    ],
    [
      'date',
      date(),
      [
        ['2026-02-28', '2026-02-28'],
        ['2026-02-28T23:59:00+02:00', '2026-02-28'],
        ['2026-13-01', undefined],
        ['2026-2-8', undefined],
        ['28.02.2026', undefined],
        ['2026-02-28x', undefined],
      ],
    ],
    [
      'time',
      time(),
      [
        ['08:05', '08:05'],
        ['08:05:00', '08:05'],
        ['08:05:01', undefined],
        ['24:00', undefined],
        ['8:05', undefined],
        ['08:05Z', undefined],
      ],
    ],
    [
      'instant',
      instant(),
      [
        ['2026-10-25T00:30:00Z', moment],
        ['2026-10-25T00:30', moment],
        ['2026-10-25T02:30:00+02:00', moment],
        ['2026-10-25', Date.UTC(2026, 9, 25)],
        ['2026-10-25T25:00:00Z', undefined],
        ['now', undefined],
      ],
    ],
    [
      'uuid',
      uuid(),
      [
        [id, id.toLowerCase()],
        ['1', undefined],
        [`${id}0`, undefined],
      ],
    ],
    [
      'oneOf',
      oneOf(['Clean', 'Dirty']),
      [
        ['Clean', 'Clean'],
        ['clean', undefined],
        ['', undefined],
      ],
    ],
    [
      'country',
      country(),
      [
        ['PT', 'PT'],
        ['pt', undefined],
        ['PRT', undefined],
      ],
    ],
    [
      'language',
      language(),
      [
        ['pt', 'pt'],
        ['PT', undefined],
      ],
    ],
    [
      'currency',
      currency(),
      [
        ['EUR', 'EUR'],
        ['eur', undefined],
      ],
    ],
  ]

for (const [name, field, reads] of readings) {
  describe(`${name} in a filter`, () => {
    for (const [given, expected] of reads)
      it(`${JSON.stringify(given)} is ${expected ?? 'refused'}`, () =>
        assert.equal(field.read(given), expected))
  })
}

describe('a rule beyond the schema', () => {
  const checks: [name: string, field: Field, value: unknown, code: string | undefined][] = [
    ['a decimal of four places', decimal(), 1.2345, undefined],
    ['a decimal of five', decimal(), 1.23456, 'validation-failed'],
    ['a decimal so small that it is written with an exponent', decimal(), 1e-7, 'validation-failed'],
    ['a time', time(), '08:05', undefined],
    ['a time with seconds of zero', time(), '08:05:00', undefined],
    ['a time with seconds', time(), '08:05:30', 'seconds-not-zero'],
    ['a time in UTC', time(), '08:05:00Z', 'time-with-offset'],
    ['a time with an offset', time(), '08:05+02:00', 'time-with-offset'],
    ['a moment', instant(), '2026-12-31T23:59:59+01:00', undefined],
    ['a leap second', instant(), '2026-12-31T23:59:60Z', 'validation-failed'],
    ['an offset without minutes', instant(), '2026-12-31T23:59:00+01', 'validation-failed'],
    ['a currency', currency(), 'EUR', undefined],
    ['a currency that nobody has', currency(), 'XQX', 'validation-failed'],
  ]
  for (const [name, field, value, code] of checks)
    it(`is checked: ${name}`, () => assert.equal(field.check?.(value)?.code, code))
})

describe('a stored value', () => {
  it('is read back unchanged, decimals digit by digit', () => {
    fc.assert(
      fc.property(fc.integer({ min: -9_999_999_999_999, max: 9_999_999_999_999 }), (units) => {
        const shown = units / 10_000
        const field = decimal()
        assert.equal(field.encode(shown), units)
        assert.equal(field.check?.(shown), null)
      }),
    )
  })

  it('is the same instant, given as text or as milliseconds', () => {
    const field: Field = instant()
    assert.equal(field.encode('2026-10-25T02:30:00+02:00'), moment)
    assert.equal(field.encode(moment), moment)
  })

  it('is text in normal form C, and a time without seconds', () => {
    assert.equal(text().encode('é'.normalize('NFD')), 'é')
    assert.equal(time().encode('08:05:00'), '08:05')
  })
})
