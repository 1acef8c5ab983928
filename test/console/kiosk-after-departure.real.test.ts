import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { browserForSuite, withoutBrowser } from './browser.ts'
import { guestAt, type KioskHouse, kioskHouse, monday } from './kiosk-house.ts'

/** It is 17:00, six hours after check-out time. */
describe('a guest at the kiosk whose departure has come', { skip: withoutBrowser }, () => {
  let house: KioskHouse
  const browser = browserForSuite()
  before(async () => {
    house = await kioskHouse()
  })
  after(() => house.stop())

  it('gets a code before the payment, and goes on there when the clerk has set a later departure', async () => {
    const amount = { currency: 'EUR', amountWithTax: 90 }
    const { number, stayId } = await house.arrival({ startDate: '2026-05-31', endDate: monday, amount })
    const stay = async () => (await house.ask('GET', `/api/v2/stays/${stayId}`)).body.data.attributes
    const guest = await guestAt(house, browser)
    await guest.entersNumber(number)
    await guest.reads('The time of departure of this booking has come')
    await guest.reads(/Your code is \d{4}/)
    assert.partialDeepStrictEqual(await stay(), { status: 'Confirmed', paid: 0 })

    const tab = await browser.open(`${house.appliance.url}/desk`)
    const { page } = tab
    await page.getByText('The departure of the stay has come. Set a later one').waitFor()
    await page.getByRole('button', { name: /^Open the guest/ }).click()
    await page
      .getByRole('button', { name: /^Check in/ })
      .first()
      .click()
    await page.getByText('a card would not open').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: /^Extend or shorten/ }).click()
    await page.getByLabel('Leaves at').fill('20:00')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByLabel('Leaves at').waitFor({ state: 'hidden' })
    assert.partialDeepStrictEqual(await stay(), { endDate: monday, endTime: '20:00' })

    await guest.page.getByRole('button', { name: 'Start again' }).click()
    await guest.entersNumber(number)
    await guest.wantsKey()
    await guest.presses('Pay here by card')
    await guest.reads('Enjoy your stay.')
    assert.partialDeepStrictEqual(await stay(), { status: 'InHouse', outstanding: 0, keys: { live: 1 } })
    guest.tab.expectClean()
    tab.expectClean()
    await Promise.all([guest.tab.close(), tab.close()])
  })
})
