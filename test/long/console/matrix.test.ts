import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startAppliance, type TestAppliance } from '../../appliance.ts'
import { browserForSuite, withoutBrowser } from '../../console/browser.ts'
import { monday, settableClock } from '../../test-clock.ts'
import { againstRules, inTexts, moving, underFocus, type Wrongs } from './page-checks.ts'
import { goTo, languages, openPages, screensOf, settled, sizes, speak } from './visit.ts'

/** The pages of the box, as people with different eyes, hands, languages and windows see them. */
describe('the pages', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: TestAppliance
  before(async () => {
    house = await startAppliance({ clock: settableClock(monday) })
  })
  after(() => house?.stop())

  for (const [window, size] of Object.entries(sizes))
    for (const language of languages)
      for (const colorScheme of ['light', 'dark'] as const) {
        it(`of the desk are whole on ${window}, in ${language}, ${colorScheme}`, async () => {
          await speak(house, language)
          await onDesk({ ...size, language, colorScheme }, async ({ page }) => [
            ...(await inTexts(page)),
            ...(await againstRules(page)),
          ])
        })
        it(`of the kiosk are whole on ${window}, in ${language}, ${colorScheme}`, async () => {
          await onKiosk({ ...size, language, colorScheme }, async ({ page }) => [
            ...(await inTexts(page)),
            ...(await againstRules(page)),
          ])
        })
      }

  it('hold texts that are longer by two fifths', async () => {
    await speak(house, 'en')
    for (const size of Object.values(sizes)) {
      const longer = { ...size, language: 'en', isLonger: true } as const
      await onDesk(longer, ({ page }) => inTexts(page))
      await onKiosk(longer, ({ page }) => inTexts(page))
    }
  })

  it('show where the focus is, on every screen, in usual and in forced colours', async () => {
    await speak(house, 'en')
    for (const forcedColors of ['none', 'active'] as const) {
      await onDesk({ language: 'en', forcedColors }, ({ page }) => underFocus(page))
      await onKiosk({ language: 'en', forcedColors }, ({ page }) => underFocus(page))
    }
  })

  it('are enlarged to 200 and 400 per cent without a scrollbar to the side', async () => {
    await speak(house, 'de')
    for (const viewport of [
      { width: 640, height: 400 },
      { width: 320, height: 256 },
    ]) {
      await onDesk({ language: 'de', viewport }, ({ page }) => inTexts(page))
      await onKiosk({ language: 'de', viewport }, ({ page }) => inTexts(page))
    }
  })

  it('stand still for whoever wants that', async () => {
    await speak(house, 'en')
    await onDesk({ language: 'en', reducedMotion: 'reduce' }, ({ page }) => moving(page))
    await onKiosk({ language: 'en', reducedMotion: 'reduce' }, ({ page }) => moving(page))
  })

  type Options = Parameters<typeof openPages>[2]
  type Look = (tab: Awaited<ReturnType<typeof openPages>>) => Promise<Wrongs>

  async function onDesk(options: Options, look: Look): Promise<void> {
    const tab = await openPages(browser, `${house.appliance.url}/desk`, options)
    const wrongs: Wrongs = []
    for (const hash of await screensOf(tab.page)) {
      await goTo(tab.page, hash)
      wrongs.push(...(await look(tab)).map((each) => `${hash.slice(0, 12)} ${each}`))
    }
    tab.expectClean(/foreign request/)
    await tab.close()
    assert.deepEqual(wrongs, [])
  }

  async function onKiosk(options: Options, look: Look): Promise<void> {
    const tab = await openPages(browser, `${house.appliance.url}/kiosk`, options)
    const { page } = tab
    await page.locator('.controls .button.main').first().waitFor()
    await settled(page)
    const wrongs: Wrongs = (await look(tab)).map((each) => `welcome ${each}`)
    for (const [at, name] of ['number', 'name'].entries()) {
      await page.reload()
      await page.locator('.controls .button.main').nth(at).click()
      await settled(page)
      wrongs.push(...(await look(tab)).map((each) => `${name} ${each}`))
    }
    tab.expectClean(/foreign request/)
    await tab.close()
    assert.deepEqual(wrongs, [])
  }
})
