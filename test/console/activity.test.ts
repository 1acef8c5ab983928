import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import fc, { seed } from '../seed.ts'
import { browserForSuite, type Tab, withoutBrowser } from './browser.ts'
import { type KioskHouse, kioskHouse, monday } from './kiosk-house.ts'

const [cents] = fc.sample(fc.integer({ min: 101, max: 99_999 }), { numRuns: 1, seed })
const shown = (amount: number) =>
  new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' }).format(amount / 100)

/** The page of the desk that says who did what in the house. */
describe('the activity of the house', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: KioskHouse
  let tab: Tab
  before(async () => {
    house = await kioskHouse()
  })
  after(() => house?.stop())
  afterEach(() => tab?.close())

  async function ask(method: string, path: string, body: object = {}) {
    const reply = await house.ask(method, path, { body })
    assert.ok(reply.status < 300, reply.text)
    return reply.body
  }
  async function open(account = 'Ana', screen = 'activity'): Promise<Page> {
    tab = await browser.openAs(account, `${house.appliance.url}/desk#/${screen}`)
    await tab.page.getByText('Connected', { exact: true }).waitFor()
    return tab.page
  }
  const line = (page: Page, ...texts: string[]) =>
    texts.reduce((found, hasText) => found.filter({ hasText }), page.locator('table tbody tr')).first()
  const sees = (page: Page, ...texts: string[]) => house.during(line(page, ...texts).waitFor())

  it('lists what was done, by whom, from what to what, with amount, guest and room', async () => {
    const { stayId, reservationId, number } = await house.arrival({
      amount: { currency: 'EUR', amountWithTax: cents! / 100 },
    })
    const path = `/api/v2/reservations/${reservationId}/stays/${stayId}`
    const { data } = await ask('POST', `${path}/unit-assignment`)
    const [{ unitId, unitName }] = data.attributes.units
    await ask('POST', `${path}/actions/record-payment`, { currency: 'EUR', amount: cents, brand: 'Visa' })
    const [{ id: refundOf }] = (await house.ask('GET', `/api/v2/payments?filter[stayId]=${stayId}`)).body.data
    const refund = { currency: 'EUR', amount: 100, brand: 'Cash', refundOf, reason: 'Noise at night' }
    await ask('POST', `${path}/actions/record-refund`, refund)
    await ask('PATCH', path, { status: 'InHouse' })
    await ask('PATCH', path, { endDate: '2026-06-04', endTime: '12:30' })
    await ask('PATCH', path, { amount: { currency: 'EUR', amountWithTax: cents! / 100 + 50 } })
    const dates = { startDate: '2026-06-20', endDate: '2026-06-22' }
    for (const quantity of [0, 1])
      await ask('PATCH', `/api/v2/availability/units/${unitId}`, [{ ...dates, quantity }])
    for (const status of ['Dirty', 'Cleaning']) await ask('PATCH', `/api/v2/units/${unitId}`, { status })

    const page = await open()
    const guest = `Gästin${number}, Lucia`
    for (const texts of [
      ['Booked', guest, unitName],
      [`Room assigned: ${unitName}`, guest],
      [`Payment recorded: ${shown(cents!)}`, guest],
      ['Refund recorded: €1.00 (Noise at night)', guest],
      ['Checked in', guest, unitName],
      ['Changed: departure Wed 3 Jun → Thu 4 Jun, departure time – → 12:30, price', guest],
      ['Changed: price €', `→ ${shown(cents! + 5_000)}`, guest],
      ['Room status: dirty → being cleaned', unitName],
      ['Blocked: 20 Jun – 22 Jun', unitName],
      ['Block ended: 20 Jun – 22 Jun', unitName],
    ])
      await sees(page, ...texts)
    await line(page, 'Checked in', guest).getByRole('link').click()
    await page.locator('#sheet').getByText(number, { exact: true }).waitFor()
    tab.expectClean()
  })

  it('shows the guest of a payment for a whole booking, also among what was done in the room', async () => {
    const { stayId, reservationId, number } = await house.arrival({
      amount: { currency: 'EUR', amountWithTax: 77 },
    })
    const { data } = await ask(
      'POST',
      `/api/v2/reservations/${reservationId}/stays/${stayId}/unit-assignment`,
    )
    const [{ unitName }] = data.attributes.units
    const payment = { currency: 'EUR', amount: 7_700, brand: 'Cash' }
    await ask('POST', `/api/v2/reservations/${reservationId}/actions/record-payment`, payment)
    const page = await open()
    await sees(page, 'Payment recorded: €77.00', `Gästin${number}, Lucia`)
    await house.arrival()
    await page.getByLabel('Room', { exact: true }).selectOption(unitName)
    await page.getByText('the newest stays').waitFor()
    await house.during(line(page, 'Booked').filter({ hasNotText: unitName }).waitFor({ state: 'detached' }))
    await sees(page, 'Payment recorded: €77.00', `Gästin${number}, Lucia`)
    tab.expectClean()
  })

  it('shows what is done while it is open', async () => {
    const page = await open()
    await page.getByRole('heading', { name: 'Activity' }).waitFor()
    const { number } = await house.arrival()
    await sees(page, 'Booked', `Gästin${number}`)
    tab.expectClean()
  })

  it('is found by person, room and day', async () => {
    const { stayId, reservationId, number } = await house.arrival()
    const path = `/api/v2/reservations/${reservationId}/stays/${stayId}`
    const { data } = await ask('POST', `${path}/unit-assignment`)
    const [{ unitName }] = data.attributes.units
    const other = await house.arrival()
    house.clock.set(house.clock.now() + 86_400_000)
    const later = await house.arrival({ startDate: '2026-06-02', endDate: '2026-06-04' })
    const page = await open('Ana', `stay/${other.stayId}`)
    await house.during(page.locator('#sheet').getByRole('button', { name: 'Assign a room' }).click())
    await house.during(page.locator('#sheet').getByText('Room assigned').first().waitFor())
    await page.keyboard.press('Escape')
    await page.goto(`${house.appliance.url}/desk#/activity`)
    const rows = page.locator('table tbody tr')
    const none = (text: string) =>
      house.during(rows.filter({ hasText: text }).first().waitFor({ state: 'detached' }))
    await sees(page, later.number)
    await page.getByLabel('Day', { exact: true }).fill(monday)
    await none(later.number)
    await sees(page, other.number)
    await page.getByLabel('Room', { exact: true }).selectOption(unitName)
    await none(other.number)
    await sees(page, `Room assigned: ${unitName}`, number)
    await page.getByLabel('Room', { exact: true }).selectOption('All rooms')
    await page.getByLabel('Day', { exact: true }).fill('')
    await sees(page, later.number)
    const person = page.getByLabel('Person', { exact: true })
    assert.equal(await rows.filter({ hasText: 'Ben' }).count(), 0)
    await house.during(person.locator('option').filter({ hasText: 'Ben' }).waitFor({ state: 'attached' }))
    await person.selectOption('Ana')
    await none(later.number)
    await sees(page, 'Room assigned', 'Ana', other.number)
    await person.selectOption('Everybody')
    await sees(page, later.number)
    await page.getByLabel('Day', { exact: true }).fill('2020-02-29')
    await page.getByText('Nothing here.').waitFor()
    tab.expectClean()
  })

  it('is read page by page', async () => {
    const made: string[] = []
    for (let count = 0; count < 30; count++) {
      const { number } = await house.arrival({
        startDate: '2026-08-01',
        endDate: '2026-08-02',
        status: 'Waitlisted',
      })
      made.push(number)
    }
    const page = await open()
    await sees(page, made.at(-1)!)
    assert.ok((await page.locator('table tbody tr').count()) <= 25)
    assert.equal(await line(page, `${made[0]},`).count(), 0)
    await page.getByRole('button', { name: 'Older' }).click()
    await sees(page, `${made[0]},`)
    assert.ok((await page.locator('table tbody tr').count()) <= 25)
    await page.getByRole('button', { name: 'Newer' }).click()
    await sees(page, made.at(-1)!)
    tab.expectClean()
  })

  it('shows each person what the role may read', async () => {
    const { number } = await house.arrival()
    const [unit] = (await house.ask('GET', '/api/v2/units?filter[name]=110')).body.data
    await ask('PATCH', `/api/v2/units/${unit.id}`, { status: 'Cleaning' })
    const page = await open('Ben')
    await sees(page, '→ being cleaned', '110')
    assert.equal(await page.getByText(number).count(), 0)
    tab.expectClean()
  })
})
