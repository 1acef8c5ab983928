import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import { decimal, divide, fractionOf, toMajor, toMinor } from '../../../src/reservation/values/money.ts'
import { exponentOf, isCurrency, isStoredCurrency, toDecimal } from '../../../src/resource/values/currency.ts'
import fc from '../../seed.ts'
import { refusal } from '../refusal.ts'

const amounts: [value: number | string, currency: string, minor: number][] = [
  [19.99, 'EUR', 1999],
  [0.1 + 0.7, 'EUR', Number.NaN],
  [0.29, 'EUR', 29],
  [1.1, 'EUR', 110],
  [4.35, 'EUR', 435],
  [-12.5, 'EUR', -1250],
  ['19.990', 'EUR', 1999],
  ['-0.05', 'EUR', -5],
  [0, 'EUR', 0],
  [1e20, 'EUR', Number.NaN],
  [1e21, 'JPY', Number.NaN],
  [1e-7, 'CLF', Number.NaN],
  [19.999, 'EUR', Number.NaN],
  [1200, 'JPY', 1200],
  [1200.5, 'JPY', Number.NaN],
  [1.234, 'KWD', 1234],
  [1.2345, 'KWD', Number.NaN],
  [1.2345, 'CLF', 12345],
  ['90071992547409.91', 'EUR', 9_007_199_254_740_991],
  ['90071992547409.92', 'EUR', Number.NaN],
  [90_071_992_547_409.91, 'EUR', Number.NaN],
  [9_999_999_999_999.99, 'EUR', 999_999_999_999_999],
  [-9_999_999_999_999.99, 'EUR', -999_999_999_999_999],
  [10_000_000_000_000, 'EUR', Number.NaN],
  ['90071992547409.93', 'EUR', Number.NaN],
  ['1e2', 'EUR', Number.NaN],
  ['1e999999999', 'EUR', Number.NaN],
  ['', 'EUR', Number.NaN],
  ['1,50', 'EUR', Number.NaN],
  [' 1', 'EUR', Number.NaN],
  [Number.POSITIVE_INFINITY, 'EUR', Number.NaN],
]

describe('A decimal amount becomes minor units', () => {
  for (const [value, currency, minor] of amounts) {
    it(`${JSON.stringify(value)} ${currency}: ${Number.isNaN(minor) ? 'refused' : minor}`, () => {
      const read = () => toMinor(value, currency, '/amount')
      if (Number.isNaN(minor)) assert.throws(read, refusal('validation-failed', '/amount'))
      else assert.equal(read(), minor)
    })
  }

  it('not in a currency that does not exist', () => {
    for (const currency of ['EUX', 'eur', '', 'constructor']) {
      assert.throws(() => toMinor(1, currency, '/amount'), refusal('validation-failed', '/amount'))
    }
  })

  it('and back, for every amount that a price can have', () => {
    const minors = fc.integer({ min: -1e12, max: 1e12 })
    fc.assert(
      fc.property(minors, fc.constantFrom('EUR', 'JPY', 'KWD', 'CLF'), (minor, currency) => {
        assert.equal(toMinor(toDecimal(minor, currency), currency, ''), minor)
        assert.equal(toMinor(toMajor(minor, currency), currency, ''), minor)
      }),
    )
  })
})

describe('Minor units become decimal text', () => {
  const texts: [number, string, string][] = [
    [1999, 'EUR', '19.99'],
    [5, 'EUR', '0.05'],
    [-5, 'EUR', '-0.05'],
    [0, 'EUR', '0.00'],
    [1200, 'JPY', '1200'],
    [-1200, 'JPY', '-1200'],
    [1, 'KWD', '0.001'],
  ]
  for (const [minor, currency, text] of texts) {
    it(`${minor} ${currency}: ${text}`, () => assert.equal(toDecimal(minor, currency), text))
  }

  it('a document shows a number', () => assert.equal(toMajor(1990, 'EUR'), 19.9))
})

