import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { browserForSuite, withoutBrowser } from '../../console/browser.ts'
import { type Guest, guestAt, type KioskHouse, keptOrders, kioskHouse } from '../../console/kiosk-house.ts'
import { passTime } from '../../test-clock.ts'

const jsonApi = 'application/vnd.api+json'

/** Errors that no part of a page handles. */
const defects = ['throw new Error("a")', 'Promise.reject(new TypeError("b"))', 'Promise.reject(null)']

describe('a fault of the page of a kiosk', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: KioskHouse
  before(async () => {
    house = await kioskHouse()
  })
  after(() => house?.stop())

  /** A guest at a page whose clock is in the hands of the test. */
  async function clocked(prepare: (page: Page) => Promise<unknown> = async () => {}): Promise<Guest> {
    const guest = await guestAt(house, browser)
    await guest.page.clock.install()
    await prepare(guest.page)
    await guest.page.reload()
    return guest
  }

  async function fails({ page }: Guest): Promise<void> {
    for (const defect of defects) await page.evaluate(`void queueMicrotask(() => { ${defect} })`)
    await page.clock.runFor(1_000)
  }

  /** Lets time go by at the page, whose requests take the machine's time. */
  async function passes({ page }: Guest, seconds: number): Promise<void> {
    for (let passed = 0; passed < seconds; passed += 5) {
      await page.clock.runFor(5_000)
      await passTime(200)
    }
  }

  it('leaves the guest the code for the front desk, and the page is loaded anew after the guest', async () => {
    const { number } = await house.arrival()
    const guest = await clocked()
    const { page } = guest
    await guest.entersNumber(number)
    await guest.reads('Yes, get my key')
    await fails(guest)
    await guest.reads(/^Your code is/)
    const code = await page.locator('.code').innerText()
    let loads = 0
    page.on('load', () => loads++)
    await fails(guest)
    await fails(guest)
    await passTime(500)
    assert.equal(await page.locator('.code').innerText(), code)
    assert.equal(loads, 0, 'a guest is there')
    await guest.presses('Start again')
    for (let turns = 0; turns < 30 && loads === 0; turns++) {
      await page.clock.runFor(1_000)
      await passTime(100)
    }
    assert.equal(loads, 1)
    await guest.reads('Touch to check in')
    await guest.tab.close()
  })

  it('leaves the guest the room', async () => {
    const { number } = await house.arrival()
    const guest = await guestAt(house, browser)
    await guest.entersNumber(number)
    await guest.wantsKey()
    await guest.reads('Enjoy your stay.')
    for (const defect of defects) await guest.page.evaluate(`void queueMicrotask(() => { ${defect} })`)
    await passTime(300)
    assert.ok(await guest.page.getByText('Enjoy your stay.').isVisible())
    await guest.tab.close()
  })

  it('never goes on with the order of another guest', async () => {
    const other = await house.arrival()
    const guest = await clocked()
    const { page } = guest
    const asked: string[] = []
    page.on('request', (request) => {
      if (request.method() !== 'GET') asked.push(new URL(request.url()).pathname)
    })
    const card = {
      unit: 0,
      order: { idempotencyKey: crypto.randomUUID(), isOriginal: true, startTime: null },
    }
    for (const order of [card, { isPayment: true }])
      for (const isFound of [false, true]) {
        await guest.reads('Touch to check in')
        const { number } = await house.arrival()
        if (isFound) await guest.entersNumber(number)
        else await guest.presses('Touch to check in')
        await guest.reads(isFound ? 'Yes, get my key' : 'Please enter your booking number.')
        await keeps(page, { ...other, ...order, language: 'en' })
        await fails(guest)
        await guest.reads('Please ask at the desk. A colleague will help you.')
        await passTime(300)
        assert.deepEqual(await keptOrders(page), [])
        await guest.presses('Start again')
      }
    assert.deepEqual(
      asked.filter((path) => !/hand-over$|help-calls$|session/.test(path)),
      [],
    )
    await guest.tab.close()
  })

  it('is none when no guest comes: the start page stays the same', async () => {
    const guest = await clocked()
    await guest.reads('Touch to check in')
    await guest.page.evaluate('globalThis.heading = document.querySelector("h1")')
    await passes(guest, 120)
    assert.equal(await guest.page.evaluate('heading.isConnected'), true)
    await guest.tab.close()
  })

  it('is none when a kiosk is set up: what is typed stays, and a right code is not called wrong', async () => {
    const guest = await clocked((page) =>
      page.route(/\/session$/, async (route) => {
        const response = await route.fetch()
        const body = await response.json()
        Object.assign(body.data.attributes, { role: null, station: null, demo: false })
        await route.fulfill({ response, json: body })
      }),
    )
    const { page } = guest
    await guest.reads('This screen is not a kiosk yet')
    const field = page.locator('.entry input')
    await field.fill('12345678')
    await passes(guest, 70)
    assert.equal(await field.inputValue(), '12345678')
    let status = 0
    await page.route(/enrol-station$/, (route) =>
      route.fulfill({
        status,
        contentType: jsonApi,
        body: JSON.stringify({ errors: [{ code: status === 429 ? 'rate-limited' : 'a' }] }),
      }),
    )
    for (const [each, says] of [
      [401, 'This code is not valid.'],
      [429, 'Too many tries. Please wait one minute'],
      [422, 'This code is not valid.'],
      [500, 'Out of service.'],
      [401, 'This code is not valid.'],
      [503, 'Out of service.'],
    ] as const) {
      status = each
      await page.keyboard.press('Enter')
      await guest.reads(says)
    }
    await guest.tab.close()
  })
})

describe('a card at the gate of a kiosk whose line is dead', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()

  it('is shown for as long as the machine leaves it there', async (t) => {
    const house = await kioskHouse()
    t.after(() => house.stop())
    const { body } = await house.ask('GET', '/api/v2/access/dispensers')
    for (const { id } of body.data) {
      const path = `/api/config/v1/dispensers/${id}`
      const { headers } = await house.ask('GET', path)
      const reply = await house.ask('PATCH', path, {
        body: { data: { type: 'dispenser', id, attributes: { presentTimeoutSeconds: 300 } } },
        headers: { 'If-Match': headers.get('etag') ?? '' },
      })
      assert.equal(reply.status < 300, true, reply.text)
    }
    const { number } = await house.arrival()
    const guest = await guestAt(house, browser)
    const { page } = guest
    await page.clock.install()
    await page.reload()
    await guest.entersNumber(number)
    await guest.wantsKey()
    const title = page.getByText('Please take your card.')
    while (!(await title.isVisible())) {
      await page.clock.runFor(500)
      await passTime(100)
    }
    await page.route('**/api/**', (route) => route.abort())
    for (let seconds = 0; seconds < 250; seconds += 2) {
      await page.clock.runFor(2_000)
      await passTime(10)
      assert.ok(await title.isVisible(), `after ${seconds} s: ${await page.locator('h1').innerText()}`)
    }
    while (await title.isVisible()) {
      await page.clock.runFor(2_000)
      await passTime(10)
    }
    await guest.tab.close()
  })
})

/** Keeps an order in the browser, as one whose deletion has failed. */
const keeps = (page: Page, order: object): Promise<void> =>
  page.evaluate(`new Promise((resolve) => {
    const open = indexedDB.open('nightporter.kiosk', 1)
    open.onsuccess = () => {
      const put = open.result.transaction('orders', 'readwrite').objectStore('orders')
        .put({ since: Date.now(), ...${JSON.stringify(order)} }, '')
      put.onsuccess = () => resolve()
    }
  })`)
