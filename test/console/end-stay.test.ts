import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import fc, { seed } from '../seed.ts'
import { browserForSuite, type Tab, withoutBrowser } from './browser.ts'
import { type KioskHouse, kioskHouse, monday } from './kiosk-house.ts'

const [drawn] = fc.sample(fc.integer({ min: 1, max: 99_999 }), { numRuns: 1, seed })

/** The desk reads the fee before it ends a stay whose guest does not come: the guest is at the telephone. */
describe('the end of a stay whose guest does not come', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: KioskHouse
  let ratePlanId: string
  let tab: Tab
  before(async () => {
    house = await kioskHouse()
    ratePlanId = (await house.ask('GET', '/api/v2/rate-plans?page[size]=1')).body.data[0].id
  })
  after(() => house?.stop())
  afterEach(() => tab?.close())

  async function opened(stayId: string) {
    tab = await browser.openAgain(`${house.appliance.url}/desk#/stay/${stayId}`)
    await house.during(tab.page.getByRole('button', { name: cancel, exact: true }).first().click())
    return tab.page.getByRole('dialog')
  }

  /** The fee is charged and paid on the sheet. */
  async function pays(stayId: string, sum: string): Promise<void> {
    const sheet = tab.page.locator('#sheet')
    await house.during(sheet.getByRole('button', { name: 'Charge the fee' }).click())
    await house.during(sheet.getByText(`${sum} to pay`).waitFor())
    await sheet.getByRole('button', { name: 'Record a payment' }).click()
    await tab.page.getByRole('button', { name: 'Record', exact: true }).click()
    await house.during(sheet.getByText('Paid in full').waitFor())
    const { due, paid, outstanding, cancellationFee } = (await house.ask('GET', `/api/v2/stays/${stayId}`))
      .body.data.attributes
    const fee: number = cancellationFee.amount
    assert.deepEqual([due, paid, outstanding], [fee, fee, 0])
  }

  const cancel = 'Cancel the stay'
  const price = (cents: number) => ({ currency: 'EUR', amountWithTax: cents / 100 })
  const cases = [
    { what: 'a cancellation on the day of arrival', cents: 10_000, fee: 5_000 },
    { what: 'one of an odd price', cents: drawn!, fee: Math.round(drawn! / 2) },
    { what: 'a cancellation weeks before', cents: 10_000, from: 20, fee: 0 },
  ]
  for (const { what, cents, from = 0, fee } of cases)
    it(`says the fee of ${what}, which is the one that the box fixes`, async () => {
      const day = (days: number) =>
        new Date(Date.parse(monday) + (from + days) * 86_400_000).toISOString().slice(0, 10)
      const dates = { startDate: day(0), endDate: day(2) }
      const { stayId } = await house.arrival({ amount: price(cents), ratePlanId, ...dates })
      const dialog = await opened(stayId)
      const said = dialog.getByText(/^(A fee of .* is due now|No fee is due now)/)
      await house.during(said.waitFor())
      const text = await said.innerText()
      assert.equal(
        await house.ask('GET', `/api/v2/stays/${stayId}`).then(({ body }) => body.data.attributes.status),
        'Confirmed',
      )
      await dialog.getByLabel('Reason').fill('Ill')
      await house.during(dialog.getByRole('button', { name: cancel, exact: true }).click())
      await house.during(dialog.waitFor({ state: 'hidden' }))
      const { cancellationFee } = (await house.ask('GET', `/api/v2/stays/${stayId}`)).body.data.attributes
      const fixed: number = cancellationFee?.amount ?? 0
      assert.equal(fixed, fee)
      const sum = new Intl.NumberFormat('en', { style: 'currency', currency: 'EUR' }).format(fixed / 100)
      assert.match(text, fixed > 0 ? new RegExp(`A fee of ${sum.replace('.', '\\.')} is due now`) : /No fee/)
      if (fixed > 0) await pays(stayId, sum)
      tab.expectClean()
    })

  it('says nothing of a fee where the booking has no conditions', async () => {
    const { stayId } = await house.arrival({ amount: price(10_000) })
    const dialog = await opened(stayId)
    await dialog.getByLabel('Reason').waitFor()
    assert.doesNotMatch(await dialog.innerText(), /fee/i)
    tab.expectClean()
  })
})
