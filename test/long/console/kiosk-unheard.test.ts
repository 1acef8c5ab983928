import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Route } from 'playwright-core'
import { browserForSuite, withoutBrowser } from '../../console/browser.ts'
import { guestAt, type KioskHouse, kioskHouse } from '../../console/kiosk-house.ts'

/** What may come back of an order that the box has carried out. */
const answers: Readonly<Record<string, (route: Route) => Promise<void>>> = {
  'a page of HTML': async (route) => {
    await route.fetch()
    await route.fulfill({ status: 200, contentType: 'text/html', body: '<p>Sign in' })
  },
  'an empty object': async (route) => {
    await route.fetch()
    await route.fulfill({ status: 201, contentType: 'application/vnd.api+json', body: '{}' })
  },
  'a document without a key': async (route) => {
    await route.fetch()
    await route.fulfill({ status: 201, contentType: 'application/vnd.api+json', body: '{"data":null}' })
  },
  'half an answer': async (route) => {
    const answer = await route.fetch()
    await route.fulfill({ status: 201, body: (await answer.text()).slice(0, 40) })
  },
  'a fault of a proxy': async (route) => {
    await route.fetch()
    await route.fulfill({ status: 502, contentType: 'text/html', body: '<h1>Bad Gateway' })
  },
  'a cut': async (route) => {
    await route.fetch()
    await route.abort('connectionreset')
  },
}

describe('a card whose order never has a readable answer', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: KioskHouse
  before(async () => {
    house = await kioskHouse()
  })
  after(() => house?.stop())

  for (const [name, answer] of Object.entries(answers))
    it(`is shown, and the guest gets it: ${name}`, async () => {
      const { number, stayId } = await house.arrival()
      const guest = await guestAt(house, browser)
      await guest.page.route(/\/key$/, answer)
      await guest.page.route(/\/by-reservation\//, answer)
      await guest.entersNumber(number)
      await guest.wantsKey()
      await guest.reads('Enjoy your stay.')
      const { body } = await house.ask('GET', `/api/v2/access/keys?filter[stayId]=${stayId}`)
      assert.equal(body.data.length, 1, 'one card')
      assert.equal(await guest.page.getByText('cannot make').count(), 0)
      await guest.tab.close()
    })

  it('is shown, and the guest gets it: a cut, and then a refusal', async () => {
    const { number } = await house.arrival()
    const guest = await guestAt(house, browser)
    let orders = 0
    await guest.page.route(/\/key$/, (route) =>
      ++orders === 1
        ? answers['a cut']!(route)
        : route.fulfill({
            status: 409,
            contentType: 'application/vnd.api+json',
            body: JSON.stringify({ errors: [{ code: 'box-fenced', title: 'Fenced', detail: 'Fenced.' }] }),
          }),
    )
    await guest.entersNumber(number)
    await guest.wantsKey()
    await guest.reads('Enjoy your stay.')
    assert.equal(orders, 2)
    await guest.tab.close()
  })

  for (const [name, status, code] of [
    ['no card was made', 502, 'dispenser-empty'],
    ['the box refuses', 409, 'unit-occupied'],
  ] as const)
    it(`is not shown: ${name}`, async () => {
      const { number } = await house.arrival()
      const guest = await guestAt(house, browser)
      await guest.page.route(/\/key$/, (route) =>
        route.fulfill({
          status,
          contentType: 'application/vnd.api+json',
          body: JSON.stringify({ errors: [{ code, title: code, detail: code, meta: { guest: 'desk' } }] }),
        }),
      )
      await guest.entersNumber(number)
      await guest.wantsKey()
      await guest.reads(/^Your code is \d{4}\.$/)
      assert.equal(await guest.page.getByText('Please take your card.').count(), 0)
      await guest.tab.close()
    })

  it('does not lose the code for the desk when its answers are lost', async () => {
    const { number, stayId } = await house.arrival()
    const guest = await guestAt(house, browser)
    let lost = 0
    await guest.page.route(/\/hand-over$/, async (route) => {
      if (++lost > 2) return route.continue()
      await answers[lost === 1 ? 'a cut' : 'a page of HTML']!(route)
    })
    await guest.entersNumber(number)
    await guest.presses('Help')
    await guest.reads(/^Your code is \d{4}\.$/)
    const { body } = await house.ask('GET', `/api/v2/hand-overs?filter[stayId]=${stayId}`)
    assert.equal(body.data.length, 1)
    const { body: events } = await house.ask(
      'GET',
      `/api/v2/events?filter[subject]=stays/${stayId}&filter[type]=stay.handed-over`,
    )
    assert.equal(events.data.length, 1, 'the repeats have one idempotency key')
    await guest.tab.close()
  })

  it('ends with a sentence when no answer about the code can be read', async () => {
    const { number } = await house.arrival()
    const guest = await guestAt(house, browser)
    await guest.page.route(/\/hand-over$/, (route) => route.abort('connectionreset'))
    await guest.entersNumber(number)
    await guest.presses('Help')
    await guest.reads('Please tell your name at the desk.')
    await guest.tab.close()
  })
})
