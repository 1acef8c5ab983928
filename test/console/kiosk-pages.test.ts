import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import fc from '../seed.ts'
import { browserForSuite, withoutBrowser } from './browser.ts'
import { type Guest, guestAt, type KioskHouse, kioskHouse, tall } from './kiosk-house.ts'

const wide = { viewport: { width: 1280, height: 800 } }

/** What a guest does on each page to reach the next one, and what that one is called. */
const way: readonly [
  page: string,
  reads: string,
  onwards: (guest: Guest, number: string) => Promise<void>,
][] = [
  ['the start', 'Touch to check in', (guest) => guest.presses('Touch to check in')],
  ['the number', 'Please enter your booking number.', (guest, number) => enters(guest, number)],
  ['the name', 'Please enter your last name.', (guest, number) => enters(guest, `GASTIN${number}`)],
  ['the greeting', 'Is this your booking?', (guest) => guest.presses('Yes, get my key')],
  ['the e-mail', 'Your e-mail address is missing.', (guest) => guest.presses('Go on without it')],
  ['the telephone', 'Your telephone number is missing.', (guest) => guest.presses('Go on without it')],
  ['the payment', 'is still to be paid.', async () => {}],
]

async function enters(guest: Guest, text: string): Promise<void> {
  await guest.page.locator('.entry input').fill(text)
  await guest.page.keyboard.press('Enter')
}

/** Goes on from one page of the way to another one. */
async function goes(guest: Guest, number: string, from: number, to: number): Promise<void> {
  for (let at = from; at < to; at++) {
    await way[at]![2](guest, number)
    await guest.reads(way[at + 1]![1])
  }
}

interface Box {
  top: number
  left: number
  width: number
  height: number
}

const boxes = (page: Page, selector: string): Promise<Box[]> =>
  page.evaluate(
    `[...document.querySelectorAll(${JSON.stringify(selector)})].map((each) => {
      const { top, left, width, height } = each.getBoundingClientRect()
      return { top, left, width, height }
    })`,
  )

describe('the pages of a kiosk', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: KioskHouse
  let number: string
  before(async () => {
    house = await kioskHouse()
    ;({ number } = await house.arrival({ amount: { currency: 'EUR', amountWithTax: 327 } }))
  })
  after(() => house?.stop())

  it('lead back, one by one, until something is paid', async () => {
    const guest = await guestAt(house, browser)
    await guest.reads(way[0]![1])
    const last = way.length - 1
    // From the last page to the first one, and then some way on and back again.
    const turns = fc.sample(fc.tuple(fc.nat(last - 1), fc.integer({ min: 1, max: last })), 5)
    let at = 0
    for (const [low, more] of [[0, last] as const, ...turns]) {
      const high = Math.min(last, low + more)
      await goes(guest, number, at, high)
      for (at = high; at > low; at--) {
        await guest.presses('Back')
        await guest.reads(way[at - 1]![1])
      }
    }
    guest.tab.expectClean()
    await guest.tab.close()
  })

  it('lead back from the ways of a guest without a number', async () => {
    const guest = await guestAt(house, browser)
    await guest.presses('Touch to check in')
    await guest.presses('Find me by name')
    await guest.reads('Please enter your last name.')
    await guest.presses('Back')
    await guest.reads('Touch to check in')
    await guest.presses('Touch to check in')
    await guest.presses('Find me by name')
    await enters(guest, `GASTIN${number}`)
    await guest.reads('On which day does your stay begin?')
    await guest.presses('Back')
    await guest.reads('Please enter your last name.')
    await enters(guest, `GASTIN${number}`)
    await guest.presses('Search')
    await guest.reads('Please enter your booking number.')
    await guest.presses('Use e-mail, postcode or telephone')
    await guest.reads('Please enter your e-mail address, your postcode')
    await guest.presses('Back')
    await guest.reads('Please enter your booking number.')
    await guest.presses('Back')
    // The first entry of the name is made anew: what was said after it is forgotten.
    await guest.reads('I have a booking number')
    guest.tab.expectClean()
    await guest.tab.close()
  })

  it('lead back to the start in the language of the guest', async () => {
    const guest = await guestAt(house, browser)
    await guest.presses('Deutsch')
    await guest.presses('Zum Einchecken berühren')
    await guest.presses('Zurück')
    await guest.reads('Zum Einchecken berühren')
    await guest.presses('Zum Einchecken berühren')
    await guest.presses('Neu beginnen')
    await guest.reads('Touch to check in')
    await guest.tab.close()
  })

  for (const [name, options] of Object.entries({ tall, wide }))
    it(`have steps, decision and foot at the same place on a ${name} screen, and targets for a finger`, async () => {
      const guest = await guestAt(house, browser, options)
      const { page } = guest
      await guest.reads(way[0]![1])
      const { width, height } = options.viewport!
      const steps = new Set<string>()
      for (let at = 0; at < way.length; at++) {
        if (at > 0) await goes(guest, number, at - 1, at)
        const targets = await boxes(page, '.controls button, .foot button')
        assert.ok(targets.length > 3)
        for (const each of targets) {
          assert.ok(each.width >= 60 && each.height >= 60, `${way[at]![0]}: ${JSON.stringify(each)}`)
          assert.ok(each.top + each.height <= height + 1 && each.left + each.width <= width + 1, way[at]![0])
          if (name === 'tall') assert.ok(each.top >= height * 0.41, `${way[at]![0]} is out of reach`)
        }
        if (at === 0) continue
        const [decision] = await boxes(page, '.decision')
        const [list] = await boxes(page, '.steps')
        const [foot] = await boxes(page, '.foot')
        assert.ok(decision && list && foot, way[at]![0])
        steps.add(`${list.top} ${list.left} ${list.height}`)
        const below = foot.top - (decision.top + decision.height)
        assert.ok(below >= 0 && below <= 30, `${way[at]![0]}: the decision is ${below} above the foot`)
        assert.equal(await page.locator('.steps [aria-current=step]').count(), 1)
      }
      if (name === 'tall') assert.equal(steps.size, 1, [...steps].join())
      guest.tab.expectClean()
      await guest.tab.close()
    })
})
