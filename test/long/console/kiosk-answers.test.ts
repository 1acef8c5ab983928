import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { browserForSuite, withoutBrowser } from '../../console/browser.ts'
import { type Booking, kioskHouse, tall } from '../../console/kiosk-house.ts'
import { passTime } from '../../test-clock.ts'
import { faults, injector } from './answers.ts'

/** The requests of an arrival with a payment, and those of the kiosk itself. */
const requests: readonly [method: string, path: RegExp][] = [
  ['GET', /\/session$/],
  ['GET', /\/status$/],
  ['GET', /\/properties$/],
  ['GET', /\/settings$/],
  ['GET', /\/controllers$/],
  ['GET', /\/dispensers\/[^/]+$/],
  ['GET', /\/payment-terminals$/],
  ['GET', /\/reservations$/],
  ['POST', /\/unit-assignment$/],
  ['POST', /\/pay-at-terminal$/],
  ['GET', /\/stays\/[^/]+$/],
  ['PUT', /\/stays\/[^/]+$/],
  ['POST', /\/key$/],
  ['GET', /\/card-runs$/],
  ['GET', /\/dispensers\/[^/]+\/status$/],
  ['GET', /\/units\/[^/]+$/],
]

/** The time of the page within which the start page works again, in seconds. */
const most = 120

describe('an arrival of which one answer is lost', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()

  for (const [method, path] of requests)
    it(`ends at the start page, with one card at most: ${method} ${path.source}`, async (t) => {
      const house = await kioskHouse()
      t.after(() => house.stop())
      const { page, close } = await browser.open('about:blank', tall)
      t.after(close)
      await page.clock.install()
      const own = await injector(page)
      await page.goto(`${house.appliance.url}/kiosk`)
      const passes = async () => {
        await page.clock.runFor(1_000)
        await passTime(200)
      }
      while (!(await page.getByText('Touch to check in').isVisible())) await passes()
      const welcome = await page.locator('h1').innerText()

      const late = Promise.withResolvers<void>()
      const all = {
        ...faults,
        'an answer after 30 s': {
          damage: async (route: Route) => {
            await late.promise
            await route.continue()
          },
        },
      }
      for (const [name, { damage }] of Object.entries(all)) {
        const booking = await house.arrival({ amount: { currency: 'EUR', amountWithTax: 109 } })
        own.next(method, path, damage)
        const titles: string[] = []
        let since: number | null = null
        for (let loops = 0; ; loops++) {
          const title = await page.locator('h1').innerText()
          if (title !== titles.at(-1)) titles.push(title)
          const isAtStart = title === welcome
          if (isAtStart && own.damaged > 0) break
          assert.ok(loops < 200, `${name}: ${titles.join(' | ')}`)
          if (isAtStart && since === null)
            await page
              .getByText('Touch to check in')
              .click(quick)
              .catch(() => {})
          // The screen may change meanwhile.
          else await acts(page, title, booking).catch(() => {})
          await passes()
          if (own.damaged > 0) since ??= await clockOf(page)
          if (since !== null && (await clockOf(page)) - since > 30) late.resolve()
        }
        const took = (await clockOf(page)) - since!
        assert.ok(took <= most, `${name}: after ${took} s: ${titles.join(' | ')}`)
        const { body } = await house.ask('GET', `/api/v2/access/keys?filter[stayId]=${booking.stayId}`)
        assert.ok(body.data.length <= 1, `${name}: ${body.data.length} cards`)
      }
    })
})

const quick = { timeout: 1_000 }

const clockOf = async (page: Page) => (await page.evaluate<number>('performance.now()')) / 1_000

/** What a guest does on the screen that is shown. A guest who reads a sentence goes away. */
async function acts(page: Page, title: string, { number }: Booking): Promise<void> {
  const enters = async (text: string) => {
    await page.locator('.entry input').fill(text, quick)
    await page.keyboard.press('Enter')
  }
  const presses = (button: string) => page.locator(button).first().click(quick)
  if (title === 'Please enter your booking number.') await enters(number)
  else if (title === 'Please enter your last name.') await enters(`GASTIN${number}`)
  else if (title.includes('Lucia') || title.endsWith('is still to be paid.')) await presses('.button.main')
  else if (title.includes('is missing')) await presses('.entry .choices .button:not(.main)')
}
