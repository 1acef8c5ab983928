import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { cleanText } from '../../../src/cli/import/cell-text.ts'
import { readMoney, roundedAmount } from '../../../src/cli/import/read-money.ts'
import { exponentOf, toDecimal } from '../../../src/resource/values/currency.ts'
import fc from '../../seed.ts'

type Case = [text: string, map: string | null, amount: number, currency: string]

const read: Case[] = [
  ['126.6314 EUR', null, 126.63, 'EUR'],
  ['126.6351 EUR', 'EUR', 126.64, 'EUR'],
  ['€ 126,63', null, 126.63, 'EUR'],
  ['EUR126.63', null, 126.63, 'EUR'],
  ['126,63 Euro', null, 126.63, 'EUR'],
  ["CHF 1'234.50", null, 1234.5, 'CHF'],
  ['1’234.50', 'CHF', 1234.5, 'CHF'],
  ['Fr. 120.–', 'CHF', 120, 'CHF'],
  ['1\u00a0234,50', 'EUR', 1234.5, 'EUR'],
  ['1\u202f234,50\u00a0€', null, 1234.5, 'EUR'],
  ['1\u2009234\u2009567,50', 'EUR', 1_234_567.5, 'EUR'],
  ['\u200e1.234,50 €\u200f', 'EUR', 1234.5, 'EUR'],
  ['R$ 1.234,50', null, 1234.5, 'BRL'],
  ['US$ 12.50', null, 12.5, 'USD'],
  ['$12.50', 'CAD', 12.5, 'CAD'],
  ['12 500 Ft', 'HUF', 12_500, 'HUF'],
  ['12500.456 HUF', null, 12_500.46, 'HUF'],
  ['¥ 1250.5', 'JPY', 1251, 'JPY'],
  ['1.23456 KWD', null, 1.235, 'KWD'],
  ['120,- €', 'EUR', 120, 'EUR'],
  ['0', 'EUR', 0, 'EUR'],
  ['12', '€', 12, 'EUR'],
  ['12', 'chf', 12, 'CHF'],
  ['12 Eur.', null, 12, 'EUR'],
  ['12', 'BGN', 12, 'BGN'],
  ['Rs. 4500.00', 'INR', 4500, 'INR'],
  ['Rs 4500', 'LKR', 4500, 'LKR'],
  ['₹1,23,456.50', 'INR', 123_456.5, 'INR'],
  ['INR 12,34,567', null, 1_234_567, 'INR'],
  ['C$ 12.50', 'CAD', 12.5, 'CAD'],
  ['C$ 12.50', 'NIO', 12.5, 'NIO'],
  ['1000 FCFA', 'XOF', 1000, 'XOF'],
  ['1000 F\u202fCFA', 'XAF', 1000, 'XAF'],
  ['S/. 12.50', 'PEN', 12.5, 'PEN'],
  ['100:-', 'SEK', 100, 'SEK'],
]

const problems: [text: string, map: string | null, problem: RegExp][] = [
  ['CHF 12', 'EUR', /^is in CHF, and its currency in the map is EUR$/],
  ['12 $', 'EUR', /^is in one of several currencies, and its currency in the map is EUR$/],
  ['12 €', 'BGN', /^is in EUR, and its currency in the map is BGN$/],
  ['12', '$', /^may be in one of several currencies/],
  ['€ 12 USD', null, /^is in two currencies$/],
  ['$ 12.50', null, /^may be in one of several currencies\. Add "currency"/],
  ['Fr. 12', null, /^may be in RWF or CHF\. Add "currency"/],
  ['12500 Ft', null, /^may be in HUF\. Add "currency"/],
  ['12', null, /^has no currency\. Add it to the cell/],
  ['12 XYZ', null, /XYZ is no currency in force/],
  ['126.631 EUR', null, /^may be a thousand or a decimal fraction\. Add "decimal"/],
  ['\u221212,50 EUR', null, /negative/],
  ['(12.50)', 'EUR', /negative/],
  ['12.50-', 'EUR', /negative/],
  ['(12.50) EUR', null, /negative/],
  ['EUR (12.50)', null, /negative/],
  ['C$ 12', null, /^may be in NIO or CAD\. Add "currency"/],
  ['1000 FCFA', null, /^may be in XAF or XOF\. Add "currency"/],
  ['TL 12', 'EUR', /^is in TRY, and its currency in the map is EUR$/],
  ['12.50 EUR (breakfast)', 'EUR', /is no currency in force/],
  ['1e3', 'EUR', /^is not a price$/],
  ['12 34', 'EUR', /^is not a price$/],
  ['1,23,45', 'INR', /^is not a price$/],
  ['123,45,678', 'INR', /^is not a price$/],
  ["1.234'567", 'EUR', /^is not a price$/],
  ['2 x 12', 'EUR', /^is not a price$/],
  ['none', 'EUR', /^is not a price$/],
]

