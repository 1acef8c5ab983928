import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { stayStatuses } from '../../src/reservation/stays/rules/status-rules.ts'
import { unitStatuses } from '../../src/reservation/values/unit-status.ts'
import { sourceProgram } from '../program.ts'
import fc, { seed } from '../seed.ts'
import { browserForSuite, type Tab, withoutBrowser } from './browser.ts'
import { type KioskHouse, kioskHouse, monday } from './kiosk-house.ts'

const [drawn] = fc.sample(
  fc.record({
    cents: fc.integer({ min: 1, max: 9_999_999 }),
    hour: fc.integer({ min: 0, max: 23 }),
    minute: fc.integer({ min: 0, max: 59 }),
    note: fc.stringMatching(/^[A-Za-z]{3,20}( [A-Za-z]{3,20}){2,9}$/),
  }),
  { numRuns: 1, seed },
)
const two = (value: number) => String(value).padStart(2, '0')
const euros = (cents: number) =>
  new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' }).format(cents / 100)
const dayAfter = (days: number) => Temporal.PlainDate.from(monday).add({ days }).toString()

/** A room goes to a status by these. */
const waysTo: Record<string, string[]> = {
  Dirty: ['Dirty'],
  Cleaning: ['Dirty', 'Cleaning'],
  Clean: ['Dirty', 'Clean'],
  Inspected: ['Dirty', 'Clean', 'Inspected'],
}

/** What a row says of its guest without a click. */
const guests: readonly { cents: number; time: string; note: string }[] = [
  { cents: 10_900, time: '15:00', note: 'Wants a quiet room, two cards, and comes by the late train' },
  { cents: 1, time: '00:05', note: 'Late' },
  { cents: 999_999_99, time: '23:59', note: 'Two lines\nof a note' },
  { cents: 0, time: '12:00', note: 'Allergic to feathers <b>' },
  { cents: 21_850, time: '18:30', note: '' },
  { cents: drawn!.cents, time: `${two(drawn!.hour)}:${two(drawn!.minute)}`, note: drawn!.note },
]

