import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import type { Page, Route } from 'playwright-core'
import { browserForSuite, type Tab, withoutBrowser } from '../../console/browser.ts'
import { type KioskHouse, kioskHouse } from '../../console/kiosk-house.ts'

/** Lets the planned end of a stay be the day before: no request may do that to a guest in house. */
function endedYesterday(data: string, stayId: string): void {
  const db = new Database(`${data}/nightporter.db`)
  const id = Buffer.from(stayId.replaceAll('-', ''), 'hex')
  const sql =
    "UPDATE stay SET endDate = date(endDate, '-1 day'), plannedEndsAt = plannedEndsAt - 86400000 WHERE id = ?"
  assert.equal(db.prepare(sql).run(id).changes, 1)
  db.close()
}

/** Rooms at the desk: their cards, the rack, their status, their blocks, and the search. */
describe('the rooms of the desk', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: KioskHouse
  const tabs: Tab[] = []

  before(async () => {
    house = await kioskHouse()
  })
  after(() => house?.stop())
  afterEach(async () => {
    for (const tab of tabs.splice(0)) await tab.close()
  })

  async function open(screen: string): Promise<Page> {
    const tab = await browser.open(`${house.appliance.url}/desk#/${screen}`)
    tabs.push(tab)
    await tab.page.getByText('Connected', { exact: true }).waitFor()
    return tab.page
  }
  const expectClean = (allowed?: RegExp) => {
    for (const tab of tabs) tab.expectClean(allowed)
  }
  const sees = (page: Page, text: string | RegExp) => house.during(page.getByText(text).first().waitFor())
  const keysOf = async (filter: string) =>
    (await house.ask('GET', `/api/v2/access/keys?filter${filter}&sort=createdAt`)).body.data.map(
      ({ attributes }: { attributes: { status: string; unitName: string } }) => attributes,
    )
  const stayOf = async (stayId: string) => (await house.ask('GET', `/api/v2/stays/${stayId}`)).body.data
  const unitNamed = async (name: string) =>
    (await house.ask('GET', `/api/v2/units?filter[name]=${name}`)).body.data[0]

  // Before other guests are in house.
  /**
   * Checks a guest in to two rooms. The box has made the card of the first one. `keysRead` answers whenever the page reads keys
   * from then on.
   */
  async function firstOfTwoCards(keysRead?: (route: Route) => void): Promise<{ stayId: string; page: Page }> {
    const [{ id: unitTypeId }] = (await house.ask('GET', '/api/v2/unit-types?filter[code]=DBL')).body.data
    const { stayId } = await house.arrival({ units: [{ unitTypeId }, { unitTypeId }] })
    const page = await open(`stay/${stayId}/c`)
    const ordered = /controllers\/[^/]+\/key$/
    if (keysRead)
      await page.route(
        ordered,
        async (route) => {
          const response = await route.fetch({ timeout: 0 })
          await page.route('**/access/keys?**', keysRead)
          await route.fulfill({ response })
        },
        { times: 1 },
      )
    const made = page.waitForResponse((each) => ordered.test(each.url()))
    await page.getByRole('button', { name: 'Check in and make the card' }).click()
    await house.during(made)
    return { stayId, page }
  }

  it('shows who is still in a room on the rack, and who is in the way of a move', async () => {
    const bar = (page: Page, number: string) =>
      page.getByRole('button', { name: new RegExp(`^Gästin${number},`) })
    const inHouseSince = async () => {
      const booking = await house.arrival({ startDate: '2026-05-29', endDate: '2026-06-01' })
      const path = `/api/v2/reservations/${booking.reservationId}/stays/${booking.stayId}`
      assert.equal((await house.ask('POST', `${path}/unit-assignment`)).status, 200)
      const { attributes } = await stayOf(booking.stayId)
      const reply = await house.ask('PUT', path, { body: { ...attributes, status: 'InHouse' } })
      assert.equal(reply.status, 204, reply.text)
      return booking
    }
    const [overdue, leaving] = [await inHouseSince(), await inHouseSince()]
    endedYesterday(house.data, overdue.stayId)
    const page = await open('rack')
    await bar(page, overdue.number)
      .and(page.getByRole('button', { name: /Should have left/ }))
      .waitFor()
    await bar(page, leaving.number)
      .and(page.getByRole('button', { name: /Leaves today/ }))
      .waitFor()

    const { number, reservationId } = await house.arrival()
    await house.ask('POST', `/api/v2/reservations/${reservationId}/unit-assignments`)
    const [{ unitName }] = (await stayOf(overdue.stayId)).attributes.units
    const own = bar(page, number)
    await house.during(own.and(page.getByRole('button', { name: /, \d+, / })).waitFor())
    const row = page
      .locator('.rack-row')
      .filter({ has: page.locator('strong', { hasText: new RegExp(`^${unitName}$`) }) })
    await own.dragTo(row.locator('.rack-room'))
    const dialog = page.getByRole('dialog')
    await dialog.getByText('Another stay has the room in this period').waitFor()
    assert.ok(await dialog.getByRole('button', { name: `Move to ${unitName}` }).isDisabled())
    await dialog.getByText(/^Gästin.* 29 May – 31 May$/).waitFor()
    await dialog.getByRole('button', { name: `Open the guest: Gästin${overdue.number}, Lucia` }).click()
    await page.locator('#sheet h2').getByText(`Gästin${overdue.number}`).waitFor()
    assert.equal(await dialog.count(), 0)

    await page.keyboard.press('Escape')
    await own.focus()
    await page.keyboard.press('m')
    await dialog.getByText(/^The stay moves from \d+ to \d+\. No key is out/).waitFor()

    await page.keyboard.press('Escape')
    await own.dragTo(row.locator('.rack-room'))
    await dialog.getByRole('button', { name: `They share the room: Gästin${overdue.number}, Lucia` }).click()
    await own.and(page.getByRole('button', { name: new RegExp(`, ${unitName}, `) })).waitFor()
    assert.equal(await dialog.count(), 0)
    expectClean(/409/)
  })

  it('makes each card once, also when the tab is duplicated between two of them', async () => {
    const { stayId, page } = await firstOfTwoCards()
    const orders = async (of: Page) =>
      of.evaluate<number>("Object.keys(sessionStorage).filter((name) => name.includes('.card.')).length")
    assert.equal(await orders(page), 1)
    const opened = page.waitForEvent('popup')
    await page.evaluate('void window.open(location.href)')
    const copy = await opened
    await copy.locator('.card-way h3').waitFor()
    assert.equal(await orders(copy), 1, 'the copy follows the order too')
    const last = (await stayOf(stayId)).attributes.units[1].unitName
    for (const each of [page, copy]) {
      const way = each.locator('.card-way').filter({ hasText: last })
      await house.during(way.getByText('In hand', { exact: true }).last().waitFor())
    }
    const keys = await keysOf(`[stayId]=${stayId}`)
    assert.deepEqual(
      keys.map(({ status }: { status: string }) => status),
      ['live', 'live'],
    )
    expectClean(/409/)
  })

  it('makes the cards of all rooms, also when the page is loaded anew between two of them', async () => {
    const { stayId, page } = await firstOfTwoCards(() => {})
    const rooms: string[] = (await stayOf(stayId)).attributes.units.map(
      ({ unitName }: { unitName: string }) => unitName,
    )
    const second = page.locator('.card-way h3').filter({ hasText: rooms[1] ?? '' })
    await house.during(second.waitFor())
    await page.unroute('**/access/keys?**')
    await page.reload()
    const live = async (): Promise<string[]> =>
      (await keysOf(`[stayId]=${stayId}`))
        .filter(({ status }: { status: string }) => status === 'live')
        .map(({ unitName }: { unitName: string }) => unitName)
        .toSorted()
    const all = rooms.toSorted()
    await sees(page, 'In hand')
    assert.deepEqual(await live(), all)
    await page.getByRole('button', { name: 'Done' }).click()

    const [{ id }] = (await house.ask('GET', `/api/v2/access/keys?filter[unitName]=${rooms[1]}`)).body.data
    await house.ask('POST', `/api/v2/access/keys/${id}/actions/block`, { body: {} })
    await house.during(page.getByRole('button', { name: `Make the first card: ${rooms[1]}` }).waitFor())
    await page.keyboard.press('k')
    await sees(page, 'In hand')
    assert.deepEqual(await live(), all)
    assert.equal((await keysOf(`[stayId]=${stayId}`)).length, 3)
    expectClean()
  })

  it('makes the card of the second room after the line was lost between the two', async () => {
    const { stayId, page } = await firstOfTwoCards((route) => route.abort())
    await sees(page, 'The page asks again for this same card.')
    await page.unroute('**/access/keys?**')
    await sees(page, 'In hand')
    const keys: { status: string; unitName: string }[] = await keysOf(`[stayId]=${stayId}`)
    const rooms: { unitName: string }[] = (await stayOf(stayId)).attributes.units
    assert.deepEqual(
      keys.map(({ status, unitName }) => `${unitName} ${status}`).toSorted(),
      rooms.map(({ unitName }) => `${unitName} live`).toSorted(),
    )
    expectClean(/ERR_FAILED/)
  })

  it('asks when a colleague has changed a room meanwhile, and says only what was done', async () => {
    const statusOf = async (name: string) => (await unitNamed(name)).attributes.status
    const page = await open('rooms')
    const room = (name: string) => page.getByRole('button', { name: new RegExp(`^${name}`) })
    await room('301').waitFor()
    // The page does not learn of the colleague's change before the key is pressed.
    await page.route('**/api/v2/units?**', (route) => route.abort())
    const { id } = await unitNamed('301')
    await house.ask('PATCH', `/api/v2/units/${id}`, { body: { status: 'OutOfService' } })
    await room('301').click()
    await room('302').click()
    await page.keyboard.press('1')
    await page.getByText('301: Somebody else has changed this meanwhile').waitFor()
    await page.getByText('Now: Out of service. Yours: Dirty.').waitFor()
    await page.getByText('Changed: 302.').waitFor()
    assert.deepEqual([await statusOf('301'), await statusOf('302')], ['OutOfService', 'Dirty'])
    await page.getByRole('button', { name: 'Write mine' }).click()
    await page.getByText('Changed: 301.').waitFor()
    assert.equal(await statusOf('301'), 'Dirty')

    await house.ask('PATCH', `/api/v2/units/${id}`, { body: { status: 'Cleaning' } })
    await page.keyboard.press('u')
    await page.getByText('Now: Being cleaned. Yours: Out of service.').waitFor()
    await page.getByRole('button', { name: 'Leave it' }).click()
    await page.getByText('Yours: Out of service').waitFor({ state: 'detached' })
    assert.equal(await statusOf('301'), 'Cleaning')
    await page.unroute('**/api/v2/units?**')

    const body = JSON.stringify({
      errors: [
        { status: '409', code: 'unit-status-transition', title: 'No', detail: 'Not from this status.' },
      ],
    })
    await page.route('**/api/v2/units/*', (route) =>
      route.fulfill({ status: 409, contentType: 'application/vnd.api+json', body }),
    )
    await room('303').click()
    await page.keyboard.press('1')
    await page.getByText('303: Not from this status.').waitFor()
    assert.equal(await page.getByText('Changed:').count(), 0)
    assert.equal(await page.getByRole('button', { name: 'Take back' }).count(), 0)
    expectClean(/ERR_FAILED|412|409/)
  })

  it('blocks a room for dates, says who is in the way, and unblocks it', async () => {
    const page = await open('rooms')
    const dialog = page.getByRole('dialog')
    const room = page.getByRole('button', { name: /^304/ })
    const blocksOf = async () => (await unitNamed('304')).attributes.maintenance
    const fill = async (first: string, last: string) => {
      await dialog.getByLabel('First day').fill(first)
      await dialog.getByLabel('Last day').fill(last)
    }
    await room.click()
    await page.keyboard.press('b')
    await fill('2026-06-01', '2026-06-02')
    await dialog.getByLabel('Reason').fill('Shower')
    await page.keyboard.press('Control+Enter')
    await dialog.waitFor({ state: 'detached' })
    await room.getByText('blocked 1 Jun – 2 Jun').waitFor()
    assert.deepEqual(await blocksOf(), [{ from: '2026-06-01', until: '2026-06-02', reason: 'Shower' }])
    await page.keyboard.press('b')
    await dialog.getByRole('button', { name: 'Unblock: 304, 1 Jun' }).click()
    await dialog.getByText('Shower').waitFor({ state: 'detached' })
    assert.deepEqual(await blocksOf(), [])

    const { id, attributes } = await unitNamed('304')
    const units = [{ unitTypeId: attributes.unitTypeId, unitId: id }]
    const { number } = await house.arrival({ units, startDate: '2026-06-20', endDate: '2026-06-22' })
    await fill('2026-06-19', '2026-06-21')
    await page.keyboard.press('Control+Enter')
    await dialog.getByRole('button', { name: `Open the guest: Gästin${number}, Lucia` }).click()
    await page.locator('#sheet').getByText(number, { exact: true }).waitFor()
    assert.deepEqual(await blocksOf(), [])
    expectClean(/409/)
  })

  it('groups what a search finds, and goes through the groups by arrows', async () => {
    const named = (lastName: string) => ({
      profiles: [{ role: 'PrimaryGuest', firstName: 'Lucia', lastName }],
    })
    const one = await house.arrival()
    const two = await house.arrival(named(`Mac${one.number}`))
    const page = await open('today')
    for (const key of ['/', ...one.number.toLowerCase()]) await page.keyboard.press(key)
    const group = (name: string) => page.getByRole('group', { name, exact: true }).getByRole('option')
    await group('Guests').filter({ hasText: two.number }).waitFor()
    assert.equal(await group('Numbers').filter({ hasText: one.number }).count(), 1)
    assert.equal(
      await group('Guests')
        .filter({ hasText: `, Lucia${one.number}` })
        .count(),
      0,
    )
    const count = await page.getByRole('option').count()
    for (let at = 1; at < count; at++) await page.keyboard.press('ArrowDown')
    await page.keyboard.press('Enter')
    await page.locator('#sheet').getByText(two.number, { exact: true }).waitFor()

    const detail = 'Too many searches are waiting.'
    await page.route(/found-stays/, async (route) => {
      const answer = await (await route.fetch()).json()
      const meta = { unanswered: [{ foundBy: 'guest', code: 'busy', detail }] }
      await route.fulfill({ json: { ...answer, meta } })
    })
    for (const key of ['/', ...one.number.toLowerCase()]) await page.keyboard.press(key)
    await page.getByText('A part of the search did not answer.').waitFor()
    await page.getByText(detail).waitFor()
    await group('Numbers').first().waitFor()
    expectClean()
  })

  it('has similar names under a heading of their own, and does not open one before it was seen', async () => {
    const { number } = await house.arrival({
      profiles: [{ role: 'PrimaryGuest', firstName: 'Lucia', lastName: 'Wolkenstein' }],
    })
    const page = await open('today')
    for (const key of ['/', ...'wolkensetin', 'Enter']) await page.keyboard.press(key)
    const similar = page.getByRole('group', { name: 'Similar names', exact: true }).getByRole('option')
    await similar.filter({ hasText: number }).waitFor()
    assert.equal(await page.locator('#sheet').count(), 0)
    await page.keyboard.press('Enter')
    await page.locator('#sheet').getByText(number, { exact: true }).waitFor()
    expectClean()
  })

  it('says who comes tomorrow when nobody else arrives today', async () => {
    await house.arrival({ startDate: '2026-06-02', endDate: '2026-06-04' })
    const tab = await browser.open('about:blank')
    tabs.push(tab)
    await tab.page.route(/filter\[startDate\]\[lte\]/, (route) =>
      route.fulfill({ json: { data: [], meta: { total: 0 } } }),
    )
    await tab.page.goto(`${house.appliance.url}/desk`)
    await tab.page.getByText(/^Nobody else arrives today\. \d+ more tomorrow\.$/).waitFor()
    expectClean(/foreign request/)
  })

  it('asks until when and why a room is out of order, and says it on the rack', async () => {
    const room = await unitNamed('301')
    const page = await open('rooms')
    const tile = page.locator(`#row-${room.id}`)
    await tile.focus()
    await page.keyboard.press('x')
    await page.keyboard.press('6')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill('Pipe')
    await dialog.getByLabel('Expected until').fill('2026-06-05')
    await page.keyboard.press('Enter')
    await house.during(tile.getByText('out of order until 5 Jun: Pipe').waitFor())
    await page.goto(`${house.appliance.url}/desk#/rack`)
    await page.locator(`#room-${room.id}`).getByText('out of order until 5 Jun: Pipe').waitFor()
    await page.goto(`${house.appliance.url}/desk#/rooms`)
    await tile.focus()
    await page.keyboard.press('x')
    await page.keyboard.press('3')
    await house.during(tile.getByText('Pipe').waitFor({ state: 'detached' }))
    expectClean()
  })

  it('says how many conflicts are not shown', async () => {
    const page = await open('conflicts')
    await page.route('**/sync-conflicts?**', async (route) => {
      const { data } = await (await route.fetch()).json()
      await route.fulfill({ json: { data, meta: { total: 100, totalIsAtLeast: true } } })
    })
    await page.getByRole('button', { name: 'Decided' }).click()
    await page.getByText(/^The newest \d+ of 100\+ are shown\.$/).waitFor()
    expectClean()
  })
})
