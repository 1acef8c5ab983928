import assert from 'node:assert/strict'
import { afterEach, beforeEach, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { browserForSuite, withoutBrowser } from '../../console/browser.ts'
import { guestAt, type KioskHouse, keptOrders, kioskHouse } from '../../console/kiosk-house.ts'

const orders = /\/controllers\/[^/]+\/key$/

/** Returns a function that resolves when no request of the page waits for its answer, however slow the machine is. */
function answersTo(page: Page): () => Promise<void> {
  let asked = 0
  let whenAnswered = () => {}
  const answered = () => {
    if (--asked === 0) whenAnswered()
  }
  page.on('request', () => asked++)
  page.on('requestfinished', answered)
  page.on('requestfailed', answered)
  return async () => {
    const { promise, resolve } = Promise.withResolvers<void>()
    whenAnswered = resolve
    if (asked > 0) await promise
  }
}

describe('a card at the gate of a machine that answers no more', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: KioskHouse
  beforeEach(async () => {
    house = await kioskHouse()
    const [{ id }] = (await house.ask('GET', '/api/config/v1/dispensers')).body.data
    const body = { presentTimeoutSeconds: 60 }
    assert.equal((await house.ask('PATCH', `/api/config/v1/dispensers/${id}`, { body })).status, 204)
  })
  afterEach(() => house.stop())

  /** A guest of two adults in front of the last one of some cards, whose machine is unplugged while it lies at the gate. */
  async function unplugged(cards: 1 | 2) {
    const guest = await guestAt(house, browser)
    const { page } = guest
    await page.clock.install()
    await page.reload()
    const answered = answersTo(page)
    /** Time that goes by for the guest and the box alike, while the machine does nothing. */
    const second = async () => {
      house.clock.set(house.clock.now() + 1_000)
      await page.clock.runFor(1_000)
      await answered()
    }
    const seesWithin = async (most: number, text: string) => {
      const shown = page.getByText(text).first()
      for (let seconds = 0; seconds < most && !(await shown.isVisible()); seconds++) await second()
      assert.ok(await shown.isVisible(), text)
    }
    const { number } = await house.arrival({ personCount: { adults: 2 } })
    await guest.entersNumber(number)
    await guest.wantsKey()
    const ordered = new Set<string | undefined>()
    await page.route(orders, (route) => {
      ordered.add(route.request().headers()['idempotency-key'])
      if (ordered.size === cards) house.lobby.dispenser.takenAfterMs = null
      return route.continue()
    })
    await guest.presses(cards === 1 ? '1 card' : '2 cards')
    const atGate = page.getByText(cards === 1 ? 'Please take your card.' : 'Card 2 of 2').first()
    for (let seconds = 0; seconds < 300 && !(await atGate.isVisible()); seconds++)
      await house.during(page.clock.runFor(1_000))
    const path = '/api/config/v1/simulated-devices/dispenser/actions/act'
    assert.equal((await house.ask('POST', path, { body: { does: 'unplug' } })).status, 200)
    return { ...guest, second, seesWithin }
  }

  for (const reloadedAfter of [null, 0, 40])
    it(`shows the room to a guest who has the first one${reloadedAfter === null ? '' : `, after a reload ${reloadedAfter} s later`}`, async () => {
      const { page, tab, second, seesWithin } = await unplugged(2)
      for (let seconds = 0; seconds < (reloadedAfter ?? 0); seconds++) await second()
      if (reloadedAfter !== null) await page.reload()
      await seesWithin(120, 'We could not make every card.')
      assert.equal(await page.getByText('•••').count(), 1)
      assert.deepEqual(await keptOrders(page), [])
      await tab.close()
    })

  it('sends a guest without any to the desk, with a code', async () => {
    const { page, tab, seesWithin } = await unplugged(1)
    await seesWithin(120, 'This machine cannot make your key now.')
    await seesWithin(10, 'Your code is')
    assert.deepEqual(await keptOrders(page), [])
    await tab.close()
  })
})
