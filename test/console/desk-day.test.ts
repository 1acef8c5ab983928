import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { browserForSuite, type Tab, withoutBrowser } from './browser.ts'
import { type KioskHouse, kioskHouse } from './kiosk-house.ts'

/** The work of a day at the desk. Time stands still but where a test lets it go by, so that a card stays in mid-way. */
describe('a day at the desk', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: KioskHouse
  const tabs: Tab[] = []

  before(async () => {
    house = await kioskHouse()
  })
  after(() => house?.stop())
  afterEach(async () => {
    for (const tab of tabs.splice(0)) await tab.close()
  })

  async function open(screen: string): Promise<Page> {
    const tab = await browser.open(`${house.appliance.url}/desk#/${screen}`)
    tabs.push(tab)
    await tab.page.getByText('Line to the box: live').waitFor()
    return tab.page
  }
  const expectClean = (allowed?: RegExp) => {
    for (const tab of tabs) tab.expectClean(allowed)
  }
  const sees = (page: Page, text: string | RegExp) => house.during(page.getByText(text).first().waitFor())
  const keysOf = async (stayId: string) =>
    (await house.ask('GET', `/api/v2/access/keys?filter[stayId]=${stayId}&sort=createdAt`)).body.data
  const statusesOf = async (stayId: string): Promise<string[]> =>
    (await keysOf(stayId)).map(({ attributes }: { attributes: { status: string } }) => attributes.status)
  const stayOf = async (stayId: string) => (await house.ask('GET', `/api/v2/stays/${stayId}`)).body.data

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
    assert.equal((await stayOf(stayId)).attributes.status, 'InHouse')
    assert.deepEqual(await statusesOf(stayId), ['live'])
    expectClean()
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
    expectClean()
  })

  it('says that a card is not known, and makes sure of it', async () => {
    const { stayId } = await house.arrival({ status: 'Confirmed' })
    const page = await open(`stay/${stayId}/c`)
    for (let times = 0; times < 6; times++)
      house.lobby.devices.encoder.misbehaviours.push({ at: 'writeBlock', does: 'late' })
    await page.getByRole('button', { name: 'Check in and make the card' }).click()
    await sees(page, 'Not known')
    house.lobby.devices.encoder.misbehaviours.length = 0
    await page.reload()
    await page.getByText('Look before you repeat').waitFor()
    await page.getByRole('button', { name: 'Make sure' }).click()
    await sees(page, 'In hand')
    assert.deepEqual(
      (await statusesOf(stayId)).filter((each) => each === 'live'),
      ['live'],
    )
    expectClean(/502/)
  })

  it('says what a new first card ends, and keeps the focus in the sheet', async () => {
    const { stayId } = await house.arrival()
    const page = await open(`stay/${stayId}/c`)
    await page.getByRole('button', { name: 'Check in and make the card' }).click()
    await sees(page, 'In hand')
    await page.getByRole('button', { name: 'Done' }).click()
    await page.getByRole('button', { name: 'Make a new first card' }).click()
    await page.getByText('all cards of this room that were made before open nothing').waitFor()
    assert.deepEqual(await statusesOf(stayId), ['live'])
    await page.keyboard.press('Enter')
    await sees(page, 'In hand')
    assert.equal(await page.evaluate("document.activeElement.closest('#sheet') !== null"), true)
    assert.deepEqual(await statusesOf(stayId), ['superseded', 'live'])
    expectClean()
  })

  it('takes a payment and takes it back, and checks the guest out', async () => {
    const amount = { currency: 'EUR', amountWithTax: 100 }
    const { stayId } = await house.arrival({ amount })
    const page = await open(`stay/${stayId}/c`)
    await page.getByLabel('Card at').last().selectOption('')
    await page.getByRole('button', { name: 'Check in', exact: true }).last().click()
    await page.locator('#sheet').getByText('In house').waitFor()
    await page.keyboard.press('p')
    await page.getByLabel('Amount (EUR)').fill('40,00')
    await page.keyboard.press('Control+Enter')
    await page.getByText('The payment of €40.00 is recorded.').waitFor()
    await page.getByText('€60.00 to pay').first().waitFor()
    await page.getByRole('button', { name: 'Take back: €40.00' }).click()
    await page.getByRole('button', { name: 'Take back', exact: true }).last().click()
    await page.getByText('€100.00 to pay').first().waitFor()
    await page.keyboard.press('o')
    await page.getByRole('button', { name: 'Check out' }).last().click()
    await page.getByText('Record the payment first').waitFor()
    await page.keyboard.press('p')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Paid in full').waitFor()
    await page.keyboard.press('o')
    await page.keyboard.press('Enter')
    await page.locator('#sheet').getByText('Checked out').first().waitFor()
    const history = page.locator('.history li')
    await house.during(
      history.filter({ hasText: 'Payment taken back' }).filter({ hasText: 'by Ana' }).waitFor(),
    )
    await house.during(history.filter({ hasText: 'Checked out' }).filter({ hasText: 'by Ana' }).waitFor())
    expectClean(/422/)
  })

  it('asks once when somebody else has changed the same', async () => {
    const { stayId, reservationId } = await house.arrival()
    const page = await open(`stay/${stayId}`)
    await page.getByRole('button', { name: 'Change: Comment' }).click()
    await page.getByRole('textbox', { name: 'Comment' }).fill('Feather pillow')
    const { attributes } = await stayOf(stayId)
    const path = `/api/v2/reservations/${reservationId}/stays/${stayId}`
    await house.ask('PUT', path, { body: { ...attributes, comment: 'Late' } })
    await page.keyboard.press('Control+Enter')
    await page.getByText('Somebody else has changed this meanwhile').waitFor()
    await page.getByText('Now: Late').waitFor()
    await page.getByRole('button', { name: 'Write mine' }).click()
    await page.locator('#sheet p').getByText('Feather pillow').waitFor()
    assert.equal((await stayOf(stayId)).attributes.comment, 'Feather pillow')
    expectClean(/412/)
  })

  it('opens the stay that a kiosk has handed over by its code', async () => {
    const { stayId, number } = await house.arrival()
    const body = {
      data: { type: 'hand-over', attributes: { failure: 'dispenser-jam', step: 'card', language: 'de' } },
    }
    const made = await house.ask('POST', `/api/v2/stays/${stayId}/actions/hand-over`, { body })
    const page = await open('today')
    for (const key of ['/', ...made.body.data.attributes.code, 'Enter']) await page.keyboard.press(key)
    await page.locator('#sheet').getByText(number, { exact: true }).waitFor()
    expectClean()
  })

  it('sells the last room once, and keeps the form of the clerk who was second', async () => {
    const clerks = [await open('walk-in'), await open('walk-in')] as const
    const [room] = (await house.ask('GET', '/api/v2/units?filter[name]=101')).body.data
    await clerks[0].keyboard.press('Control+Enter')
    await clerks[0].locator('input[aria-invalid=true]:focus').waitFor()
    for (const page of clerks) {
      await page.getByLabel('Last name').fill('Okafor')
      await page.getByLabel('First name').fill('Ada')
      await page.getByLabel('Room', { exact: true }).selectOption(room.id)
    }
    const [first, second] = clerks
    await first.keyboard.press('Control+Enter')
    await sees(first, 'In hand')
    assert.equal(await first.getByText('Write the first and the last name.').count(), 0)
    await second.keyboard.press('Control+Enter')
    await second.getByText('Someone else was faster').first().waitFor()
    assert.equal(await second.getByLabel('Last name').inputValue(), 'Okafor')
    const stays = await house.ask('GET', '/api/v2/stays?filter[units.unitName]=101&filter[status]=InHouse')
    assert.equal(stays.body.data.length, 1)
    expectClean(/409|422/)
  })

  it('cancels a stay and expects it again', async () => {
    const { stayId } = await house.arrival()
    const page = await open(`stay/${stayId}`)
    await page.getByRole('button', { name: 'Cancel the stay' }).click()
    await page.getByText('A fee may be due').waitFor()
    await page.keyboard.press('Enter')
    await page.locator('#sheet .chip').getByText('Canceled').first().waitFor()
    assert.equal((await stayOf(stayId)).attributes.status, 'Canceled')
    await page.getByRole('button', { name: 'Expect again' }).click()
    await page.locator('#sheet .chip').getByText('Expected').waitFor()
    expectClean()
  })
})