/** ISO 4217, list one of 2026-01-01. All its other codes with decimals have two. */
const unusual = {
  0: 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF',
  3: 'BHD IQD JOD KWD LYD OMR TND',
  4: 'CLF UYW',
}
/** In daily use without decimals, so that CLDR, and with it each browser, gives them none. */
const roundedInUse = 'AFN ALL COP HUF IDR IRR KPW LAK LBP MGA MMK PKR SOS SYP YER'
const funds = 'BOV CHE CHW COU MXV USN XAD'
const newer = 'SLE VED VES XCG ZWG MRU STN BYN'
const withdrawn = ['BGN', 'ANG', 'CUC', 'HRK', 'SLL', 'ZWL', 'DEM', 'ITL']
const withoutDecimals = ['XAU', 'XTS', 'XXX', 'XBA']

describe('A currency has the decimals of ISO 4217', () => {
  const all = { ...unusual, 2: `EUR USD GBP CHF ${roundedInUse} ${funds} ${newer}` }
  for (const [exponent, codes] of Object.entries(all))
    it(`${exponent}: ${codes}`, () => {
      for (const code of codes.split(' ')) {
        assert.equal(isCurrency(code), true, code)
        assert.equal(exponentOf(code), Number(exponent), code)
      }
    })

  it('and 165 codes of list one have decimals', () => {
    const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ']
    const codes = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => a + b + c)))
    const inForce = codes.filter(isCurrency)
    assert.equal(inForce.length, 165)
    const two = inForce.filter((code) => exponentOf(code) === 2)
    assert.equal(two.length, 165 - Object.values(unusual).join(' ').split(' ').length)
  })

  it('which the handbook lists for those who make clients', () => {
    const page = readFileSync(new URL('../../../src/handbook/requests.md', import.meta.url), 'utf8')
    const rows = [...page.matchAll(/^\| (\d) \| ((?:[A-Z]{3} ?)+) \|$/gm)]
    assert.deepEqual(Object.fromEntries(rows.map(([, exponent, codes]) => [exponent, codes])), unusual)
  })

  it('one that is withdrawn may be stored, and has two, but no new price may be in it', () => {
    for (const code of withdrawn)
      assert.deepEqual([isCurrency(code), isStoredCurrency(code), exponentOf(code)], [false, true, 2], code)
  })

  it('a code without decimals, or of none, is no currency of a price', () => {
    for (const code of [...withoutDecimals, 'EUX', 'eur', '', 'UR ', 'EUR USD', 'constructor'])
      assert.deepEqual([isCurrency(code), isStoredCurrency(code)], [false, false], code)
  })
})

describe('Decimals are read exactly', () => {
  const read: [number | string, units: bigint, places: number][] = [
    [1e-7, 1n, 7],
    [1.5e-7, 15n, 8],
    [1e21, 1_000_000_000_000_000_000_000n, 0],
    [-0, 0n, 0],
    ['-100.2500', -10025n, 2],
  ]
  for (const [value, units, places] of read) {
    it(`${JSON.stringify(value)}: ${units} / 10^${places}`, () =>
      assert.deepEqual(decimal(value), { units, places }))
  }
})

describe('A quotient is rounded', () => {
  const cases: [bigint, bigint, round: bigint, truncate: bigint, up: bigint][] = [
    [10n, 4n, 3n, 2n, 3n],
    [-10n, 4n, -3n, -2n, -3n],
    [9n, 4n, 2n, 2n, 3n],
    [-9n, 4n, -2n, -2n, -3n],
    [8n, 4n, 2n, 2n, 2n],
    [1n, 4n, 0n, 0n, 1n],
    [0n, 4n, 0n, 0n, 0n],
  ]
  for (const [dividend, divisor, round, truncate, up] of cases) {
    it(`${dividend} / ${divisor}: ${round} to the nearest, ${truncate} towards zero, ${up} away from it`, () => {
      assert.equal(divide(dividend, divisor, 'Round'), round)
      assert.equal(divide(dividend, divisor, 'Truncate'), truncate)
      assert.equal(divide(dividend, divisor, 'Up'), up)
    })
  }

  it('a fraction of an amount is its nearest minor unit', () => {
    assert.equal(fractionOf(10_001, 1n, 2n), 5001)
    assert.equal(fractionOf(10_000, 1n, 3n), 3333)
  })
})
