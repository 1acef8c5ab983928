import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { gzipSync } from 'node:zlib'
import type { Page, Route } from 'playwright-core'
import { startAppliance, type TestAppliance } from '../../appliance.ts'
import { browserForSuite, withoutBrowser } from '../../console/browser.ts'
import { monday, settableClock } from '../../test-clock.ts'
import { goTo, settled } from './visit.ts'

const rooms = 100
/** Of all answers that the screen needs, each compressed. */
const mostBytes = 30_000
/** While each room of the house is left within one minute. */
const mostReads = 300
/** 140 rooms in 14 days are 1,960 cells: only those in the window are drawn. */
const most = { rackRequests: 8, rackCells: 600 }

interface Answer {
  address: string
  bytes: number
}

/** What a full house costs: requests, bytes and parts of a page. Times are measured by the bench. */
describe('the desk of a house in which a hundred rooms are taken', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: TestAppliance
  const stays: string[] = []
  before(async () => {
    house = await startAppliance({ clock: settableClock(monday) })
    const post = async (path: string, body: object) => {
      const reply = await house.ask('POST', path, { body })
      assert.equal(reply.status, 201, reply.text)
      return reply.body.data
    }
    const unitTypeId = (await post('/api/v2/unit-types', { code: 'NEW', name: 'New' })).id
    for (let number = 0; number < rooms; number++) {
      const unit = await post('/api/v2/units', { name: `5${number}`, unitTypeId, status: 'Clean' })
      const stay = {
        startDate: '2026-06-01',
        endDate: '2026-06-03',
        status: 'InHouse',
        personCount: { adults: 1 },
        units: [{ unitTypeId, unitId: unit.id }],
        reservationIds: [{ type: 'Confirmation', value: `B${number}` }],
        profiles: [{ role: 'PrimaryGuest', firstName: 'Lucia', lastName: `Guest ${number}` }],
      }
      const { id, attributes } = await post('/api/v2/reservations', { stays: [stay] })
      stays.push(`/api/v2/reservations/${id}/stays/${attributes.stays[0].id}`)
    }
  })
  after(() => house?.stop())

  it('needs few requests and bytes for Today and for the rack, and draws only what is seen', async () => {
    const tab = await browser.open(`${house.appliance.url}/desk#/rooms`)
    const { page } = tab
    await page.getByText('Connected', { exact: true }).waitFor()
    await settled(page)
    const answers = answersOn(page)
    await goTo(page, '#/today')
    await page.getByRole('row').nth(1).waitFor()
    const ofToday = await answers()
    const bytes = ofToday.reduce((sum, each) => sum + each.bytes, 0)
    assert.ok(ofToday.length > 0 && bytes <= mostBytes, `${bytes} bytes: ${JSON.stringify(ofToday)}`)

    await goTo(page, '#/rack')
    await page.getByText('101', { exact: true }).first().waitFor()
    await settled(page)
    await page.getByRole('row', { name: /^599 / }).waitFor()
    const ofRack = await answers()
    assert.ok(
      ofRack.length > 0 && ofRack.length <= most.rackRequests,
      ofRack.map(({ address }) => address).join('\n'),
    )
    const cells = await page.getByRole('gridcell').count()
    assert.ok(cells > 20 && cells <= most.rackCells, `${cells} cells`)
    tab.expectClean()
    await tab.close()
  })

  it('reads each list once at the start, and again what changes before the stream of events is open', async () => {
    const tab = await browser.open('about:blank')
    const { page } = tab
    await page.clock.install()
    const answers = answersOn(page)
    const stream = Promise.withResolvers<Route>()
    await page.route('**/events/stream**', (route) => stream.resolve(route))
    await page.goto(`${house.appliance.url}/desk#/rooms`)
    const room = page.getByRole('button', { name: /^599/ })
    await room.getByText('Clean', { exact: true }).waitFor()
    const [{ id }] = (await house.ask('GET', '/api/v2/units?filter[name]=599')).body.data
    assert.equal((await house.ask('PATCH', `/api/v2/units/${id}`, { body: { status: 'Dirty' } })).status, 204)
    await (await stream.promise).continue()
    await room.getByText('Dirty').waitFor()
    await answers()

    await page.unroute('**/events/stream**')
    await page.goto(`${house.appliance.url}/desk?again#/today`)
    await page.getByText('Connected', { exact: true }).waitFor()
    await page.getByRole('row').nth(1).waitFor()
    await page.clock.runFor(5_000)
    await settled(page)
    const first = await answers()
    assert.ok(first.length > 3, JSON.stringify(first))
    assert.deepEqual(twiceIn(first), [])
    tab.expectClean(/foreign request/)
    await tab.close()
  })

  it('hears in a second tab what the first one hears', async () => {
    const tab = await browser.open(`${house.appliance.url}/desk#/rooms`)
    const { page } = tab
    await page.getByText('Connected', { exact: true }).waitFor()
    const second = await page.context().newPage()
    await second.goto(page.url())
    const pages = [page, second]
    const [{ id, attributes }] = (await house.ask('GET', '/api/v2/units?filter[name]=599')).body.data
    for (const status of attributes.status === 'Dirty' ? ['Clean', 'Dirty'] : ['Dirty', 'Clean']) {
      const rooms = pages.map((each) => each.getByRole('button', { name: /^599/ }))
      for (const room of rooms) await room.waitFor()
      assert.equal((await house.ask('PATCH', `/api/v2/units/${id}`, { body: { status } })).status, 204)
      for (const room of rooms) await room.getByText(status, { exact: true }).waitFor()
    }
    await page.close()
    await second.getByText('Connected', { exact: true }).waitFor()
    const reply = await house.ask('PATCH', `/api/v2/units/${id}`, { body: { status: 'Cleaning' } })
    assert.equal(reply.status, 204)
    await second
      .getByRole('button', { name: /^599/ })
      .getByText(/cleaned/i)
      .waitFor()
    tab.expectClean()
    await tab.close()
  })

  it('reads seldom while all of them leave within a minute', async () => {
    const tab = await browser.open(`${house.appliance.url}/desk`)
    const { page } = tab
    await page.getByText('Connected', { exact: true }).waitFor()
    await page.clock.install()
    await settled(page)
    // A minute of the page is a minute, however long the machine takes for it.
    await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 2_000)
    const answers = answersOn(page)
    for (const stay of stays) {
      const reply = await house.ask('PATCH', stay, { body: { status: 'CheckedOut' } })
      assert.equal(reply.status, 204, reply.text)
      await page.clock.runFor(60_000 / rooms)
    }
    await page.clock.resume()
    await page.getByRole('button', { name: 'In house' }).filter({ hasText: /\D0$/ }).waitFor()
    const { length } = await answers()
    assert.ok(length > 0 && length < mostReads, `${length} reads`)
    tab.expectClean()
    await tab.close()
  })
})

/** The paths of what was asked more than once. */
function twiceIn(answers: readonly Answer[]): string[] {
  const addresses = answers.map(({ address }) => address)
  const repeated = addresses.filter((each, at) => addresses.indexOf(each) !== at)
  return [...new Set(repeated.map((each) => each.split('?')[0]!))]
}

/** Collects the answers of the box; each call returns those since the one before, when none is under way any more. */
function answersOn(page: Page): () => Promise<Answer[]> {
  let seen: Promise<Answer>[] = []
  page.on('response', (response) => {
    const { pathname, search } = new URL(response.url())
    if (!pathname.startsWith('/api/') || pathname.endsWith('/stream')) return
    const answer = response
      .body()
      .then((body) => ({ address: pathname + search, bytes: gzipSync(body).length }))
    // The page is closed while an answer comes that nothing waits for any more.
    answer.catch(() => {})
    seen.push(answer)
  })
  return async () => {
    const found = seen
    seen = []
    return Promise.all(found)
  }
}
