import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { browserForSuite, type Tab, withoutBrowser } from '../../console/browser.ts'
import { guestOn, type KioskHouse, kioskHouse, tall } from '../../console/kiosk-house.ts'
import { monday, settableClock } from '../../test-clock.ts'
import { type Line, lineTo } from './line.ts'

/** A minute is a minute of the browser's clock, which the test sets. */
describe('a dead line between a browser and the box', { skip: withoutBrowser }, () => {
  let house: KioskHouse
  let line: Line
  const browser = browserForSuite()
  const tabs: Tab[] = []
  before(async () => {
    // The box sends its heartbeats in real time.
    house = await kioskHouse({ clock: settableClock(monday) })
    line = await lineTo(house.appliance.url)
  })
  afterEach(async () => {
    line.mend()
    for (const tab of tabs.splice(0)) await tab.close()
  })
  after(async () => {
    line.close()
    await house.stop()
  })

  async function opened(path: string): Promise<Tab> {
    const tab = await browser.open(`${line.url}${path}`, path === '/kiosk' ? tall : {})
    tabs.push(tab)
    return tab
  }

  /** A page whose clock is in the hands of the test. */
  async function clocked({ page }: Tab): Promise<Page> {
    await page.clock.install()
    await page.reload()
    return page
  }
  const lost = (page: Page) => page.getByText('No connection to the box').first()
  const failed = /net::ERR_/

  it('is shown at the desk for a minute, and heals', async () => {
    const tab = await opened('/desk')
    const page = await clocked(tab)
    await page.locator('.chip.ok').first().waitFor()
    line.cut()
    await lost(page).waitFor()
    await page.clock.fastForward(60_000)
    assert.ok(await lost(page).isVisible(), 'still shown after a minute')
    line.mend()
    await page.clock.runFor(16_000)
    await lost(page).waitFor({ state: 'detached' })
    tab.expectClean(failed)
  })

  it('is shown at the desk when it is silent: no byte for 40 s on an open connection', async () => {
    const tab = await opened('/desk')
    const page = await clocked(tab)
    await page.locator('.chip.ok').first().waitFor()
    line.silence()
    await page.clock.fastForward(30_000)
    assert.equal(await lost(page).count(), 0, 'a heartbeat may be late')
    await page.clock.fastForward(15_000)
    await lost(page).waitFor()
    line.mend()
    await page.clock.runFor(16_000)
    await lost(page).waitFor({ state: 'detached' })
    tab.expectClean(failed)
  })

  it('asks again for one answer that is lost while the events go on', async () => {
    const tab = await opened('/desk')
    const page = await clocked(tab)
    await page.locator('.chip.ok').first().waitFor()
    await page.route(/\/api\/v2\/status$/, (route) => route.abort(), { times: 1 })
    await page.goto(`${line.url}/desk#/devices`)
    await lost(page).waitFor()
    assert.equal(await page.locator('.chip.noline').count(), 0, 'the line itself is live')
    await page.clock.runFor(6_000)
    await lost(page).waitFor({ state: 'detached' })
    tab.expectClean(failed)
  })

  it('does not lock the station or sign out, and says so', async () => {
    const tab = await opened('/desk')
    const { page } = tab
    const press = (name: string) => page.getByRole('button', { name, exact: true }).click()
    await page.locator('.chip.ok').first().waitFor()
    // The script of this dialogue is loaded after the first screen.
    await press('Ana')
    await page.getByRole('button', { name: 'Sign out', exact: true }).waitFor()
    await page.keyboard.press('Escape')
    line.cut()
    await lost(page).waitFor()
    await press('Lock')
    await page.getByRole('alert').getByText('This station is not locked').waitFor()
    await lost(page).waitFor()
    await press('Ana')
    await press('Sign out')
    const dialog = page.getByRole('dialog')
    await dialog.getByText('You are still signed in').waitFor()
    line.mend()
    await lost(page).waitFor({ state: 'detached' })
    await press('Sign out')
    await page.getByText('Choose who you want to be').waitFor()
    assert.equal(await page.getByText('You are still signed in').count(), 0)
    tab.expectClean(/net::ERR_|status of 401/)
  })

  it('begins no card ten minutes after its order', async () => {
    const { stayId } = await house.arrival()
    const tab = await opened('/desk')
    const page = await clocked(tab)
    await page.goto(`${line.url}/desk#/stay/${stayId}/c`)
    const orders: string[] = []
    const isOrder = /\/controllers\/[^/]+\/key$/
    page.on('request', (request) => {
      if (isOrder.test(request.url())) orders.push(request.headers()['idempotency-key'] ?? '')
    })
    await page.route(isOrder, (route) => route.abort())
    const ordered = () => page.waitForRequest(isOrder)
    const first = ordered()
    await page.getByRole('button', { name: 'Check in and make the card' }).click()
    await first
    await ordered()
    assert.equal(new Set(orders).size, 1, 'the same order')
    await page.clock.fastForward(10 * 60_000)
    await page.getByText('Not made').waitFor()
    const count = orders.length
    await page.unroute(isOrder)
    await page.clock.runFor(60_000)
    assert.equal(orders.length, count)
    const { body } = await house.ask('GET', `/api/v2/access/keys?filter[stayId]=${stayId}`)
    assert.equal(body.data.length, 0)
    tab.expectClean(failed)
  })

  it('closes the kiosk for a minute, and opens it again', async () => {
    const tab = await opened('/kiosk')
    const page = await clocked(tab)
    await page.getByText('Touch to check in').waitFor()
    line.cut()
    await page.clock.runFor(6_000)
    await page.getByText('Out of service.').waitFor()
    await page.clock.fastForward(60_000)
    assert.ok(await page.getByText('Out of service.').isVisible())
    line.mend()
    await page.clock.runFor(6_000)
    await page.getByText('Touch to check in').waitFor()
    tab.expectClean(failed)
  })

  for (const [what, ill] of [
    ['dead', () => line.cut()],
    ['silent', () => line.silence()],
  ] as const)
    it(`keeps a guest whose card is made while it is ${what}, who then has one card`, async () => {
      const { number, stayId } = await house.arrival()
      const { taken } = house.lobby.dispenser
      const before = taken.length
      const tab = await opened('/kiosk')
      const page = await clocked(tab)
      const guest = guestOn(tab, house)
      await guest.entersNumber(number)
      const asked = page.waitForRequest(/\/key$/)
      await guest.wantsKey()
      await asked
      ill()
      await guest.reads(/We are making your key|One moment, please. We are trying again./)
      await page.clock.runFor(60_000)
      assert.doesNotMatch(await page.innerText('body'), /Out of service|cannot make/)
      line.mend()
      await page.clock.runFor(10_000)
      await guest.reads('Enjoy your stay.')
      const { body } = await house.ask('GET', `/api/v2/access/keys?filter[stayId]=${stayId}`)
      assert.equal(body.data.length, 1, 'one key')
      assert.equal(taken.length, before + 1, 'one card')
      tab.expectClean(failed)
    })
})
