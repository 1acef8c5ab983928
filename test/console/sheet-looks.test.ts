import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import fc, { seed } from '../seed.ts'
import { browserForSuite, enabled, type Tab, withoutBrowser } from './browser.ts'
import { type KioskHouse, kioskHouse } from './kiosk-house.ts'

const [drawn] = fc.sample(
  fc.record({
    reason: fc.stringMatching(/^[A-Za-z]{3,12}( [a-z]{2,12}){0,4}$/),
    cents: fc.integer({ min: 1, max: 99_999 }),
    hour: fc.integer({ min: 18, max: 22 }),
  }),
  { numRuns: 1, seed },
)
const euros = (cents: number) =>
  new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' }).format(cents / 100)

describe('the sheet of a stay', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: KioskHouse
  let tab: Tab
  before(async () => {
    house = await kioskHouse()
  })
  after(() => house?.stop())
  afterEach(() => tab?.close())

  async function open(screen: string): Promise<Page> {
    tab = await browser.openAgain(`${house.appliance.url}/desk#/${screen}`)
    await tab.page.getByText('Connected', { exact: true }).waitFor()
    return tab.page
  }
  async function ask(method: string, path: string, body: object) {
    const reply = await house.ask(method, path, { body })
    assert.ok(reply.status < 300, reply.text)
    return reply.body
  }
  const stayOf = async (stayId: string) =>
    (await house.ask('GET', `/api/v2/stays/${stayId}`)).body.data.attributes
  const pathOf = ({ reservationId, stayId }: { reservationId: string; stayId: string }) =>
    `/api/v2/reservations/${reservationId}/stays/${stayId}`

  /** What is left to pay, in cents, after what was paid; less than nothing is to be given back. */
  for (const [due, paid] of [
    [10_000, 0],
    [10_000, 2_500],
    [10_000, 10_000],
    [1, 0],
    [5_000, 7_000],
    [drawn!.cents, 0],
  ] as const)
    it(`keeps the balance of ${due} cents, of which ${paid} are paid, and the keys in sight`, async () => {
      const amount = (cents: number) => ({ amount: { currency: 'EUR', amountWithTax: cents / 100 } })
      const booking = await house.arrival(amount(Math.max(due, paid)))
      if (paid > 0)
        await ask('POST', `${pathOf(booking)}/actions/record-payment`, {
          currency: 'EUR',
          amount: paid,
          brand: 'Visa',
        })
      await ask('PATCH', pathOf(booking), { ...amount(due), comment: 'A line.\n'.repeat(120) })
      const page = await open(`stay/${booking.stayId}`)
      const head = page.locator('.sheet-head')
      const rest = due - paid
      const text =
        rest > 0 ? `${euros(rest)} to pay` : rest < 0 ? `${euros(-rest)} to give back` : 'Paid in full'
      await head.getByText(`Balance: ${euros(rest)}`, { exact: true }).waitFor()
      await page.locator('.balance').getByText(text, { exact: true }).waitFor()
      await page.evaluate("document.getElementById('sheet').scrollTo(0, 100_000)")
      assert.ok(await page.evaluate("document.getElementById('sheet').scrollTop > 100"))
      const { y } = (await head.boundingBox())!
      assert.ok(y >= 0 && y < 120, `${y}`)
      tab.expectClean()
    })

  for (const reason of [
    'Überbucht, im Haus „Sonne“ untergebracht',
    '<b>flight</b> & train \\ canceled',
    drawn!.reason,
  ])
    it(`cancels a stay with the reason ${reason.slice(0, 30)}`, async () => {
      const comment = 'Late arrival'
      const { stayId } = await house.arrival({ comment })
      const page = await open(`stay/${stayId}`)
      await page.getByRole('button', { name: 'Cancel the stay' }).click()
      const dialog = page.getByRole('dialog')
      const confirm = dialog.getByRole('button', { name: 'Cancel the stay' })
      for (const tooShort of ['', '  ', 'no']) {
        await dialog.getByLabel('Reason').fill(tooShort)
        assert.ok(await confirm.isDisabled(), `"${tooShort}" is no reason`)
      }
      await dialog.getByLabel('Reason').fill(reason)
      await enabled(dialog, 'Cancel the stay')
      await page.keyboard.press('Enter')
      await house.during(page.locator('#sheet .chip').getByText('Canceled').first().waitFor())
      const { status, comment: kept } = await stayOf(stayId)
      assert.deepEqual([status, kept], ['Canceled', `${comment}\nCanceled: ${reason.trim()}`])
      tab.expectClean()
    })

  it('writes no reason without the new status, and asks when a colleague has written a comment or a guest meanwhile', async () => {
    const booking = await house.arrival({ personCount: { adults: 2 } })
    const page = await open(`stay/${booking.stayId}`)
    await page.getByRole('button', { name: 'Guests', exact: true }).click()
    const guests = page.getByRole('dialog', { name: 'Guests' })
    await guests.getByLabel('Last name of guest 2').fill('Costa')
    const { profiles } = await stayOf(booking.stayId)
    const others = [{ role: 'AdditionalGuest', lastName: 'Silva', firstName: '' }]
    await ask('PATCH', pathOf(booking), { profiles: [...profiles, ...others] })
    await guests.getByRole('button', { name: 'Save' }).click()
    await house.during(guests.getByText(/^Now: Gästin\w+, Lucia; Silva$/).waitFor())
    await guests.getByText(/^Yours: Gästin\w+, Lucia; Costa$/).waitFor()
    await guests.getByRole('button', { name: 'Keep both' }).click()
    await house.during(guests.waitFor({ state: 'detached' }))
    assert.equal((await stayOf(booking.stayId)).profiles.length, 3)
    await page.getByRole('button', { name: 'Cancel the stay' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Reason').fill('Booked twice')
    await page.route('**/stays/*', (route) =>
      route.request().method() === 'PATCH' ? route.abort() : route.fallback(),
    )
    await enabled(dialog, 'Cancel the stay')
    await page.keyboard.press('Enter')
    await house.during(dialog.locator('.notice').last().waitFor())
    const { status, comment } = await stayOf(booking.stayId)
    assert.deepEqual([status, comment], ['Confirmed', null])
    await page.unroute('**/stays/*')
    const refusal = { code: 'no-lock', title: 'No lock', detail: 'Choose it at /setup#/locks.' }
    await page.route('**/stays/*', (route) =>
      route.request().method() === 'PATCH'
        ? route.fulfill({ status: 409, body: JSON.stringify({ errors: [refusal] }) })
        : route.fallback(),
    )
    await dialog.getByRole('button', { name: 'Cancel the stay' }).click()
    await dialog.getByRole('link', { name: '/setup#/locks' }).waitFor()
    await page.unroute('**/stays/*')
    await ask('PATCH', pathOf(booking), { comment: 'Comes by train' })
    await page.getByRole('button', { name: 'Cancel the stay' }).last().click()
    await house.during(dialog.getByText('Somebody else has changed this meanwhile').waitFor())
    await dialog.getByRole('button', { name: 'Write mine' }).click()
    await house.during(page.locator('#sheet .chip').getByText('Canceled').first().waitFor())
    assert.equal((await stayOf(booking.stayId)).comment, 'Comes by train\nCanceled: Booked twice')
    tab.expectClean(/ERR_FAILED|409|412/)
  })

  it('shows in red what ends a stay or a key, and nothing else', async () => {
    const late = await house.arrival()
    const booking = await house.arrival()
    await ask('POST', `${pathOf(booking)}/unit-assignment`, {})
    const page = await open(`stay/${booking.stayId}/c`)
    await page.getByRole('button', { name: 'Check in and make the card' }).click()
    await house.during(page.getByText('In hand').first().waitFor())
    const red = async () => (await page.locator('#sheet .button.danger > span').allInnerTexts()).toSorted()
    await house.during(page.getByRole('button', { name: 'Lost' }).waitFor())
    assert.deepEqual(await red(), ['Check out', 'Lost'])
    assert.equal(await page.locator('.card-way .steps').isVisible(), false, 'its steps are folded')
    await page.locator('.card-way summary').click()
    await page.locator('.card-way .steps').waitFor()
    await page.locator('.sheet-head').getByText('Keys: 1').waitFor()
    house.clock.set(house.clock.now() + 86_400_000)
    await page.goto(`${house.appliance.url}/desk#/stay/${late.stayId}`)
    await page.reload()
    await page.locator('#sheet').getByText(late.number, { exact: true }).waitFor()
    assert.deepEqual(await red(), ['Cancel the stay', 'No-show'])
    await page.keyboard.press('n')
    await page.getByLabel('Reason').fill('Not reached by telephone')
    await page.keyboard.press('Control+Enter')
    await house.during(page.locator('#sheet .chip').getByText('No-show').first().waitFor())
    const { status, comment } = await stayOf(late.stayId)
    assert.deepEqual([status, comment], ['NoShow', 'No-show: Not reached by telephone'])
    // The session of the day before has ended.
    tab.expectClean(/status of 401/)
  })

  for (const end of ['17:30', '23:59', `${drawn!.hour}:45`])
    it(`sells a room for a day use until ${end}`, async () => {
      const page = await open('walk-in')
      const today = (await house.ask('GET', '/api/v2/session')).body.data.attributes.time.slice(0, 10)
      await page.getByLabel('Last name').fill(`Day ${end}`)
      await page.getByLabel('Departure', { exact: true }).fill(today)
      await page.getByText('Write when the guest leaves today.').waitFor()
      await page.getByLabel('Leaves at').fill(end)
      await page.getByLabel('Card at').selectOption('')
      await house.during(page.getByRole('button', { name: /^Book and check in/ }).click())
      await house.during(page.locator('#sheet').getByText('day use').first().waitFor())
      const [, stayId] = /stay\/([^/]+)/.exec(page.url())!
      const { startDate, endDate, endTime, status, nights } = await stayOf(stayId!)
      assert.deepEqual([startDate, endDate, endTime, status, nights], [today, today, end, 'InHouse', 0])
      tab.expectClean()
    })
})