const money = (text: string, currency: string | null) =>
  readMoney(cleanText(text), { currency, decimal: undefined })

describe('A price of a file', () => {
  for (const [text, map, amountWithTax, currency] of read)
    it(`is read: ${JSON.stringify(text)}, ${map ?? 'without a currency in the map'}`, () => {
      const found = money(text, map)
      assert.ok(!('problem' in found), JSON.stringify(found))
      assert.deepEqual(roundedAmount(found).amount, { currency, amountWithTax })
    })

  for (const [text, map, problem] of problems)
    it(`is a problem: ${text}, ${map ?? 'without a currency in the map'}`, () => {
      const found = money(text, map)
      assert.match('problem' in found ? found.problem : JSON.stringify(found), problem)
    })

  it('shows its decimal separator, whatever that of 1.234 is', () => {
    const cases: [text: string, decimal: '.' | ',', amount: number][] = [
      ['126.63', ',', 126.63],
      ['126,63', '.', 126.63],
      ['1,234.50', ',', 1234.5],
      ['1.234,50', '.', 1234.5],
      ['126.6314', ',', 126.63],
      ['1.234', ',', 1234],
      ['1.234', '.', 1.23],
      ['1,234', '.', 1234],
      ['1.234.567', '.', 1_234_567],
    ]
    for (const [text, decimal, amount] of cases) {
      const found = readMoney(text, { currency: 'EUR', decimal })
      assert.ok(!('problem' in found), text)
      assert.equal(roundedAmount(found).amount.amountWithTax, amount, text)
    }
  })

  it('is the amount that a language writes in a currency, whichever it is', () => {
    const language = fc.constantFrom('en', 'de', 'de-CH', 'fr', 'es', 'pt')
    const currency = fc.constantFrom('EUR', 'CHF', 'HUF', 'JPY', 'KWD', 'GBP', 'USD', 'CZK')
    const display = fc.constantFrom('code', 'symbol', 'narrowSymbol')
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 99_999_999 }),
        language,
        currency,
        display,
        (minor, locale, code, currencyDisplay) => {
          const digits = exponentOf(code)
          const format = new Intl.NumberFormat(locale, {
            style: 'currency',
            currency: code,
            currencyDisplay,
            minimumFractionDigits: digits,
            maximumFractionDigits: digits,
          })
          const text = format.format(toDecimal(minor, code) as Intl.StringNumericLiteral)
          const found = money(text, code)
          // 1,234 of a currency without decimals has two meanings, and so has 1.234 of one with three.
          if ('problem' in found) assert.match(found.problem, /thousand or a decimal fraction/, text)
          else assert.equal(roundedAmount(found).amount.amountWithTax, Number(toDecimal(minor, code)), text)
        },
      ),
    )
  })

  it('is rounded half up to the decimals of its currency, and says so only where digits are lost', () => {
    const fraction = fc.string({ unit: fc.constantFrom(...'0123456789'), maxLength: 8 })
    fc.assert(
      fc.property(fc.nat(999_999), fraction, fc.constantFrom('EUR', 'JPY', 'KWD'), (whole, its, currency) => {
        const { amount, isRounded } = roundedAmount({ whole: String(whole), fraction: its, currency })
        const [digits, unit] = [exponentOf(currency), 10n ** BigInt(its.length)]
        const exact = BigInt(`${whole}${its}`) * 10n ** BigInt(digits)
        const expected = (2n * exact + unit) / (2n * unit)
        assert.equal(amount.amountWithTax.toFixed(digits), toDecimal(Number(expected), currency))
        assert.equal(isRounded, exact % unit !== 0n)
      }),
    )
  })
})
