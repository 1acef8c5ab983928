import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Route } from 'playwright-core'
import { browserForSuite, withoutBrowser } from '../../console/browser.ts'
import { type Guest, guestAt, type KioskHouse, kioskHouse } from '../../console/kiosk-house.ts'

/** A request that is held until the test lets it go. */
async function held({ page }: Guest, path: RegExp, method: string) {
  let arrived: (route: Route) => void
  const first = new Promise<Route>((resolve) => {
    arrived = resolve
  })
  await page.route(path, (route) => {
    if (route.request().method() === method) arrived(route)
    else return route.continue()
  })
  return first
}

/** The answer of the box to a request that it is still working on. */
const stillRunning = {
  status: 409,
  contentType: 'application/vnd.api+json',
  body: JSON.stringify({
    errors: [
      {
        status: '409',
        code: 'idempotency-in-progress',
        title: 'The same request is still running',
        detail: 'The first request with this Idempotency-Key is still running.',
        meta: { retryAfterSeconds: 0.1 },
      },
    ],
  }),
}

describe('a visit at a kiosk', { skip: withoutBrowser }, () => {
  let house: KioskHouse
  const browser = browserForSuite()
  before(async () => {
    house = await kioskHouse()
  })
  after(() => house.stop())

  const keysOf = async (stayId: string) =>
    (await house.ask('GET', `/api/v2/access/keys?filter[stayId]=${stayId}`)).body.data.length

  it('ends with the guest who left: an answer that comes later makes no card', async () => {
    const phoneNumbers = [{ number: '+351 210 000 000', type: 'Mobile' }]
    const { number, stayId, reservationId } = await house.arrival({
      profiles: [{ role: 'PrimaryGuest', firstName: 'Lucia', lastName: 'Leaver', phoneNumbers }],
    })
    const guest = await guestAt(house, browser)
    await guest.entersNumber(number, 'LEAVER')
    await guest.presses('Yes, get my key')
    await guest.reads('Your e-mail address is missing')
    const writing = held(guest, /\/profiles\//, 'PUT')
    await guest.page.keyboard.type('lucia@example.org')
    await guest.presses('Next')
    const route = await house.during(writing)
    await guest.presses('Start again')
    await guest.reads('Touch to check in')
    await route.continue().catch(() => {})
    await guest.page.waitForTimeout(500)
    assert.match(await guest.page.innerText('body'), /Touch to check in/)
    const { body } = await house.ask('GET', `/api/v2/reservations/${reservationId}/stays/${stayId}`)
    assert.equal(body.data.attributes.status, 'Confirmed')
    assert.equal(await keysOf(stayId), 0)
    await guest.tab.close()
  })

  it('searches once for a search that is pressed twice, and shows that it searches', async () => {
    const { number } = await house.arrival()
    const guest = await guestAt(house, browser)
    await guest.presses('Touch to check in')
    await guest.types(number)
    let searches = 0
    await guest.page.route(/\/reservations\?/, async (route) => {
      searches++
      await new Promise((done) => setTimeout(done, 1_000))
      await route.continue()
    })
    const search = guest.page.getByRole('button', { name: 'Search', exact: true })
    await search.click()
    await search.click()
    await guest.page.getByRole('progressbar', { name: 'One moment, please.' }).waitFor()
    await guest.reads('Please enter your last name.')
    assert.equal(searches, 1)
    guest.tab.expectClean()
    await guest.tab.close()
  })

  it('ends at the desk, with a code, after an answer that nobody expected', async () => {
    const { number } = await house.arrival()
    const guest = await guestAt(house, browser)
    await guest.page.route(/\/controllers\/[^/]+\/key$/, (route) =>
      route.fulfill({ status: 200, body: '<html>' }),
    )
    await guest.entersNumber(number)
    await guest.wantsKey()
    await guest.reads('This machine cannot make your key now.')
    assert.match(await guest.page.locator('.code').innerText(), /^\d{4}$/)
    guest.tab.expectClean()
    await guest.tab.close()
  })

  it('ends at the desk when a page cannot be drawn', async () => {
    const { number } = await house.arrival()
    const guest = await guestAt(house, browser)
    await guest.page.route(/\/reservations\?/, async (route) => {
      const response = await route.fetch()
      await route.fulfill({ response, body: (await response.text()).replaceAll('2026-06-03', 'soon') })
    })
    await guest.entersNumber(number)
    await guest.reads('Please ask at the desk. A colleague will help you.')
    await guest.presses('Start again')
    await guest.reads('Touch to check in')
    guest.tab.expectClean(/RangeError/)
    await guest.tab.close()
  })

  it('ends at the start page when no answer comes, and asks for one card only', async () => {
    const { number } = await house.arrival()
    const guest = await guestAt(house, browser)
    const { page } = guest
    await page.clock.install()
    await page.reload()
    const keys = new Set<string | undefined>()
    await page.route(/\/key$/, (route) => void keys.add(route.request().headers()['idempotency-key']))
    await guest.entersNumber(number)
    await guest.wantsKey()
    await guest.reads('We are making your key.')
    const start = page.getByText('Touch to check in')
    const titles: string[] = []
    for (let turns = 0; turns < 140 && !(await start.isVisible()); turns++) {
      await house.during(page.clock.runFor(5_000))
      titles.push(await page.locator('h1').innerText())
    }
    assert.ok(await start.isVisible(), titles.join(' | '))
    assert.equal(keys.size, 1)
    guest.tab.expectClean()
    await guest.tab.close()
  })

  it('waits for the card whose answer was lost, as long as the box makes it', async () => {
    const { number, stayId } = await house.arrival()
    const guest = await guestAt(house, browser)
    let requests = 0
    await guest.page.route(/\/key$/, (route) => {
      requests++
      if (requests === 1) return route.abort()
      return requests < 10 ? route.fulfill(stillRunning) : route.continue()
    })
    await guest.entersNumber(number)
    await guest.wantsKey()
    await guest.reads('Enjoy your stay.')
    assert.equal(await keysOf(stayId), 1)
    guest.tab.expectClean(/status of 409|ERR_FAILED/)
    await guest.tab.close()
  })

  it('shows nobody the other bookings of a group, and asks whose number it is', async () => {
    const member = (firstName: string, lastName: string, value: string) => ({
      profiles: [{ role: 'PrimaryGuest', firstName, lastName }],
      reservationIds: [
        { type: 'Confirmation', value },
        { type: 'Group', value: 'WEDDING' },
      ],
    })
    await house.arrival(member('Berta', 'Bride', 'W1'))
    await house.arrival(member('Gustav', 'Groom', 'W2'))
    await house.arrival({ profiles: [{ role: 'PrimaryGuest', firstName: 'Otto', lastName: 'Groom' }] })
    const guest = await guestAt(house, browser)
    await guest.presses('Touch to check in')
    await guest.types('WEDDING')
    await guest.presses('Search')
    await guest.reads('Please enter your last name.')
    assert.doesNotMatch(await guest.page.innerText('body'), /Berta|Gustav/)
    await guest.types('GROOM')
    await guest.presses('Search')
    await guest.reads('Gustav G.')
    guest.tab.expectClean()
    await guest.tab.close()
  })

  it('keeps the language that was chosen last when the texts of another one come late', async () => {
    const guest = await guestAt(house, browser)
    await guest.reads('Touch to check in')
    const texts = held(guest, /kiosk\/texts\/fr/, 'GET')
    await guest.presses('Français')
    const route = await house.during(texts)
    await guest.presses('Deutsch')
    await guest.reads('Zum Einchecken berühren')
    await guest.page.evaluate(
      "import('/ui/lib/language/language.ts').then(({ language }) => language.subscribe((each) => { window.last = each }))",
    )
    await route.continue()
    // The same file is there at the earliest when its first request is answered, and its texts are used by then.
    await guest.page.evaluate(
      "import('/ui/kiosk/texts/fr.ts').then(() => new Promise(requestAnimationFrame))",
    )
    assert.equal(await guest.page.evaluate('last'), 'de')
    await guest.reads('Zum Einchecken berühren')
    guest.tab.expectClean()
    await guest.tab.close()
  })

  it('makes another card only for a guest whose number and name were found, not for any name', async () => {
    const { number, stayId } = await house.arrival()
    const guest = await guestAt(house, browser)
    await guest.entersNumber(number)
    await guest.wantsKey()
    await guest.reads('Enjoy your stay.')
    await guest.presses('Done')
    await guest.presses('Touch to check in')
    await guest.presses('Find me by name')
    await guest.types('NOBODY')
    await guest.presses('Next')
    await guest.presses('Search')
    await guest.reads('We cannot find this booking.')
    await guest.presses('I have a booking number')
    await guest.types(number)
    await guest.presses('Search')
    await guest.reads('Please enter your last name.')
    assert.equal(await keysOf(stayId), 1)
    guest.tab.expectClean()
    await guest.tab.close()
  })

  it('shows the telephone number of the desk as it is now', async () => {
    const guest = await guestAt(house, browser)
    await guest.reads('Touch to check in')
    const { body } = await house.ask('GET', '/api/config/v1/settings')
    const path = `/api/config/v1/settings/${body.data[0].id}`
    const changed = await house.ask('PATCH', path, { body: { deskPhone: '+351 21 999 0000' } })
    assert.equal(changed.status, 204, changed.text)
    await guest.presses('Help')
    await guest.reads('Telephone +351 21 999 0000')
    guest.tab.expectClean()
    await guest.tab.close()
  })
})
