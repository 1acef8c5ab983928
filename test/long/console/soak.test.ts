import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { browserForSuite, withoutBrowser } from '../../console/browser.ts'
import { type KioskHouse, kioskHouse, tall } from '../../console/kiosk-house.ts'
import { noLimits } from '../../no-limits.ts'
import { goTo, screensOf } from './visit.ts'

const rounds = 6
/**
 * Bytes that the heap of a page may grow by from the first round to the last. The browser itself adds some 60 kB at a kiosk and
 * 500 kB at the desk until it has compiled what runs. A poll that keeps 600 bytes, 5 MB in twelve hours, adds 180 kB.
 */
const mostGrowth = { kiosk: 200_000, desk: 1_000_000 }

describe('a page that is open all day', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: KioskHouse
  before(async () => {
    house = await kioskHouse({ rateLimits: noLimits })
  })
  after(() => house?.stop())

  it('does not grow at a kiosk, which asks every five seconds', async () => {
    const { page, close } = await browser.open('about:blank', tall)
    await page.clock.install()
    await page.goto(`${house.appliance.url}/kiosk`)
    await house.during(page.locator('.controls .button.main').first().waitFor())
    let polls = 0
    page.on('requestfinished', (request) => {
      if (request.url().includes('/access/controllers')) polls++
    })
    const growth = await grown(page, async () => {
      for (const until = polls + 60; polls < until; ) await house.during(page.clock.runFor(5_000))
    })
    await close()
    assert.ok(growth < mostGrowth.kiosk, `it grew by ${growth} bytes`)
  })

  it('does not grow at the front desk, whatever changes and wherever its clerk goes', async () => {
    const { reservationId, stayId } = await house.arrival()
    const stay = `/api/v2/reservations/${reservationId}/stays/${stayId}`
    const { page, close } = await browser.open(`${house.appliance.url}/desk`)
    const screens = await screensOf(page)
    let changes = 0
    const growth = await grown(page, async () => {
      for (const screen of screens) {
        await goTo(page, screen)
        for (let each = 0; each < 5; each++) {
          const reply = await house.ask('PATCH', stay, { body: { comment: `Change ${++changes}` } })
          assert.equal(reply.status, 204, reply.text)
        }
      }
    })
    await close()
    assert.ok(growth < mostGrowth.desk, `it grew by ${growth} bytes`)
  })
})

/** By how many bytes the heap of a page is larger after the last round than after the first. */
async function grown(page: Page, round: () => Promise<void>): Promise<number> {
  const debug = await page.context().newCDPSession(page)
  const heapBytes = async () => {
    await debug.send('HeapProfiler.collectGarbage')
    return (await debug.send('Runtime.getHeapUsage')).usedSize
  }
  await round()
  const first = await heapBytes()
  for (let at = 1; at < rounds; at++) await round()
  return (await heapBytes()) - first
}
