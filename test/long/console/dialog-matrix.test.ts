import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { browserForSuite, withoutBrowser } from '../../console/browser.ts'
import { type KioskHouse, kioskHouse } from '../../console/kiosk-house.ts'
import type { Wrongs } from './page-checks.ts'
import { wrongInWindows } from './screen-checks.ts'
import {
  goTo,
  type Language,
  languages,
  openPages,
  sharedWindows,
  sizes,
  speak,
  type Window,
} from './visit.ts'

/** The letters that open a dialogue in the sheet of a stay. They are the same in every language. */
const letters = { arriving: ['c', 'e', 'm', 'p'], inHouse: ['o', 'e', 'm', 'p'] }

/** What opens over the pages of the desk. */
describe('the dialogues of the desk', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: KioskHouse
  let stays: Record<keyof typeof letters, string>

  before(async () => {
    house = await kioskHouse()
    const unpaid = { amount: { currency: 'EUR', amountWithTax: 100 } }
    const [arriving, inHouse] = [await house.arrival(unpaid), await house.arrival(unpaid)]
    const tab = await browser.open(`${house.appliance.url}/desk#/stay/${inHouse.stayId}/c`)
    await tab.page.getByRole('button', { name: 'Check in and make the card' }).click()
    await house.during(tab.page.getByText('In hand').first().waitFor())
    await tab.close()
    stays = { arriving: arriving.stayId, inHouse: inHouse.stayId }
  })
  after(() => house?.stop())

  for (const language of languages)
    for (const windows of sharedWindows)
      it(`are whole on ${windows.join(' and ')}, in ${language}`, async () => {
        await speak(house, language)
        const tab = await openPages(browser, `${house.appliance.url}/desk`, {
          ...sizes[windows[0]!],
          language,
        })
        const look = (name: string) => inDialogue(tab.page, { language, windows }, name)
        const { page } = tab
        await page.locator('.side a').first().waitFor()
        const wrongs: Wrongs = []
        for (const state of ['arriving', 'inHouse'] as const)
          for (const letter of letters[state]) {
            await goTo(page, `#/stay/${stays[state]}`)
            await page.locator('#sheet .summary').waitFor()
            await page.locator(`#sheet [aria-keyshortcuts=${letter}]`).waitFor()
            await page.keyboard.press(letter)
            wrongs.push(...(await look(`${state} ${letter}`)))
          }
        await goTo(page, '#/rooms')
        await page.getByRole('button', { name: /^110/ }).click()
        await page.keyboard.press('k')
        wrongs.push(...(await look('card for the staff')))
        // The check-out asks by a dry run whether the balance may be left open.
        tab.expectClean(/foreign request|422 .*dryRun=true/)
        await tab.close()
        assert.deepEqual(wrongs, [])
      })
})

/** What is wrong in the dialogue that has opened. It is closed afterwards. */
async function inDialogue(
  page: Page,
  looks: { language: Language; windows: readonly Window[] },
  name: string,
): Promise<Wrongs> {
  await page.locator('dialog[open]').waitFor()
  await page.locator('dialog[open] [role=progressbar]').first().waitFor({ state: 'detached' })
  const wrongs = await wrongInWindows(page, looks, name)
  await page.keyboard.press('Escape')
  await page.locator('dialog').waitFor({ state: 'detached' })
  return wrongs
}
