import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, it } from 'node:test'
import { exponentOf } from '../../src/resource/values/currency.ts'
import fc from '../seed.ts'

/** What is tested of `lib/language/format.ts`, `desk/payments/typed-amount.ts` and `setup/typed-settings.ts`. The pages are checked with the types of a browser, which tests do not have. */
interface Format {
  moneyText(minor: number, currency: string): string
  priceText(price: number, currency: string): string
  typedText(minor: number, currency: string): string
  minorOf(price: number, currency: string): number
  priceOf(minor: number, currency: string): number
  amountIn(text: string, currency: string): number | null
  settingsOf(schema: object, values: Record<string, string>): Record<string, unknown>
  typedSettings(stored: Record<string, unknown>): Record<string, string>
  setZone(timeZone: string, now: () => number): void
  dateText(date: string, style?: object): string
  momentText(instant: string): string
}
type Language = 'en' | 'de' | 'es' | 'fr' | 'pt'
const languages: readonly Language[] = ['en', 'de', 'es', 'fr', 'pt']

let format: Format
let speak: (language: Language) => void

/** The pages look for the language in the browser's storage when they are loaded. */
before(async () => {
  Object.defineProperty(globalThis, 'localStorage', { value: { getItem: () => null } })
  const lib = '../../src/console/pages/lib/language'
  const more = ['desk/payments/typed-amount.ts', 'setup/typed-settings.ts'].map(
    (file) => import(`${lib}/../../${file}`),
  )
  format = Object.assign({}, await import(`${lib}/format.ts`), ...(await Promise.all(more)))
  const { language } = await import(`${lib}/language.ts`)
  speak = (to) => {
    language.value = to
  }
})

/** Digits, signs and code of an amount, without the spaces between them, which differ with the release of the browser. */
const tight = (text: string) => text.replace(/\s/g, '')

