import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'

/** What is tested of `lib/language/language.ts`, `lib/language/in-language.ts` and `lib/language/format.ts`. The pages are checked with the types of a browser, which tests do not have. */
interface Pages {
  language: { value: string }
  translated<T>(english: T, load: (to: string) => Promise<Record<string, T>>): { value: T }
  inLanguage<T>(to: string, draw: () => T): Promise<T>
  moneyText(minor: number, currency: string): string
}

describe('what is drawn in another language', () => {
  let pages: Pages
  let t: { value: { hello: string } }
  let late: { value: { bye: string } }
  before(async () => {
    Object.defineProperty(globalThis, 'localStorage', { value: { getItem: () => null } })
    Object.defineProperty(globalThis, 'document', { value: { documentElement: {} } })
    const lib = '../../src/console/pages/lib/language'
    const files = ['language.ts', 'in-language.ts', 'format.ts'].map((file) => import(`${lib}/${file}`))
    pages = Object.assign({}, ...(await Promise.all(files)))
    t = pages.translated({ hello: 'Hello' }, async (to) => ({ [to]: { hello: `Hello in ${to}` } }))
    late = pages.translated({ bye: 'Bye' }, () => Promise.reject(new Error('no line')))
  })

  it('has its texts and its numbers, and leaves the page as it is', async () => {
    const drawn = await pages.inLanguage('de', () => [
      pages.language.value,
      t.value.hello,
      pages.moneyText(123_450, 'EUR').replace(/\s/, ' '),
    ])
    assert.deepEqual(drawn, ['de', 'Hello in de', '1.234,50 €'])
    assert.equal(pages.language.value, 'en')
    assert.equal(t.value.hello, 'Hello')
    assert.equal(pages.moneyText(123_450, 'EUR'), '€1,234.50')
  })

  it('keeps the texts of the page where those of the language do not come', async () => {
    assert.equal(
      await pages.inLanguage('fr', () => `${t.value.hello}, ${late.value.bye}`),
      'Hello in fr, Bye',
    )
  })

  it('leaves the page as it is where drawing fails', async () => {
    const failing = pages.inLanguage('pt', () => {
      throw new Error('not drawn')
    })
    await assert.rejects(failing, /not drawn/)
    assert.equal(pages.language.value, 'en')
    assert.equal(t.value.hello, 'Hello')
  })
})
