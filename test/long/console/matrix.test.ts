import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { startAppliance, type TestAppliance } from '../../appliance.ts'
import { browserForSuite, withoutBrowser } from '../../console/browser.ts'
import { monday, settableClock } from '../../test-clock.ts'
import { againstRules, inTexts, moving, underFocus, type Wrongs } from './page-checks.ts'
import {
  goTo,
  inEach,
  languages,
  openPages,
  screensOf,
  settled,
  sharedWindows,
  sizes,
  speak,
} from './visit.ts'

/** What is left of a window of 1280x800 for pages that are twice and four times as large. */
const enlarged = [
  { width: 640, height: 400 },
  { width: 320, height: 256 },
]

/** The pages of the box, as people with different eyes, hands, languages and windows see them. */
describe('the pages', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: TestAppliance
  before(async () => {
    house = await startAppliance({ clock: settableClock(monday) })
  })
  after(() => house?.stop())

  for (const language of languages)
    for (const windows of sharedWindows) {
      const options = { ...sizes[windows[0]!], language }
      const look: Look = ({ page }) =>
        inEach(page, windows, async () => [...(await inTexts(page)), ...(await againstRules(page))])

      it(`of the desk are whole on ${windows.join(' and ')}, in ${language}, light and dark`, async () => {
        await speak(house, language)
        await onDesk(options, look)
      })
      it(`of the kiosk are whole on ${windows.join(' and ')}, in ${language}, light and dark`, () =>
        onKiosk(options, look))
    }

  it('hold texts that are longer by two fifths', async () => {
    await speak(house, 'en')
    for (const windows of sharedWindows) {
      const longer = { ...sizes[windows[0]!], language: 'en', isLonger: true } as const
      const look: Look = ({ page }) => inEach(page, windows, () => inLongTexts(page))
      await onDesk(longer, look)
      await onKiosk(longer, look)
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
    const look: Look = async ({ page }) => {
      const wrongs: Wrongs = []
      for (const viewport of enlarged) {
        await page.setViewportSize(viewport)
        wrongs.push(...(await inTexts(page)).map((each) => `${viewport.width}: ${each}`))
      }
      return wrongs
    }
    await onDesk({ language: 'de' }, look)
    await onKiosk({ language: 'de' }, look)
  })

  for (const language of languages)
    it(`show the whole hint in the search beside alarms, and one line above the screen, in ${language}`, async () => {
      await speak(house, language)
      const tab = await openPages(browser, 'about:blank', { ...sizes['a desk'], language })
      const { page } = tab
      await page.route(/\/api\/v2\/status$/, async (route) => {
        const response = await route.fetch()
        const body = (await response.json()) as { data: { attributes: { checks: Record<string, object[]> } } }
        body.data.attributes.checks['dispenser:state'] = Array.from({ length: 12 }, () => ({
          status: 'fail',
        }))
        await route.fulfill({ response, json: body })
      })
      await page.route('**/units-with-older-keys', (route) =>
        route.fulfill({
          json: {
            data: [
              {
                type: 'unit-with-older-keys',
                id: 'some',
                attributes: { keys: Array.from({ length: 12 }, (_, at) => ({ keyId: String(at) })) },
              },
            ],
          },
        }),
      )
      await page.goto(`${house.appliance.url}/desk`)
      await page.locator('.top .chip.error').nth(1).waitFor()
      const [text, space] = await page.evaluate<[number, number]>(`{
        const field = document.querySelector('.search input')
        const style = getComputedStyle(field)
        const paper = document.createElement('canvas').getContext('2d')
        paper.font = style.font
        const edges = parseFloat(style.paddingLeft) + parseFloat(style.paddingRight)
        const result = [paper.measureText(field.placeholder).width, field.clientWidth - edges]
        result
      }`)
      assert.ok(text > 100 && text <= space, `${text} in ${space}`)
      const { height } = (await page.locator('.top').boundingBox())!
      const { height: line } = (await page.locator('.top .button').first().boundingBox())!
      assert.ok(height < 2 * line, `${height} is more than a line of ${line}`)
      tab.expectClean(/foreign request/)
      await tab.close()
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
    for (const [name, way] of [
      ['number', '.controls .button.main'],
      ['name', '.ways .button >> nth=1'],
    ] as const) {
      await page.locator(way).first().click()
      await page.locator('input').first().waitFor()
      await settled(page)
      wrongs.push(...(await look(tab)).map((each) => `${name} ${each}`))
    }
    tab.expectClean(/foreign request/)
    await tab.close()
    assert.deepEqual(wrongs, [])
  }
})

async function inLongTexts(page: Page): Promise<Wrongs> {
  const isLonger = await page.evaluate<boolean>("document.querySelector('main').innerText.includes('~~')")
  return [...(isLonger ? [] : ['has its usual texts']), ...(await inTexts(page))]
}
