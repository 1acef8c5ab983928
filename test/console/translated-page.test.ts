import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import fc from '../seed.ts'
import { browserForSuite, stopClock, withoutBrowser } from './browser.ts'
import { guestAt, type KioskHouse, kioskHouse } from './kiosk-house.ts'

/** What is tested of `lib/controls/el.ts`, whose types are those of a browser. */
interface Element {
  type: string
  key: string | number
  props: { children: unknown }
}
type Make = (attributes: null, ...children: unknown[]) => Element
let el: Record<string, Make>
before(async () => {
  const lib = '../../src/console/pages/lib/controls'
  ;({ el } = await import(`${lib}/el.ts`))
})

const childrenIn = (name: string, ...children: unknown[]) =>
  [el[name]!(null, ...children).props.children].flat(Infinity) as Element[]

describe('A text of the pages', () => {
  it('has an element of its own, which another text replaces', () => {
    const word = fc.string({ unit: 'grapheme', minLength: 1 }).map((text) => `${text}1`)
    const names = fc.constantFrom('p', 'button', 'td', 'li', 'strong', 'span')
    fc.assert(
      fc.property(names, word, word, (name, one, other) => {
        const shown = (text: string | number) => childrenIn(name, text, el.b!(null, 'x'))[0]!
        assert.deepEqual([shown(one).type, shown(one).key, shown(one).props.children], ['span', one, one])
        assert.equal(shown(one).key === shown(other).key, one === other)
        assert.equal(shown(3).key, 3)
      }),
    )
  })

  it('is plain where an element takes no other one, and where it has no word', () => {
    assert.deepEqual(childrenIn('option', 'Portugal'), ['Portugal'])
    assert.deepEqual(childrenIn('p', ' - ', '', false, null), [' - ', '', false, null])
    const [first, second, space] = childrenIn('p', ['a', ['b', ' ']])
    assert.deepEqual([first!.key, second!.key, space], ['a', 'b', ' '])
  })
})

/** Does what the translation of a browser does: a text node leaves the page, and `font` elements take its place. */
const translate = (page: Page) =>
  page.evaluate(`(() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    const texts = []
    while (walker.nextNode())
      if (/\\p{L}|\\p{N}/u.test(walker.currentNode.data) && !walker.currentNode.parentNode.closest('script, noscript, option, font'))
        texts.push(walker.currentNode)
    for (const text of texts) {
      const [outer, inner] = [document.createElement('font'), document.createElement('font')]
      inner.textContent = '§' + text.data
      outer.append(inner)
      text.replaceWith(outer)
    }
    return texts.length
  })()`)

describe('A page that the browser translates', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: KioskHouse
  before(async () => {
    house = await kioskHouse()
  })
  after(() => house?.stop())

  it('asks for no translation', async () => {
    for (const path of ['/kiosk', '/desk', '/setup']) {
      const text = await (await fetch(`${house.appliance.url}${path}`)).text()
      assert.match(text, /<html lang="en" translate="no">/)
      assert.match(text, /<meta name="google" content="notranslate">/)
    }
  })

  it('shows the language that a guest chooses', async () => {
    const guest = await guestAt(house, browser)
    await guest.reads('Touch to check in')
    for (const [name, text] of [
      ['Deutsch', 'Zum Einchecken berühren'],
      ['Français', 'Touchez pour vous enregistrer'],
      ['Español', 'Toque para registrarse'],
      ['Português', 'Toque para fazer o check-in'],
      ['English', 'Touch to check in'],
    ] as const) {
      assert.ok(Number(await translate(guest.page)) > 0)
      await guest.presses(new RegExp(name))
      await guest.page.getByText(text, { exact: true }).first().waitFor()
      const left = guest.page.getByRole('button').filter({ hasText: '§' })
      assert.ok((await left.count()) <= 5, 'only the names of the languages stay')
    }
    guest.tab.expectClean()
    await guest.tab.close()
  })

  it('counts down', async () => {
    const guest = await guestAt(house, browser)
    const { clock } = guest.page
    await clock.install()
    await guest.page.reload()
    await guest.presses('Touch to check in')
    await stopClock(guest.page)
    await clock.runFor(46_000)
    const shown = guest.page.getByText(/^\d+ seconds$/).first()
    await shown.waitFor()
    const first = Number.parseInt(await shown.innerText(), 10)
    assert.ok(first > 20 && first <= 30, `${first} seconds`)
    for (const left of [first - 2, first - 4, first - 6]) {
      await translate(guest.page)
      await clock.runFor(2_000)
      await guest.page.getByText(`${left} seconds`).first().waitFor()
      assert.equal(await guest.page.getByText(`§${left + 2} seconds`).count(), 0)
    }
    await guest.tab.close()
  })

  it('shows at the desk who has come since, and no guest twice', async () => {
    const { page, ...tab } = await browser.open(`${house.appliance.url}/desk#/today`)
    await page.getByText('Connected', { exact: true }).waitFor()
    await translate(page)
    const one = await house.arrival()
    await house.during(page.getByText(one.number).first().waitFor())
    await translate(page)
    const other = await house.arrival()
    await house.during(page.getByText(other.number).first().waitFor())
    assert.equal(await page.getByText(new RegExp(`^§?${one.number}$`)).count(), 1)
    tab.expectClean()
    await tab.close()
  })
})
