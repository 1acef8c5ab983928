import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import fc, { seed } from '../seed.ts'
import { browserForSuite, type Tab, withoutBrowser } from './browser.ts'
import { type KioskHouse, kioskHouse } from './kiosk-house.ts'

const brands = ['Cash', 'Visa', 'MasterCard', 'GiroCard', 'BankTransfer', 'Invoice', 'Voucher']
const [drawn] = fc.sample(
  fc.record({ cents: fc.integer({ min: 1, max: 99_999 }), brand: fc.constantFrom(...brands) }),
  { numRuns: 1, seed },
)
const euros = (cents: number) => (cents / 100).toFixed(2)
const shown = (cents: number) =>
  new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' }).format(cents / 100)

/** A check-out with a balance: one dialogue, one confirmation. */
describe('a check-out with a balance', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: KioskHouse
  let tab: Tab
  before(async () => {
    house = await kioskHouse()
    // The guests of one test leave dirty rooms to the next.
    await set({ assignableStatuses: ['Dirty', 'Clean', 'Inspected'] })
  })
  after(() => house?.stop())
  afterEach(() => tab?.close())

  async function ask(method: string, path: string, body: object) {
    const reply = await house.ask(method, path, { body })
    assert.ok(reply.status < 300, reply.text)
    return reply.body
  }

  async function set(settings: object): Promise<void> {
    const [{ id }] = (await house.ask('GET', '/api/config/v1/settings')).body.data
    await ask('PATCH', `/api/config/v1/settings/${id}`, settings)
  }

  /** A guest in house whose stay costs `due` cents, and who has paid `paid` cents for it. */
  async function inHouse(due: number, paid = 0) {
    const amount = (cents: number) => ({ amount: { currency: 'EUR', amountWithTax: cents / 100 } })
    const { stayId, reservationId } = await house.arrival(amount(Math.max(due, paid)))
    const path = `/api/v2/reservations/${reservationId}/stays/${stayId}`
    if (paid > 0)
      await ask('POST', `${path}/actions/record-payment`, { currency: 'EUR', amount: paid, brand: 'Visa' })
    await ask('PATCH', path, amount(due))
    await ask('POST', `${path}/unit-assignment`, {})
    await ask('PATCH', path, { status: 'InHouse' })
    return { stayId, path }
  }

  async function opened(stayId: string): Promise<{ page: Page; dialog: Locator }> {
    tab = await browser.openAgain(`${house.appliance.url}/desk#/stay/${stayId}`)
    const { page } = tab
    await page.getByText('Connected', { exact: true }).waitFor()
    await house.during(page.getByRole('button', { name: /^Check out/ }).click())
    return { page, dialog: page.getByRole('dialog') }
  }
  const isOut = (page: Page) =>
    house.during(page.locator('#sheet').getByText('Checked out').first().waitFor())
  const press = (dialog: Locator, name: string) =>
    house.during(dialog.getByRole('button', { name, exact: true }).click())

  async function booksOf(stayId: string) {
    const { body } = await house.ask('GET', `/api/v2/payments?filter[stayId]=${stayId}&sort=createdAt`)
    const all: { attributes: { kind: string; amount: number; brand: string } }[] = body.data
    const stay = (await house.ask('GET', `/api/v2/stays/${stayId}`)).body.data.attributes
    return {
      payments: all.map(({ attributes: { kind, amount, brand } }) => `${kind} ${amount} ${brand}`),
      status: stay.status,
      outstanding: stay.outstanding,
      comment: stay.comment,
    }
  }

  for (const { cents, brand } of [
    { cents: 10_900, brand: 'Cash' },
    { cents: 1, brand: 'Visa' },
    { cents: 123_456, brand: 'Invoice' },
    drawn!,
  ]) {
    it(`of ${cents} cents to pay records them as ${brand} and checks out`, async () => {
      const { stayId } = await inHouse(cents)
      const { page, dialog } = await opened(stayId)
      await house.during(dialog.getByText(`${shown(cents)} to pay`).waitFor())
      await dialog.getByLabel('Paid with').selectOption(brand)
      assert.equal(await dialog.getByRole('option', { name: 'Leave it open' }).count(), 0)
      await press(dialog, `Take ${shown(cents)} and check out`)
      await isOut(page)
      assert.deepEqual(await booksOf(stayId), {
        payments: [`Payment ${cents} ${brand}`],
        status: 'CheckedOut',
        outstanding: 0,
        comment: null,
      })
      tab.expectClean(/422/)
    })
  }

  it('is paid in two ways, one after the other', async () => {
    const { stayId } = await inHouse(10_900)
    const { page, dialog } = await opened(stayId)
    await dialog.getByLabel('Amount (EUR)').fill('109.01')
    await dialog.getByText('At most €109.00.').waitFor()
    await dialog.getByLabel('Amount (EUR)').fill('50')
    await press(dialog, 'Take €50.00')
    await house.during(dialog.getByText('€59.00 to pay').waitFor())
    await dialog.getByText('The payment of €50.00 is recorded.').waitFor()
    await dialog.getByLabel('Paid with').selectOption('Visa')
    await press(dialog, 'Take €59.00 and check out')
    await isOut(page)
    const { payments, outstanding } = await booksOf(stayId)
    assert.deepEqual([payments, outstanding], [['Payment 5000 Cash', 'Payment 5900 Visa'], 0])
    tab.expectClean(/422/)
  })

  for (const [way, button, payments, outstanding] of [
    ['Cash', 'Give back €9.00 and check out', ['Payment 10900 Visa', 'Refund 900 Cash'], 0],
    ['Give it back later', 'Check out', ['Payment 10900 Visa'], -900],
  ] as const) {
    it(`of money to give back: ${way}`, async () => {
      const { stayId } = await inHouse(10_000, 10_900)
      const { page, dialog } = await opened(stayId)
      await house.during(dialog.getByText('€9.00 to give back').waitFor())
      await dialog.getByLabel('Given back by').selectOption(way)
      await press(dialog, button)
      await isOut(page)
      const books = await booksOf(stayId)
      assert.deepEqual([books.payments, books.outstanding], [payments, outstanding])
      tab.expectClean()
    })
  }

  /** Refuses the first check-out of a stay. */
  async function refuseOnce(page: Page, path: string): Promise<void> {
    let refusals = 0
    await page.route(`**${path}`, (route) => {
      if (route.request().method() !== 'PATCH' || refusals++ > 0) return route.continue()
      return route.fulfill({
        status: 409,
        contentType: 'application/vnd.api+json',
        body: JSON.stringify({
          errors: [{ status: '409', code: 'stay-status-transition', title: 'Refused', detail: 'Not now.' }],
        }),
      })
    })
  }

  it('whose payment had no answer at first says that it is recorded, also when the second half fails', async () => {
    const { stayId, path } = await inHouse(10_900)
    const { page, dialog } = await opened(stayId)
    await refuseOnce(page, path)
    let lost = 0
    await page.route('**/actions/record-payment', async (route) => {
      if (lost++ > 0) return route.continue()
      await route.fetch()
      return route.abort()
    })
    await press(dialog, 'Take €109.00 and check out')
    await house.during(dialog.getByText('The payment of €109.00 is recorded.').waitFor())
    await press(dialog, 'Check out')
    await house.during(dialog.getByText('Not now.').waitFor())
    await dialog.getByText('The guest is not checked out yet').waitFor()
    await press(dialog, 'Check out')
    await isOut(page)
    assert.deepEqual((await booksOf(stayId)).payments, ['Payment 10900 Cash'])
    tab.expectClean(/409|422|ERR_FAILED/)
  })

  it('asks for the balance again when the payment of its first half is taken back meanwhile', async () => {
    const { stayId, path } = await inHouse(10_900)
    const { page, dialog } = await opened(stayId)
    await refuseOnce(page, path)
    await press(dialog, 'Take €109.00 and check out')
    await house.during(dialog.getByText('The guest is not checked out yet').waitFor())
    const [{ id }] = (await house.ask('GET', `/api/v2/payments?filter[stayId]=${stayId}`)).body.data
    assert.equal((await house.ask('DELETE', `/api/v2/payments/${id}`)).status, 204)
    await house.during(dialog.getByText('€109.00 to pay').waitFor())
    await press(dialog, 'Take €109.00 and check out')
    await isOut(page)
    assert.deepEqual((await booksOf(stayId)).outstanding, 0)
    tab.expectClean(/409|422/)
  })

  it('whose second half fails says what was done, and goes on there', async () => {
    const { stayId, path } = await inHouse(10_900)
    const { page, dialog } = await opened(stayId)
    await refuseOnce(page, path)
    await dialog.getByLabel('Paid with').selectOption('Visa')
    await press(dialog, 'Take €109.00 and check out')
    await house.during(dialog.getByText('The guest is not checked out yet').waitFor())
    await dialog.getByText('The payment of €109.00 is recorded.').waitFor()
    await dialog.getByText('Not now.').waitFor()
    assert.equal((await booksOf(stayId)).status, 'InHouse')
    await press(dialog, 'Check out')
    await isOut(page)
    const { payments, outstanding } = await booksOf(stayId)
    assert.deepEqual([payments, outstanding], [['Payment 10900 Visa'], 0])
    tab.expectClean(/409|422/)
  })

  it('whose first half fails changes nothing, and says so', async () => {
    const { stayId, path } = await inHouse(10_900)
    const { page, dialog } = await opened(stayId)
    await house.during(dialog.getByLabel('Paid with').waitFor())
    await ask('POST', `${path}/actions/record-payment`, { currency: 'EUR', amount: 900, brand: 'Cash' })
    await page.route('**/actions/record-payment', (route) =>
      route.fulfill({
        status: 422,
        contentType: 'application/vnd.api+json',
        body: JSON.stringify({
          errors: [
            { status: '422', code: 'payment-exceeds-outstanding', title: 'Refused', detail: 'Too much.' },
          ],
        }),
      }),
    )
    await house.during(dialog.getByText('€100.00 to pay').waitFor())
    await press(dialog, 'Take €100.00 and check out')
    await house.during(dialog.getByText('No money was recorded, and the guest is not checked out.').waitFor())
    await dialog.getByText('Too much.').waitFor()
    const { payments, status } = await booksOf(stayId)
    assert.deepEqual([payments, status], [['Payment 900 Cash'], 'InHouse'])
    tab.expectClean(/422/)
  })

  it('is left open with a reason where the house allows it', async () => {
    await set({ allowOpenBalance: true })
    const { stayId } = await inHouse(10_900)
    const { page, dialog } = await opened(stayId)
    await house.during(dialog.getByRole('option', { name: 'Leave it open' }).waitFor({ state: 'attached' }))
    await dialog.getByLabel('Paid with').selectOption('Leave it open')
    const leave = dialog.getByRole('button', { name: 'Leave €109.00 open and check out' })
    assert.ok(await leave.isDisabled(), 'a reason is needed')
    await dialog.getByLabel('Why is it left open?').fill('The company pays')
    await leave.click()
    await isOut(page)
    assert.deepEqual(await booksOf(stayId), {
      payments: [],
      status: 'CheckedOut',
      outstanding: 10_900,
      comment: '€109.00 left open at check-out: The company pays',
    })
    await set({ allowOpenBalance: false })
    tab.expectClean()
  })

  for (const [what, amount, left] of [
    ['all', '109.00', null],
    ['a cent', '0.01', '108.99'],
    ['a drawn part', euros((drawn!.cents % 10_800) + 1), euros(10_900 - (drawn!.cents % 10_800) - 1)],
  ] as const) {
    it(`has ${what} of a payment given back before, with its method and a reason`, async () => {
      const { stayId } = await inHouse(10_900, 10_900)
      tab = await browser.openAgain(`${house.appliance.url}/desk#/stay/${stayId}`)
      const { page } = tab
      const sheet = page.locator('#sheet')
      await house.during(sheet.getByRole('button', { name: 'Give back: €109.00' }).click())
      const dialog = page.getByRole('dialog')
      assert.equal(await dialog.getByLabel('Amount (EUR)').inputValue(), '109.00')
      await dialog.getByLabel('Amount (EUR)').fill(amount)
      await dialog.getByLabel('Given back by').selectOption('Visa')
      const give = dialog.getByRole('button', { name: `Give back €${amount}` })
      assert.ok(await give.isDisabled(), 'a reason is needed')
      await dialog.getByLabel('Why is it given back?').fill('Room without water')
      await give.click()
      await house.during(sheet.getByText(`The refund of €${amount} is recorded.`).waitFor())
      await house.during(sheet.getByText(`€${amount} given back`).waitFor())
      await sheet.getByText(', Room without water').waitFor()
      await house.during(sheet.getByText(`€${amount} to pay`).first().waitFor())
      await house.during(sheet.getByText(`Refund recorded: €${amount}`).waitFor())
      assert.equal(await sheet.getByRole('button', { name: 'Take back: €109.00', exact: true }).count(), 0)
      const again = sheet.getByRole('button', { name: 'Give back: €109.00' })
      assert.equal(await again.count(), left === null ? 0 : 1)
      if (left !== null) {
        await again.click()
        await dialog.getByText(`Of this payment, €${left} can be given back.`).waitFor()
      }
      tab.expectClean()
    })
  }
})
