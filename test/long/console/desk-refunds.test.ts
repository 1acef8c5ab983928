import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { browserForSuite, type Tab, withoutBrowser } from '../../console/browser.ts'
import { type KioskHouse, kioskHouse } from '../../console/kiosk-house.ts'

/** What the desk does for a guest who has paid too much. */
describe('a refund at the desk', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: KioskHouse
  let tab: Tab
  before(async () => {
    house = await kioskHouse()
  })
  after(() => house?.stop())
  afterEach(() => tab?.close())

  async function open(screen: string): Promise<Page> {
    tab = await browser.open(`${house.appliance.url}/desk#/${screen}`)
    await tab.page.getByText('Connected', { exact: true }).waitFor()
    return tab.page
  }

  /** A guest in house who has paid 109.00 EUR, for a stay that costs 100.00 by now. */
  async function overpaid() {
    const { stayId, reservationId } = await house.arrival({ amount: { currency: 'EUR', amountWithTax: 109 } })
    const path = `/api/v2/reservations/${reservationId}/stays/${stayId}`
    const ask = async (method: string, at: string, body: object) => {
      const { status, text } = await house.ask(method, at, { body })
      assert.ok(status < 300, text)
    }
    await ask('POST', `${path}/actions/record-payment`, { currency: 'EUR', amount: 10_900, brand: 'Visa' })
    await ask('PATCH', path, { amount: { currency: 'EUR', amountWithTax: 100 } })
    return { stayId, ask, path }
  }

  it('is recorded in part, does not keep the guest, and is found by those who owe it', async () => {
    const { stayId, ask, path } = await overpaid()
    await ask('POST', `${path}/unit-assignment`, {})
    await ask('PATCH', path, { status: 'InHouse' })
    const page = await open(`stay/${stayId}`)
    const sees = (text: string | RegExp) =>
      house.during(page.locator('#sheet').getByText(text).first().waitFor())
    await sees('€9.00 to give back')
    await page.keyboard.press('p')
    const amount = page.getByLabel('Amount (EUR)')
    assert.equal(await amount.inputValue(), '9.00')
    await amount.fill('4.00')
    await page.getByLabel('Given back by').selectOption('Visa')
    await page.getByText('It moves no money, and no PMS receives it').waitFor()
    await page.getByRole('button', { name: 'Record', exact: true }).click()
    await sees('The refund of €4.00 is recorded.')
    await sees('€4.00 given back')
    await sees('Refund recorded: €4.00')

    await page.keyboard.press('o')
    const dialog = page.getByRole('dialog')
    await house.during(dialog.getByText('€5.00 to give back').waitFor())
    await dialog.getByRole('button', { name: 'Check out' }).click()
    await sees('Checked out')

    await page.goto(`${house.appliance.url}/desk#/today`)
    await page.locator('#sheet').waitFor({ state: 'detached' })
    await page.keyboard.press('4')
    const row = page.locator(`#row-${stayId}`)
    await house.during(row.getByText('€5.00 to give back').waitFor())
    assert.equal(await row.getByText('Checked out').count(), 1)
    await row.getByRole('link').click()
    await page.getByRole('button', { name: 'Record a refund' }).click()
    await page.getByRole('button', { name: 'Record', exact: true }).click()
    await sees('Paid in full')
    await house.during(row.waitFor({ state: 'hidden' }))
    await page.keyboard.press('Escape')
    await page.getByText('Nothing is to be given back.').waitFor()
    tab.expectClean()
  })

  it('that was a mistake is taken back', async () => {
    const { stayId } = await overpaid()
    const page = await open(`stay/${stayId}`)
    const sees = (text: string | RegExp) =>
      house.during(page.locator('#sheet').getByText(text).first().waitFor())
    await page.getByRole('button', { name: 'Record a refund' }).click()
    await page.getByRole('button', { name: 'Record', exact: true }).click()
    await sees('Paid in full')
    await page.getByRole('button', { name: 'Take back: €9.00 given back' }).click()
    await page.getByText('The amount is to be given back again.').waitFor()
    await page.getByRole('button', { name: 'Take back', exact: true }).last().click()
    await sees('The refund of €9.00 is taken back.')
    await sees('€9.00 to give back')
    await sees('Refund taken back: €9.00')
    tab.expectClean()
  })

  it('whose answer was lost is no refused one when the secret is asked again meanwhile', async () => {
    const { stayId } = await overpaid()
    const page = await open(`stay/${stayId}`)
    const sees = (text: string) => house.during(page.locator('#sheet').getByText(text).first().waitFor())
    await sees('€9.00 to give back')
    let answers = 0
    await page.route('**/actions/record-refund', async (route) => {
      if (++answers > 1) {
        house.clock.set(house.clock.now() + 6 * 60_000)
        return route.continue()
      }
      await route.fetch()
      return route.abort()
    })
    await page.getByRole('button', { name: 'Record a refund' }).click()
    await page.getByLabel('Amount (EUR)').fill('4.00')
    await page.getByRole('button', { name: 'Record', exact: true }).click()
    await sees('It is not known whether the refund of €4.00 was recorded. Looking')
    await sees('Look at the list of payments below')
    await sees('€4.00 given back')
    assert.equal(await page.getByText('The refund of €4.00 was not recorded').count(), 0)
    tab.expectClean(/ERR_FAILED|403/)
  })
})
