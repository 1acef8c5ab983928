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
  async function atQuestions(
    options: Parameters<typeof openPages>[2],
    prepared: (page: Page) => Promise<unknown> = async () => {},
    more = {},
  ) {
    const { number, stayId } = await house.arrival(more)
    const tab = await openPages(browser, `${house.appliance.url}/kiosk`, options)
    tabs.push(tab)
    const { page } = tab
    await prepared(page)
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

  const english = { ...sizes['a tall kiosk'], language: 'en' } as const

  it('is sent again when its answer is lost', async () => {
    await asksOf(house, ['documentNumber'])
    const { tab, page, stayId } = await atQuestions(english)
    let puts = 0
    await page.route(/registrations\/[\w-]+$/, async (route) => {
      if (++puts > 1) return route.continue()
      await route.fetch()
      await route.abort()
    })
    await asked(page, 1, 1)
    await fills(page, 'CA1')
    await house.during(page.locator('.rooms').waitFor())
    assert.equal(puts, 2)
    assert.equal((await registrationOf(house, stayId)).documentNumber, 'CA1')
    tab.expectClean(/foreign request|ERR_FAILED/)
  })

  it('shows the rules again that have changed while the guest read them', async () => {
    await asksOf(house, ['acceptedRules'], { houseRules: { en: 'Old rules' } })
    const { tab, page, stayId } = await atQuestions(english)
    await page.getByText('Old rules').waitFor()
    await asksOf(house, ['acceptedRules'], { houseRules: { en: 'New rules' } })
    await presses(page, main)
    await house.during(page.getByText('New rules').waitFor())
    await page.getByText('The house rules have just changed.').waitFor()
    await presses(page, main)
    await house.during(page.locator('.rooms').waitFor())
    const { houseRulesVersion } = (await house.ask('GET', '/api/config/v1/settings')).body.data[0].attributes
    assert.equal((await registrationOf(house, stayId)).acceptedRules.version, houseRulesVersion)
    tab.expectClean(/foreign request|422/)
  })

  it('is at the desk when its script cannot be loaded, and says so', async () => {
    await asksOf(house, ['documentNumber'])
    const { page } = await atQuestions(english, (page) =>
      page.route(/kiosk\/registration\/(?!begin)/, (route) => route.abort()),
    )
    await house.during(page.getByText('Your registration cannot be completed here.').waitFor())
  })

  it('is kept when the guest goes back from the payment', async () => {
    await asksOf(house, ['documentNumber'])
    const { page, stayId } = await atQuestions(english, undefined, {
      amount: { currency: 'EUR', amountWithTax: 80 },
    })
    await asked(page, 1, 1)
    await fills(page, 'CA2')
    await house.during(page.locator('.panel.amount').waitFor())
    await presses(page, '.decision .button')
    await asked(page, 1, 1)
    assert.equal(await page.locator('.entry input').inputValue(), 'CA2')
    await fills(page, 'CA3')
    await house.during(page.locator('.panel.amount').waitFor())
    assert.equal((await registrationOf(house, stayId)).documentNumber, 'CA3')
  })
})
