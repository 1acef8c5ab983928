import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Route } from 'playwright-core'
import { eventually } from '../eventually.ts'
import fc from '../seed.ts'
import { browserForSuite, withoutBrowser } from './browser.ts'
import { guestAt, type KioskHouse, kioskHouse, tall } from './kiosk-house.ts'

const refusal = (status: number, code: string) => ({
  status,
  contentType: 'application/vnd.api+json',
  body: JSON.stringify({ errors: [{ code, title: code, detail: code }] }),
})

/** What a search may get instead of its answer. */
const failures: Readonly<Record<string, (route: Route) => Promise<void>>> = {
  'a refusal': (route) => route.fulfill(refusal(400, 'invalid-query')),
  'a fault of the box': (route) => route.fulfill(refusal(500, 'internal-error')),
  'a box that starts': (route) => route.fulfill(refusal(503, 'starting')),
  'a session that has ended': (route) => route.fulfill(refusal(401, 'unauthenticated')),
  'a page of HTML': (route) => route.fulfill({ status: 200, contentType: 'text/html', body: '<p>Sign in' }),
  'a cut': (route) => route.abort('connectionreset'),
}

describe('the search of a kiosk', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: KioskHouse
  before(async () => {
    house = await kioskHouse()
  })
  after(() => house?.stop())

  it('that fails is repeated, and leaves the choice to wait or to go to the desk', async () => {
    const guest = await guestAt(house, browser)
    const { page } = guest
    await page.clock.install()
    await page.reload()
    await guest.reads('Touch to check in')
    let answer = failures['a cut']!
    let asked = 0
    await page.route(/\/reservations\?/, (route) => {
      asked++
      return answer(route)
    })
    for (const [name, fails] of Object.entries(failures)) {
      answer = fails
      asked = 0
      await guest.presses('Touch to check in')
      await page.locator('.entry input').fill('K1')
      await page.keyboard.press('Enter')
      await guest.reads('We cannot look for your booking at the moment.')
      assert.equal(await page.getByRole('button', { name: 'To the front desk' }).count(), 0, name)
      await page.clock.fastForward(16_000)
      await guest.reads('You may wait, or go to the front desk.')
      await eventually(
        `${name}: a second search`,
        () => asked,
        (times) => times >= 2,
      )
      await guest.presses('Wait')
      assert.equal(await page.getByText('You may wait').count(), 0, name)
      await page.clock.fastForward(16_000)
      await guest.presses('To the front desk')
      await guest.reads('Please ask at the desk. A colleague will help you.')
      const before = asked
      await page.clock.runFor(5_000)
      assert.equal(asked, before, `${name}: the search has ended`)
      await guest.presses('Start again')
    }
    await guest.tab.close()
  })

  it('that works again finds the guest, who has waited', async () => {
    const { number } = await house.arrival()
    const guest = await guestAt(house, browser)
    const { page } = guest
    await page.clock.install()
    await page.reload()
    const fails = Object.values(failures).slice(-3)
    await page.route(/\/reservations\?/, (route) => fails.shift()?.(route) ?? route.continue())
    await guest.presses('Touch to check in')
    await guest.types(number)
    await guest.presses('Search')
    await guest.reads('We cannot look for your booking at the moment.')
    for (let seconds = 0; seconds < 60 && fails.length > 0; seconds++) await page.clock.runFor(1_000)
    await page.clock.runFor(10_000)
    await guest.reads('Please enter your last name.')
    await guest.tab.close()
  })

  it('takes what is typed or scanned after a touch on any button', async () => {
    const guest = await guestAt(house, browser, { ...tall, hasTouch: true })
    const { page } = guest
    const field = page.locator('.entry input')
    const touched = ['A', 'Delete', 'Hide what I type', 'Show what I type', 'Lower', 'Higher', 'Listen']
    const typed = fc.sample(fc.stringMatching(/^[A-Z0-9][A-Z0-9-]{0,9}$/), touched.length)
    for (const how of ['click', 'tap'] as const) {
      await guest.presses('Touch to check in')
      for (const [index, name] of touched.entries()) {
        await field.fill('')
        await page.getByRole('button', { name, exact: true })[how]()
        const text = await field.inputValue()
        await page.keyboard.type(typed[index]!)
        assert.equal(await field.inputValue(), text + typed[index], `${how} on ${name}`)
      }
      await page.getByRole('button', { name: 'Stop listening', exact: true })[how]()
      await guest.presses('Start again')
    }
    await guest.tab.close()
  })

  it('keeps the arrows, Space and Enter for a keypad', async () => {
    const guest = await guestAt(house, browser)
    const { page } = guest
    await guest.presses('Touch to check in')
    const hide = page.getByRole('button', { name: 'Hide what I type', exact: true })
    await hide.focus()
    await page.keyboard.press(' ')
    await page.getByRole('button', { name: 'Show what I type', exact: true }).waitFor()
    assert.equal(await page.locator('.entry input').inputValue(), '')
    await page.keyboard.press('ArrowUp')
    assert.notEqual(await page.evaluate('document.activeElement.tagName'), 'INPUT')
    await guest.tab.close()
  })
})

describe('the language that a guest has chosen', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()

  it('ends with the guest, from the start page and from a search', async (t) => {
    const house = await kioskHouse()
    t.after(() => house.stop())
    const guest = await guestAt(house, browser)
    const { page } = guest
    await page.clock.install()
    await page.reload()
    await guest.reads('Touch to check in')
    for (const [language, lang, opens] of [
      ['Deutsch', 'de', false],
      ['Français', 'fr', true],
    ] as const) {
      await guest.presses(language)
      await page.locator(`html[lang=${lang}]`).waitFor()
      if (opens) await page.locator('.controls .button.main').first().click()
      await page.clock.runFor(80_000)
      await page.locator('html[lang=en]').waitFor()
      await guest.reads('Touch to check in')
    }
    await guest.tab.close()
  })
})
