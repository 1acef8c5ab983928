import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { startAppliance, type TestAppliance } from '../../appliance.ts'
import { browserForSuite, type Tab, withoutBrowser } from '../../console/browser.ts'
import { monday, settableClock } from '../../test-clock.ts'
import { againstRules, inTexts, type Wrongs } from './page-checks.ts'
import { goTo, type Language, languages, openPages, settled, sizes, speak } from './visit.ts'

/** Each light has its own window, so that both are tried in every language at half the visits. */
const looks = [
  { window: 'a desk', colorScheme: 'light' },
  { window: 'a tablet', colorScheme: 'dark' },
] as const

const parts = ['health', 'log', 'backups', 'certificate', 'people', 'files']

/** The pages before the work: the claim of a box, its set-up, and the ways in; and what opens over a page. */
describe('the pages of whoever comes in', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: TestAppliance
  let fresh: TestAppliance
  before(async () => {
    house = await startAppliance({ clock: settableClock(monday) })
    fresh = await startAppliance({ sample: false, clock: settableClock(monday) })
  })
  after(async () => {
    await house?.stop()
    await fresh?.stop()
  })

  for (const language of languages)
    for (const { window, colorScheme } of looks) {
      const options = { ...sizes[window], language, colorScheme }
      it(`are whole for the installer on ${window}, in ${language}, ${colorScheme}`, async () => {
        await speak(house, language)
        await atClaim(options)
        await inSetup(options)
      })
      it(`are whole at the entrance on ${window}, in ${language}, ${colorScheme}`, async () => {
        await speak(house, language)
        await atEntrance(options)
      })
    }

  type Options = Parameters<typeof openPages>[2]

  /** What is wrong on the page as it is now. */
  async function wrongOn(page: Page, language: Language, name: string): Promise<Wrongs> {
    await settled(page)
    const spoken = await page.evaluate<string>('document.documentElement.lang')
    return [
      ...(spoken === language ? [] : [`speaks ${spoken}`]),
      ...(await inTexts(page)),
      ...(await againstRules(page)),
    ].map((each) => `${name} ${each}`)
  }

  /** A locked page asks for events once more, and is refused. */
  async function ended(tab: Tab, wrongs: Wrongs): Promise<void> {
    tab.expectClean(/foreign request|status of 403/)
    await tab.close()
    assert.deepEqual(wrongs, [])
  }

  async function atClaim(options: Options): Promise<void> {
    const tab = await openPages(browser, `${fresh.appliance.url}/setup`, options)
    await tab.page.locator('.claim').waitFor()
    await ended(tab, await wrongOn(tab.page, options.language, 'claim'))
  }

  async function inSetup(options: Options): Promise<void> {
    const tab = await openPages(browser, `${house.appliance.url}/setup`, options)
    const { page } = tab
    const administrator = page.getByRole('button', { name: 'Ida' })
    await administrator.waitFor()
    const wrongs = await wrongOn(page, options.language, 'not allowed')
    await administrator.click()
    await page.locator('.side a').first().waitFor()
    const links = await page.evaluate<string[]>(
      "[...document.querySelectorAll('.side a')].map((each) => each.hash).filter((each) => each !== '')",
    )
    assert.ok(links.length >= 10, `${links.length} links`)
    for (const hash of [...links, ...parts.map((part) => `#/system/${part}`)]) {
      await goTo(page, hash)
      wrongs.push(...(await wrongOn(page, options.language, hash)))
    }
    await ended(tab, wrongs)
  }

  /** Buttons are found by their places, so that each step is the same in every language. */
  async function atEntrance(options: Options): Promise<void> {
    const tab = await openPages(browser, `${house.appliance.url}/desk`, options)
    const { page } = tab
    const wrongs: Wrongs = []
    const look = async (name: string) => wrongs.push(...(await wrongOn(page, options.language, name)))
    const topButton = (place: number) => page.locator('.top > .button').nth(place).click()
    await page.locator('.side a').first().waitFor()
    await page.evaluate("document.querySelector('.frame').classList.add('no-line')")
    await look('without a line')
    await page.evaluate("document.querySelector('.frame').classList.remove('no-line')")
    await topButton(-2)
    await page.locator('dialog[open]').waitFor()
    await look('dialogue')
    await page.keyboard.press('Escape')
    await page.locator('dialog').waitFor({ state: 'detached' })
    await topButton(-1)
    await page.locator('.sign-in input').waitFor()
    await look('locked')
    await page.locator('.sign-in > .button').last().click()
    await page.locator('.sign-in .tiles').waitFor()
    await look('people')
    await page.locator('.sign-in > .button').first().click()
    await page.locator('.sign-in input').nth(1).waitFor()
    await look('name and password')
    await page.locator('.sign-in > .button').first().click()
    await page.locator('.sign-in form').waitFor()
    await look('one-time code')
    await page.locator('.sign-in form .button').last().click()
    await page.locator('.sign-in > .button').last().click()
    await page.locator('.sign-in form').waitFor()
    await look('station')
    await ended(tab, wrongs)
  }
})