describe('Money on the pages has the decimals of the server', () => {
  const amounts: [minor: number, currency: string, en: string, de: string][] = [
    [2_500_000, 'HUF', 'HUF25,000.00', '25.000,00HUF'],
    [1_999, 'HUF', 'HUF19.99', '19,99HUF'],
    [-2_500_000, 'IDR', '-IDR25,000.00', '-25.000,00IDR'],
    [25_000, 'ISK', 'ISK25,000', '25.000ISK'],
    [1_234, 'KWD', 'KWD1.234', '1,234KWD'],
    [1_234, 'IQD', 'IQD1.234', '1,234IQD'],
    [0, 'JPY', 'JP¥0', '0¥'],
    [12_345, 'CLF', 'CLF1.2345', '1,2345CLF'],
    [123_456_789_012_345, 'LBP', 'LBP1,234,567,890,123.45', '1.234.567.890.123,45LBP'],
    [100, 'BGN', 'BGN1.00', '1,00BGN'],
  ]
  for (const [minor, currency, en, de] of amounts)
    it(`${minor} ${currency}: ${en}`, () => {
      for (const [language, text] of [
        ['en', en],
        ['de', de],
      ] as const) {
        speak(language)
        assert.equal(tight(format.moneyText(minor, currency)), text)
        assert.equal(tight(format.priceText(format.priceOf(minor, currency), currency)), text)
      }
    })

  it('is shown in one file, and read in another', () => {
    const pages = join(import.meta.dirname, '../../src/console/pages')
    const own = /style: 'currency'|FractionDigits|\.toFixed\(|exponentOf|10 \*\* /
    const files = globSync('**/*.ts', { cwd: pages }).filter((file) =>
      own.test(readFileSync(join(pages, file), 'utf8')),
    )
    assert.deepEqual(files.sort(), ['desk/payments/typed-amount.ts', 'lib/language/format.ts'])
  })
})

describe('An amount that is typed', () => {
  const everywhere: [text: string, currency: string, amount: number | null][] = [
    ['25000', 'HUF', 25_000],
    ['25 000', 'HUF', 25_000],
    ['25\u00a0000', 'HUF', 25_000],
    ['1 234,50', 'HUF', 1_234.5],
    ['1\u202f234.50', 'EUR', 1_234.5],
    ["1'234.50", 'CHF', 1_234.5],
    ['1’234’567,05', 'CHF', 1_234_567.05],
    ['1.234,50', 'EUR', 1_234.5],
    ['1,234.50', 'EUR', 1_234.5],
    ['1.234.567', 'IDR', 1_234_567],
    ['19,9', 'EUR', 19.9],
    ['19.99', 'HUF', 19.99],
    ['0,125', 'KWD', 0.125],
    ['1234.567', 'KWD', 1_234.567],
    ['1.234,567', 'KWD', 1_234.567],
    ['٢٥٠٠٠', 'HUF', 25_000],
    ['٢٥٬٠٠٠٫٥٠', 'HUF', 25_000.5],
    ['\u200f۱۲۳٫۴۵۶\u200f', 'KWD', 123.456],
    ['２５０００', 'JPY', 25_000],
    [' 40.00 ', 'EUR', 40],
    ['0', 'JPY', 0],
    ['0.125', 'EUR', null],
    ['25.5', 'JPY', null],
    ['25000.00', 'JPY', null],
    ['40.00109.00', 'EUR', null],
    ['1 18,00', 'EUR', 118],
    ["25'00", 'EUR', null],
    ['218.00 100', 'EUR', null],
    ['1,00,000', 'INR', null],
    ['1 234.567,00', 'EUR', null],
    ['1,234,50', 'EUR', null],
    ['1.234.50', 'EUR', null],
    ['012,345', 'EUR', null],
    ['-5', 'EUR', null],
    ['1e3', 'EUR', null],
    ['25 EUR', 'EUR', null],
    ['.5', 'EUR', null],
    ['5.', 'EUR', null],
    ['', 'EUR', null],
    ['90071992547409.93', 'EUR', null],
  ]
  // Of two meanings a page takes that of its language, and none when both are possible in the currency.
  const byLanguage: [text: string, currency: string, of: Record<Language, number | null>][] = [
    ['25.000', 'HUF', { en: null, de: 25_000, es: 25_000, fr: null, pt: 25_000 }],
    ['25,000', 'HUF', { en: 25_000, de: null, es: null, fr: null, pt: null }],
    ['1.234', 'JPY', { en: null, de: 1_234, es: 1_234, fr: null, pt: 1_234 }],
    ['19.999', 'EUR', { en: null, de: 19_999, es: 19_999, fr: null, pt: 19_999 }],
    ['1,234', 'EUR', { en: 1_234, de: null, es: null, fr: null, pt: null }],
    ['25.000', 'KWD', { en: 25, de: null, es: null, fr: null, pt: null }],
    ['25,000', 'KWD', { en: null, de: 25, es: 25, fr: 25, pt: 25 }],
  ]
  const all = [
    ...everywhere.map(
      ([text, currency, amount]) => [text, currency, Array(5).fill(amount) as (number | null)[]] as const,
    ),
    ...byLanguage.map(([text, currency, of]) => [text, currency, languages.map((each) => of[each])] as const),
  ]
  for (const [text, currency, amounts] of all)
    it(`${JSON.stringify(text)} ${currency}: ${[...new Set(amounts)].join(' or ')}`, () => {
      for (const [at, language] of languages.entries()) {
        speak(language)
        assert.equal(format.amountIn(text, currency), amounts[at], language)
      }
    })

  const currencies = fc.constantFrom('EUR', 'HUF', 'IDR', 'ISK', 'JPY', 'KWD', 'IQD', 'CLF', 'MGA')
  const drawn = [fc.constantFrom(...languages), currencies, fc.integer({ min: 0, max: 1e12 })] as const

  it('is the amount that the page suggests, shows, or shows without decimals, or it is refused', () => {
    fc.assert(
      fc.property(...drawn, (language, currency, minor) => {
        speak(language)
        const { amountIn, minorOf, moneyText, typedText } = format
        assert.equal(minorOf(amountIn(typedText(minor, currency), currency)!, currency), minor)
        const shown = moneyText(minor, currency).replace(/[^\d.,\s]/g, '')
        assert.equal(minorOf(amountIn(shown, currency)!, currency), minor, shown)
        const whole = Math.floor(minor / 10 ** exponentOf(currency))
        const grouped = moneyText(whole, 'JPY').replace(/[^\d.,\s]/g, '')
        assert.ok([whole, null].includes(amountIn(grouped, currency)), grouped)
      }),
    )
  })
})

describe('a setting of a driver', () => {
  const schema = { properties: { patience: { type: 'number' }, port: { type: 'integer' }, code: {} } }

  it('is written with the decimal sign of the language, and read with a comma or a point', () => {
    for (const [language, shown] of [
      ['en', '0.5'],
      ['de', '0,5'],
      ['fr', '0,5'],
    ] as const) {
      speak(language)
      assert.deepEqual(format.typedSettings({ patience: 0.5, port: 8_080 }), {
        patience: shown,
        port: '8080',
      })
      for (const typed of ['0.5', '0,5', ' 0,5 '])
        assert.deepEqual(format.settingsOf(schema, { patience: typed }), { patience: 0.5 })
    }
  })

  it('that is no number is sent as it is, for the box to refuse it', () => {
    for (const typed of ['1,234.5', '1.234,5', '1,', 'half', '0,5,5'])
      assert.deepEqual(format.settingsOf(schema, { patience: typed, code: '0,5' }), {
        patience: typed,
        code: '0,5',
      })
  })
})

describe('a date', () => {
  it('has its year where that is not the present one of the box, at the property', () => {
    speak('en')
    format.setZone('Pacific/Auckland', () => Date.parse('2026-12-31T12:00:00Z'))
    assert.equal(format.dateText('2027-01-02'), '2 Jan')
    assert.equal(format.dateText('2026-12-31'), '31 Dec 2026')
    assert.equal(format.dateText('2028-02-29', { weekday: 'short', day: 'numeric' }), 'Tue 29')
    assert.equal(format.momentText('2026-12-31T10:59:00Z'), '31 Dec 2026 23:59')
    assert.equal(format.momentText('2026-12-31T11:00:00Z'), '1 Jan 00:00')
  })
})
