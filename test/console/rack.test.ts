import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import fc, { seed } from '../seed.ts'
import { browserForSuite, type Tab, withoutBrowser } from './browser.ts'
import { type KioskHouse, kioskHouse } from './kiosk-house.ts'

const [drawn] = fc.sample(fc.integer({ min: 2, max: 12 }), { numRuns: 1, seed })
const dayAfter = (days: number) => Temporal.PlainDate.from('2026-06-01').add({ days }).toString()

describe('the rack', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: KioskHouse
  let tab: Tab
  before(async () => {
    house = await kioskHouse()
  })
  after(() => house?.stop())
  afterEach(() => tab?.close())

  async function open(): Promise<Page> {
    tab = await browser.open(`${house.appliance.url}/desk#/rack`)
    await house.during(tab.page.locator('.bar').first().waitFor())
    return tab.page
  }
  const cells = (page: Page, name: string) =>
    page.locator('.rack-head .rack-row').filter({ hasText: name }).getByRole('gridcell').allTextContents()

  /** The free rooms of a night, as the box counts them. */
  async function freeOn(date: string): Promise<number> {
    const range = `filter[startDate]=${date}&filter[endDate]=${date}`
    const { body } = await house.ask('GET', `/api/v2/availability/unit-types?${range}&page[size]=100`)
    const all: { attributes: { quantity: number } }[] = body.data
    return all.reduce((sum, { attributes: { quantity } }) => sum + Math.max(0, quantity), 0)
  }

  it('shows in each night the free rooms and the occupancy, with one look-up, as Today counts them', async () => {
    for (const days of [0, 1, drawn!])
      await house.arrival({ startDate: dayAfter(days), endDate: dayAfter(days + 2) })
    const rooms = (await house.ask('GET', '/api/v2/units?page[size]=1&withTotal=true')).body.meta.total
    const page = await open()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    await page.reload()
    await house.during(page.locator('.bar').first().waitFor())
    assert.equal(asked.filter((path) => path === '/api/v2/availability/unit-types').length, 1)
    const free = (await cells(page, 'Free rooms')).map(Number)
    const occupied = await cells(page, 'Occupied')
    assert.equal(free.length, 14)
    for (const days of [0, 1, 2, 3, drawn!, 13]) {
      const left = await freeOn(dayAfter(days))
      assert.equal(free[days], left, dayAfter(days))
      assert.equal(occupied[days], `${Math.round((100 * (rooms - left)) / rooms)}%`, dayAfter(days))
    }
    await page.goto(`${house.appliance.url}/desk#/today`)
    await page.getByText(`Free rooms: ${free[0]}`, { exact: true }).waitFor()
    tab.expectClean()
  })

  it('keeps the occupancy in sight', async () => {
    const page = await open()
    const scroll = page.locator('.rack-scroll')
    await page.evaluate("document.querySelector('.rack-scroll').scrollTo(0, 100_000)")
    const [head, box] = [await page.locator('.rack-head').boundingBox(), await scroll.boundingBox()]
    assert.ok(Math.abs(head!.y - box!.y) < 3, `${head!.y} ${box!.y}`)
    tab.expectClean()
  })
})