describe('Today at the desk', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: KioskHouse
  let tab: Tab
  before(async () => {
    // A test imports modules of the pages.
    house = await kioskHouse({ entry: sourceProgram })
  })
  after(() => house?.stop())
  afterEach(() => tab?.close())

  async function open(screen = 'today'): Promise<Page> {
    tab = await browser.openAgain(`${house.appliance.url}/desk#/${screen}`)
    await tab.page.getByText('Connected', { exact: true }).waitFor()
    return tab.page
  }
  async function ask(method: string, path: string, body: object) {
    const reply = await house.ask(method, path, { body })
    assert.ok(reply.status < 300, reply.text)
    return reply.body
  }
  const pathOf = ({ reservationId, stayId }: { reservationId: string; stayId: string }) =>
    `/api/v2/reservations/${reservationId}/stays/${stayId}`

  /** The button of a row: what it says, and whether it can be done now (main) or after something else (soft). */
  async function stepOf(page: Page, stayId: string): Promise<[text: string, kind: string]> {
    const buttons = page.locator(`#row-${stayId} button`)
    await house.during(buttons.first().waitFor())
    assert.equal(await buttons.count(), 1, 'one next step')
    const kind = (await buttons.getAttribute('class'))!.replace('button ', '')
    return [await buttons.locator('span').first().innerText(), kind]
  }

  it('shows nothing but what can be done where a list is empty', async () => {
    const page = await open()
    const main = page.locator('main')
    await page.getByRole('button', { name: /^In house 0$/ }).click()
    await main.getByText('Nobody is in house.').waitFor()
    await main.locator('.empty').getByRole('button', { name: 'Arrivals' }).click()
    await page.getByRole('button', { name: /^Arrivals \d+$/, pressed: true }).waitFor()
    await page.getByRole('button', { name: /^Departures 0$/ }).click()
    await main.locator('.empty').getByRole('button', { name: 'In house' }).click()
    await page.getByRole('button', { name: /^In house 0$/, pressed: true }).waitFor()
    const { data } = (await house.ask('GET', '/api/v2/stays?filter[status]=Confirmed&page[size]=100')).body
    for (const { id, attributes } of data)
      await ask('PATCH', pathOf({ reservationId: attributes.reservationId, stayId: id }), {
        status: 'Canceled',
      })
    await house.during(page.getByRole('button', { name: /^Arrivals 0$/ }).click())
    await main.locator('.empty').getByRole('button', { name: 'Day after' }).waitFor()
    await main.locator('.empty').getByRole('button', { name: 'Walk-in' }).click()
    await page.getByRole('heading', { name: 'Walk-in' }).waitFor()
    tab.expectClean()
  })

  it('shows type, time of arrival, note and balance of each guest, and their sum in the strip', async () => {
    const made = []
    for (const { cents, time, note } of guests)
      made.push(
        await house.arrival({
          startTime: time,
          comment: note === '' ? null : note,
          amount: { currency: 'EUR', amountWithTax: cents / 100 },
        }),
      )
    const page = await open()
    for (const [at, { cents, time, note }] of guests.entries()) {
      const row = page.locator(`#row-${made[at]!.stayId}`)
      await row.getByRole('cell', { name: time, exact: true }).waitFor()
      await row.getByRole('cell', { name: /^(SGL|DBL|FAM|STE)$/ }).waitFor()
      await row.getByRole('cell', { name: cents === 0 ? 'paid' : euros(cents), exact: true }).waitFor()
      if (note !== '') assert.equal(await row.locator('.note').getAttribute('aria-label'), note)
    }
    const sum = guests.reduce((all, { cents }) => all + cents, 0)
    await page
      .locator('.figure')
      .filter({ hasText: `To pay ${euros(sum)}` })
      .waitFor()
    tab.expectClean()
  })

  it('has one next step in each row, which is solid where it can be done now', async () => {
    const arrival = async (more = {}) => house.arrival(more)
    const withRoom = async (status: string, more = {}) => {
      const booking = await arrival(more)
      const { data } = await ask('POST', `${pathOf(booking)}/unit-assignment`, {})
      for (const each of waysTo[status]!)
        await ask('PATCH', `/api/v2/units/${data.attributes.units[0].unitId}`, { status: each })
      return booking
    }
    const inHouse = async (more = {}) => {
      const booking = await withRoom('Clean', more)
      await ask('PATCH', pathOf(booking), { status: 'InHouse' })
      return booking
    }
    const due = { amount: { currency: 'EUR', amountWithTax: 20 } }
    const free = { amount: { currency: 'EUR', amountWithTax: 0 } }
    const arriving = [
      [await arrival(), ['Assign', 'soft']],
      [await withRoom('Clean'), ['Check in', 'main']],
      [await withRoom('Inspected'), ['Check in', 'main']],
      [await withRoom('Dirty'), ['Check in', 'soft']],
      [await withRoom('Cleaning'), ['Check in', 'soft']],
    ] as const
    const staying = [
      [await inHouse(free), ['Open', 'plain']],
      [await inHouse({ ...due, endDate: dayAfter(drawn!.hour + 2) }), ['Open', 'plain']],
    ] as const
    const leaving = [
      [await inHouse({ ...due, endDate: dayAfter(1) }), ['Check out', 'soft']],
      [await inHouse({ ...free, endDate: dayAfter(1) }), ['Check out', 'main']],
    ] as const
    const page = await open()
    for (const [{ stayId }, step] of arriving) assert.deepEqual(await stepOf(page, stayId), step)
    await page.getByRole('button', { name: /^In house/ }).click()
    for (const [{ stayId }, step] of staying) assert.deepEqual(await stepOf(page, stayId), step)
    house.clock.set(house.clock.now() + 86_400_000)
    await page.reload()
    await house.during(page.getByRole('button', { name: /^Departures 2$/ }).click())
    for (const [{ stayId }, step] of leaving) assert.deepEqual(await stepOf(page, stayId), step)
    await page.locator(`#row-${leaving[0][0].stayId}`).getByText('Leaves today').waitFor()
    tab.expectClean()
  })

  it('gives each state of a stay and of a room a colour and an icon of its own, and a word', async () => {
    const page = await open()
    const days = [-40, -1, 0, 1, drawn!.hour + 2]
    const { stays, units, words, states } = await page.evaluate<{
      stays: Record<string, string[]>
      units: Record<string, string[]>
      words: { status: Record<string, string>; unitStatus: Record<string, string> }
      states: string[]
    }>(`Promise.all(['desk/stay/states', 'desk/stay/texts', 'lib/server/session', 'lib/language/format'].map((each) => import('/ui/' + each + '.ts'))).then(
      ([{ stayLooks, unitLooks, stateOf }, { g }, { today }, { plusDays }]) => ({
        stays: stayLooks,
        units: unitLooks,
        words: g.value,
        states: ${JSON.stringify(days)}.map((days) => stateOf({ status: 'InHouse', endDate: plusDays(today.value, days) })),
      }))`)
    assert.deepEqual(states, ['Overdue', 'Overdue', 'LeavesToday', 'InHouse', 'InHouse'])
    for (const [looks, named, all] of [
      [stays, words.status, [...stayStatuses, 'LeavesToday', 'Overdue']],
      [units, words.unitStatus, unitStatuses],
    ] as const) {
      assert.deepEqual(Object.keys(looks).sort(), [...all].sort())
      assert.equal(new Set(Object.values(looks).map(([, icon]) => icon)).size, all.length, 'icons differ')
      for (const state of all) assert.ok(named[state], `${state} has a word`)
    }
    tab.expectClean()
  })
})
