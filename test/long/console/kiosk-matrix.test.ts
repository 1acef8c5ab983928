import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { browserForSuite, type Tab, withoutBrowser } from '../../console/browser.ts'
import { type KioskHouse, kioskHouse } from '../../console/kiosk-house.ts'
import { patienceMs } from '../../patience.ts'
import { passTime } from '../../test-clock.ts'
import { againstRules, inTexts, type Wrongs } from './page-checks.ts'
import { languages, openPages, sizes } from './visit.ts'

const looks = [
  { window: 'a tall kiosk', colorScheme: 'light' },
  { window: 'a tablet', colorScheme: 'dark' },
] as const
const main = '.controls .button.main'
const plain = '.controls .button.plain'

/** The kiosk from the number to the room. Buttons are found by their places, so that each step is the same in every language. */
describe('the way of a guest', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: KioskHouse
  before(async () => {
    house = await kioskHouse()
  })
  after(() => house?.stop())
  /** A page that a failed test left open would take the session of the next one: the sample property has so many kiosks only. */
  const tabs: Tab[] = []
  afterEach(async () => {
    for (const tab of tabs.splice(0)) await tab.close()
  })

  for (const language of languages)
    for (const { window, colorScheme } of looks) {
      const options = { ...sizes[window], language, colorScheme }
      it(`is whole on ${window}, in ${language}, ${colorScheme}`, async () => {
        const { number } = await house.arrival()
        const { page, end } = await entered(number, options)
        const wrongs = await wrongOn(page, 'last name')
        await named(page, number)
        wrongs.push(...(await wrongOn(page, 'greeting')))
        await pressed(page, main)
        wrongs.push(...(await wrongOn(page, 'e-mail')))
        await pressed(page, plain)
        wrongs.push(...(await wrongOn(page, 'telephone')))
        await pressed(page, plain)
        const screens: string[] = []
        await looking('the room', async () => {
          if ((await page.locator('.rooms dd').count()) > 0) return true
          const shown = await shownOn(page)
          if (!screens.includes(shown)) wrongs.push(...(await wrongOn(page, shown)))
          screens.push(shown)
          return false
        })
        wrongs.push(...(await wrongOn(page, 'room')))
        assert.ok(screens.length > 0, 'the making of the card was shown')
        await end()
        assert.deepEqual(wrongs, [])
      })

      it(`says what keeps a guest from his card on ${window}, in ${language}, ${colorScheme}`, async () => {
        const { number } = await house.arrival({ amount: { currency: 'EUR', amountWithTax: 100 } })
        const owing = await entered(number, options)
        await named(owing.page, number)
        await pressed(owing.page, main)
        const wrongs = await wrongOn(owing.page, 'to pay')
        await owing.end()
        const unknown = await entered('K0', options)
        wrongs.push(...(await wrongOn(unknown.page, 'nothing found')))
        await unknown.end()
        const nameless = await entered(number, options)
        await pressed(nameless.page, '.entry .choices .button:not(.main)')
        wrongs.push(...(await wrongOn(nameless.page, 'on file')))
        await nameless.end()
        assert.deepEqual(wrongs, [])
      })
    }

  /** A kiosk whose guest has entered a number, and has got its answer. */
  async function entered(number: string, options: Parameters<typeof openPages>[2]) {
    const tab = await openPages(browser, `${house.appliance.url}/kiosk`, options)
    tabs.push(tab)
    const { page } = tab
    await house.during(page.locator(main).first().click())
    await house.during(page.locator('input').first().pressSequentially(number))
    await changed(page, () => page.keyboard.press('Enter'))
    return {
      page,
      async end(): Promise<void> {
        tab.expectClean(/foreign request/)
        await tab.close()
      },
    }
  }

  /** The guest enters the last name. */
  async function named(page: Page, number: string): Promise<void> {
    await house.during(page.locator('.entry input').fill(`GASTIN${number}`))
    await changed(page, () => page.keyboard.press('Enter'))
  }

  const pressed = (page: Page, button: string) => changed(page, () => page.locator(button).first().click())

  /** Waits for another screen, while time goes by for the devices. */
  async function changed(page: Page, act: () => Promise<void>): Promise<void> {
    const before = await shownOn(page)
    await act()
    await looking(`another screen than ${before}`, async () => (await shownOn(page)) !== before)
  }

  /** Looks until it is so, while time goes by for the devices. */
  async function looking(what: string, isSo: () => Promise<boolean>): Promise<void> {
    for (const end = performance.now() + patienceMs; performance.now() < end; await passTime(20))
      if (await isSo()) return
    assert.fail(`not within ${patienceMs / 1000} s: ${what}`)
  }
})

const shownOn = (page: Page) => page.locator('main').first().innerText()

async function wrongOn(page: Page, name: string): Promise<Wrongs> {
  const found = [...(await inTexts(page)), ...(await againstRules(page))]
  return found.map((each) => `${name}: ${each}`)
}
