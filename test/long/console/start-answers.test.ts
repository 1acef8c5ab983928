import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { browserForSuite, withoutBrowser } from '../../console/browser.ts'
import { type KioskHouse, kioskHouse, tall } from '../../console/kiosk-house.ts'
import { passTime } from '../../test-clock.ts'
import { faults, injector } from './answers.ts'

/** The pages, and what shows that one works. */
const pages = { desk: 'Line to the box: live', setup: 'Ida', kiosk: 'Touch to check in' } as const
type Name = keyof typeof pages

describe('the start of a page of which an answer is lost', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: KioskHouse
  before(async () => {
    house = await kioskHouse()
  })
  after(() => house?.stop())

  async function opened(name: Name, prepare: (page: Page) => Promise<unknown>): Promise<Page> {
    const tab = await browser.open('about:blank', tall)
    await prepare(tab.page)
    await tab.page.goto(`${house.appliance.url}/${name}`)
    return tab.page
  }
  const works = (name: Name, page: Page) =>
    house.during(page.getByText(pages[name]).first().waitFor({ timeout: 60_000 }))

  for (const name of Object.keys(pages) as Name[]) {
    for (const [fault, { damage }] of Object.entries(faults))
      it(`works in the end: ${name}, ${fault}`, async () => {
        const page = await opened(name, async (page) =>
          (await injector(page)).next('GET', /\/session$/, damage, 2),
        )
        await works(name, page)
        await page.context().close()
      })

    it(`works in the end: ${name}, a session that is answered never`, async () => {
      const page = await opened(name, async (page) =>
        (await injector(page)).next('GET', /\/session$/, () => new Promise(() => {})),
      )
      await works(name, page)
      await page.context().close()
    })

    it(`works in the end: ${name}, a script that does not come`, async () => {
      let lost = 0
      const page = await opened(name, (page) =>
        page.route(/\/ui\/.*main.*\.[jt]s$/, (route) =>
          lost++ === 0 ? route.fulfill({ status: 502, body: '<html>' }) : route.continue(),
        ),
      )
      await works(name, page)
      assert.ok(lost > 1)
      await page.context().close()
    })

    it(`goes on after an error that no part of it handles: ${name}`, async () => {
      const page = await opened(name, async () => {})
      await works(name, page)
      for (const defect of [
        'throw new Error("a")',
        'Promise.reject(new TypeError("b"))',
        'Promise.reject(null)',
      ])
        await page.evaluate(`void setTimeout(() => { ${defect} })`)
      if (name !== 'kiosk') {
        await page.getByText('This page has a fault').waitFor()
        await page.getByRole('button', { name: 'Try again' }).click()
        await page.getByText('This page has a fault').waitFor({ state: 'detached' })
      }
      await works(name, page)
      await page.context().close()
    })
  }

  it('a guest at the kiosk goes back to the start page after such an error', async () => {
    const page = await opened('kiosk', async (page) => page.clock.install())
    await works('kiosk', page)
    for (const defect of ['throw new Error("a")', 'Promise.reject(new TypeError("b"))']) {
      await page.getByText(pages.kiosk).click()
      await page.getByText('Please enter your booking number.').waitFor()
      await page.evaluate(`queueMicrotask(() => { ${defect} })`)
      await page.getByText('A colleague will help you.').waitFor()
      await page.clock.runFor(120_000)
      await works('kiosk', page)
    }
    await page.context().close()
  })

  it('a kiosk whose box was updated is loaded anew, when no guest is there', async () => {
    let loads = 0
    const page = await opened('kiosk', async (page) => {
      await page.clock.install()
      page.on('load', () => loads++)
      await page.route(/\/kiosk$/, async (route) => {
        if (route.request().resourceType() === 'document') return route.continue()
        const response = await route.fetch()
        await route.fulfill({ response, body: (await response.text()).replace('/main', '/other') })
      })
    })
    await works('kiosk', page)
    const before = loads
    await page.getByText(pages.kiosk).click()
    for (let turns = 0; turns < 14; turns++) {
      await page.clock.runFor(5_000)
      await page.keyboard.press('A')
    }
    assert.equal(loads, before, 'a guest is there')
    for (let turns = 0; turns < 150 && loads === before; turns++) {
      await house.during(page.clock.runFor(5_000))
      // The requests of the page take the machine's time.
      await passTime(200)
    }
    assert.equal(loads, before + 1)
    await page.context().close()
  })
})
