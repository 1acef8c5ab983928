import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { browserForSuite, type Tab, withoutBrowser } from '../../console/browser.ts'
import { type KioskHouse, kioskHouse } from '../../console/kiosk-house.ts'
import { asksOf, registrationOf, sign } from '../../console/kiosk-registering.ts'
import { againstRules, inTexts } from './page-checks.ts'
import { languages, openPages, sizes } from './visit.ts'

const fields = [
  'birthDate',
  'nationality',
  'address',
  'documentType',
  'documentNumber',
  'acceptedRules',
  'signature',
]
const houseRules = { en: 'No smoking.\n'.repeat(60), de: 'Nicht rauchen.\n'.repeat(60) }
const main = '.controls .button.main'
const looks = ['a tall kiosk', 'a tablet'] as const

/** The questions of the registration on every screen. Buttons are found by their places, so that each step is the same in every language. */
describe('the registration at the kiosk', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: KioskHouse
  before(async () => {
    house = await kioskHouse()
    await asksOf(house, fields, { houseRules })
  })
  after(() => house?.stop())
  const tabs: Tab[] = []
  afterEach(async () => {
    for (const tab of tabs.splice(0)) await tab.close()
  })

  const presses = (page: Page, selector: string) => house.during(page.locator(selector).first().click())
  const fills = async (page: Page, text: string) => {
    await page.locator('.entry input').fill(text)
    await presses(page, 'button[type=submit]')
  }
  const asked = (page: Page, at: number, of: number) =>
    house.during(page.locator('.instructions p', { hasText: new RegExp(`${at} \\D+ ${of}\\.`) }).waitFor())

  /** A guest at the first question. */
  async function atQuestions(options: Parameters<typeof openPages>[2]) {
    const { number, stayId } = await house.arrival()
    const tab = await openPages(browser, `${house.appliance.url}/kiosk`, options)
    tabs.push(tab)
    const { page } = tab
    await presses(page, main)
    await fills(page, number)
    await house.during(page.locator('.keyboard.name').waitFor())
    await fills(page, `GASTIN${number}`)
    await presses(page, `${main}:not([type=submit])`)
    await presses(page, '.entry .choices .button:not(.main)')
    await presses(page, '.entry .choices .button:not(.main)')
    return { tab, page, stayId }
  }

  for (const language of languages)
    for (const window of looks)
      it(`is whole on ${window}, in ${language}`, async () => {
        const { tab, page, stayId } = await atQuestions({ ...sizes[window], language, colorScheme: 'light' })
        const all = 10
        const steps: (() => Promise<unknown>)[] = [
          () => fills(page, '03021980'),
          () => fills(page, 'portugal'),
          () => fills(page, 'Rua Augusta 1'),
          () => presses(page, '.entry .choices .button:not(.main)'),
          () => fills(page, 'Lisboa'),
          () => fills(page, 'portugal'),
          () => presses(page, '.controls > .button'),
          () => fills(page, 'CA123456'),
          () => presses(page, main),
          async () => {
            await sign(page)
            await presses(page, main)
          },
        ]
        const wrongs: string[] = []
        for (const [at, step] of steps.entries()) {
          await asked(page, at + 1, all)
          const found = [...(await againstRules(page)), ...(await inTexts(page))]
          wrongs.push(...found.map((each) => `question ${at + 1}: ${each}`))
          await step()
        }
        await house.during(page.locator('.rooms').waitFor())
        assert.deepEqual(wrongs, [])
        const { acceptedRules, birthDate } = await registrationOf(house, stayId)
        assert.equal(birthDate, '1980-02-03')
        assert.equal(acceptedRules.language, language === 'de' ? 'de' : 'en')
        tab.expectClean(/foreign request/)
      })
})
