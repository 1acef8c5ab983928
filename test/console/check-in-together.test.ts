import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import fc, { seed } from '../seed.ts'
import { browserForSuite, type Tab, withoutBrowser } from './browser.ts'
import { type Booking, type KioskHouse, kioskHouse } from './kiosk-house.ts'

const [drawn] = fc.sample(fc.array(fc.boolean(), { minLength: 2, maxLength: 4 }), { numRuns: 1, seed })

/** Several stays that are checked in together. */
describe('a check-in of several stays', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: KioskHouse
  let tab: Tab
  before(async () => {
    house = await kioskHouse()
  })
  after(() => house?.stop())
  afterEach(() => tab?.close())

  const pathOf = ({ reservationId, stayId }: Booking) =>
    `/api/v2/reservations/${reservationId}/stays/${stayId}`
  const stayOf = async ({ stayId }: Booking) =>
    (await house.ask('GET', `/api/v2/stays/${stayId}`)).body.data.attributes
  async function ask(method: string, path: string, body: object = {}) {
    const reply = await house.ask(method, path, { body })
    assert.ok(reply.status < 300, reply.text)
    return reply.body
  }
  const withRoom = async (booking: Booking) => {
    const { data } = await ask('POST', `${pathOf(booking)}/unit-assignment`)
    return data.attributes.units[0] as { unitId: string; unitName: string }
  }
  async function open(screen: string): Promise<Page> {
    tab = await browser.openAgain(`${house.appliance.url}/desk#/${screen}`)
    await tab.page.getByText('Connected', { exact: true }).waitFor()
    return tab.page
  }
  const box = (page: Page, { number }: Booking) =>
    page.getByRole('checkbox', { name: `Select the guest: Gästin${number}, Lucia` })

  /** Selects guests on Today, and opens the dialogue. */
  async function selected(page: Page, guests: readonly Booking[]): Promise<void> {
    await house.during(page.getByText(guests[0]!.number, { exact: true }).first().waitFor())
    assert.equal(await page.getByRole('checkbox').count(), 0, 'before the first selection')
    await page.getByText(guests[0]!.number, { exact: true }).first().click()
    await page.keyboard.press('x')
    await house.during(box(page, guests[0]!).waitFor())
    assert.ok(await box(page, guests[0]!).isChecked())
    for (const each of guests.slice(1)) await box(page, each).check()
    const name = `Check in ${guests.length} guests`
    await house.during(page.getByRole('button', { name }).click())
    await page.getByRole('dialog').getByRole('button', { name }).click()
  }
  const result = (page: Page, { number }: Booking, text: string) =>
    house.during(
      page
        .getByRole('dialog')
        .locator('li', { hasText: `Gästin${number}, Lucia, ${number}` })
        .getByText(text)
        .waitFor(),
    )

  for (const rooms of [[true, true], [false, false, false], [true, false], drawn!]) {
    it(`gives rooms as a single one does: ${rooms.map((has) => (has ? 'has one' : 'has none')).join(', ')}`, async () => {
      const guests: Booking[] = []
      for (const has of rooms) {
        const guest = await house.arrival()
        if (has) await withRoom(guest)
        guests.push(guest)
      }
      const page = await open('today')
      await selected(page, guests)
      for (const each of guests) await result(page, each, 'in house')
      await page.getByText('All of them are in house.').waitFor()
      for (const each of guests) {
        const { status, units } = await stayOf(each)
        assert.equal(status, 'InHouse')
        assert.notEqual(units[0].unitId, null)
      }
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).last().click()
      await page.getByRole('checkbox').first().waitFor({ state: 'detached' })
      tab.expectClean()
    })
  }

  it('lists who was refused and why, and repeats only that', async () => {
    const [one, refused, other] = [await house.arrival(), await house.arrival(), await house.arrival()]
    const { unitId, unitName } = await withRoom(refused)
    await ask('PATCH', `/api/v2/units/${unitId}`, { status: 'OutOfOrder' })
    const page = await open('today')
    await selected(page, [one, refused, other])
    await result(page, one, 'in house')
    await result(page, refused, `Not checked in: Room ${unitName} is out of order. Assign another room.`)
    await result(page, other, 'in house')
    const checkedInAt = (await stayOf(one)).checkedInAt
    await ask('PATCH', `/api/v2/units/${unitId}`, { status: 'Clean' })
    const patched: string[] = []
    page.on('request', (request) => request.method() === 'PATCH' && patched.push(request.url()))
    await page.getByRole('button', { name: 'Try 1 guest again' }).click()
    await result(page, refused, 'in house')
    await page.getByText('All of them are in house.').waitFor()
    assert.deepEqual(
      patched.map((url) => new URL(url).pathname),
      [pathOf(refused)],
    )
    assert.equal((await stayOf(one)).checkedInAt, checkedInAt)
    tab.expectClean(/409/)
  })

  it('does nothing twice where a colleague was faster', async () => {
    const [one, other] = [await house.arrival(), await house.arrival()]
    const page = await open('today')
    await house.during(page.getByText(one.number, { exact: true }).first().waitFor())
    await page.getByText(one.number, { exact: true }).first().click()
    await page.keyboard.press('x')
    await box(page, other).check()
    await house.during(page.getByRole('button', { name: 'Check in 2 guests' }).click())
    await withRoom(one)
    await ask('PATCH', pathOf(one), { status: 'InHouse' })
    const before = await stayOf(one)
    await page.getByRole('dialog').getByRole('button', { name: 'Check in 2 guests' }).click()
    for (const each of [one, other]) await result(page, each, 'in house')
    assert.deepEqual(await stayOf(one), before)
    tab.expectClean()
  })

  it('of one booking begins on the sheet, and a guest can be left out', async () => {
    const types = (await house.ask('GET', '/api/v2/unit-types?filter[code]=FAM')).body.data
    const stay = (number: string) => ({
      startDate: '2026-06-01',
      endDate: '2026-06-03',
      status: 'Confirmed',
      personCount: { adults: 1 },
      units: [{ unitTypeId: types[0].id }],
      reservationIds: [{ type: 'Confirmation', value: number }],
      profiles: [{ role: 'PrimaryGuest', firstName: 'Lucia', lastName: `Gästin${number}` }],
    })
    const numbers = ['G1', 'G2', 'G3']
    const { data } = await ask('POST', '/api/v2/reservations', { stays: numbers.map(stay) })
    const guests: Booking[] = data.attributes.stays.map(({ id }: { id: string }, at: number) => ({
      number: numbers[at]!,
      reservationId: data.id,
      stayId: id,
    }))
    const page = await open(`stay/${guests[0]!.stayId}`)
    await house.during(page.getByRole('button', { name: 'Check in all 3 of this booking' }).click())
    const dialog = page.getByRole('dialog')
    await dialog.locator('li', { hasText: 'G3' }).getByRole('checkbox').uncheck()
    await dialog.getByRole('button', { name: 'Check in 2 guests' }).click()
    await result(page, guests[0]!, 'in house')
    await result(page, guests[1]!, 'in house')
    assert.deepEqual(await Promise.all(guests.map(async (each) => (await stayOf(each)).status)), [
      'InHouse',
      'InHouse',
      'Confirmed',
    ])
    tab.expectClean()
  })

  // The last test: it moves the clock.
  it('keeps the selection where the key is pressed on a guest who is in house already', async () => {
    const [here, expected] = [await house.arrival(), await house.arrival()]
    await withRoom(here)
    await ask('PATCH', pathOf(here), { status: 'InHouse' })
    house.clock.set(house.clock.now() + 86_400_000)
    const page = await open('today')
    await house.during(page.getByRole('button', { name: 'Day before' }).click())
    await house.during(page.getByText(expected.number, { exact: true }).first().click())
    await page.keyboard.press('x')
    await house.during(box(page, expected).waitFor())
    await page.getByText(here.number, { exact: true }).first().click()
    await page.keyboard.press('x')
    await page.keyboard.press('j')
    assert.ok(await box(page, expected).isChecked())
    tab.expectClean()
  })
})
