import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { browserForSuite, type Tab, withoutBrowser } from './browser.ts'
import { type KioskHouse, kioskHouse } from './kiosk-house.ts'

/** A guest is checked in and gets a card. The long tests have the rest of a day at the desk. */
describe('a check-in at the desk', { skip: withoutBrowser }, () => {
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
    await tab.page.getByText('Line to the box: live').waitFor()
    return tab.page
  }
  const sees = (page: Page, text: string) => house.during(page.getByText(text).first().waitFor())
  const keysOf = async (stayId: string) =>
    (await house.ask('GET', `/api/v2/access/keys?filter[stayId]=${stayId}`)).body.data
  const statusesOf = async (stayId: string): Promise<string[]> =>
    (await keysOf(stayId)).map(({ attributes }: { attributes: { status: string } }) => attributes.status)

  it('checks a guest in with card by seven keystrokes', async () => {
    const { stayId, number } = await house.arrival()
    const page = await open('today')
    const strokes = ['/', ...number.toLowerCase(), 'Enter']
    for (const key of strokes) await page.keyboard.press(key)
    await page.locator('#sheet').getByText(number, { exact: true }).waitFor()
    await page.keyboard.press('c')
    await page.getByRole('button', { name: 'Check in and make the card' }).waitFor()
    await page.keyboard.press('Enter')
    assert.ok(strokes.length + 2 <= 9, `${strokes.length + 2} keystrokes`)
    await sees(page, 'In hand')
    const { attributes } = (await house.ask('GET', `/api/v2/stays/${stayId}`)).body.data
    assert.equal(attributes.status, 'InHouse')
    assert.deepEqual(await statusesOf(stayId), ['live'])
    tab.expectClean()
  })

  it('makes no second card when the page is loaded anew in mid-card', async () => {
    const { stayId } = await house.arrival()
    const page = await open(`stay/${stayId}/c`)
    await page.getByRole('button', { name: 'Check in and make the card' }).click()
    while ((await keysOf(stayId)).length === 0);
    await page.reload()
    await page.getByText('Card fed').waitFor()
    await sees(page, 'In hand')
    assert.deepEqual(await statusesOf(stayId), ['live'])
    assert.equal(
      await page.evaluate('Object.keys(sessionStorage).filter((key) => /card/.test(key)).length'),
      0,
    )
    tab.expectClean()
  })

  it('shows and records money with the decimals of the server, which the browser does not have', async () => {
    const amount = { currency: 'HUF', amountWithTax: 25_000 }
    const { stayId } = await house.arrival({ amount })
    const page = await open(`stay/${stayId}`)
    await sees(page, 'HUF 25,000.00 to pay')
    await page.getByRole('button', { name: 'Record a payment' }).click()
    const field = page.getByLabel('Amount (HUF)')
    assert.equal(await field.inputValue(), '25000.00')
    await field.fill('25.000')
    await sees(page, 'Write the amount with digits, such as 109.00.')
    await field.fill('25000')
    await page.getByLabel('Amount (HUF)').press('Enter')
    await sees(page, 'Recorded')
    const { data } = (await house.ask('GET', `/api/v2/payments?filter[stayId]=${stayId}`)).body
    assert.deepEqual(
      data.map(({ attributes }: { attributes: { amount: number } }) => attributes.amount),
      [2_500_000],
    )
    const stay = (await house.ask('GET', `/api/v2/stays/${stayId}`)).body.data.attributes
    assert.deepEqual([stay.due, stay.paid, stay.outstanding], [2_500_000, 2_500_000, 0])
    tab.expectClean()
  })
})
