import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { browserForSuite, enabled, type Tab, withoutBrowser } from '../../console/browser.ts'
import { type KioskHouse, kioskHouse } from '../../console/kiosk-house.ts'

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
    await tab.page.getByText('Connected', { exact: true }).waitFor()
    assert.equal(await tab.page.locator('.opening').isVisible(), false, 'the opening still fills the screen')
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
    await page.getByText('all cards of this room that were made before no longer open it').waitFor()
    assert.deepEqual(await statusesOf(stayId), ['live'])
    await page.keyboard.press('Enter')
    await sees(page, 'In hand')
    assert.equal(await page.evaluate("document.activeElement.closest('#sheet') !== null"), true)
    assert.deepEqual(await statusesOf(stayId), ['superseded', 'live'])
    const history = page.locator('.history li')
    await house.during(history.getByText(/^Key replaced by a newer one: \d+ first card$/).waitFor())
    await house.during(history.getByText(/^Room assigned: \d+$/).waitFor())
    const rooms = (await house.ask('GET', '/api/v2/access/units-with-older-keys')).body.data
    // A card may be listed at its room and at common doors.
    const cards = new Set(
      rooms.flatMap(({ attributes }: { attributes: { keys: { keyId: string }[] } }) =>
        attributes.keys.map(({ keyId }) => keyId),
      ),
    ).size
    await house.during(page.getByRole('link', { name: `Cards that may still open: ${cards}` }).click())
    await page.getByText('Open it once with the newest card').first().waitFor()
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
    await page.getByText('The payment of €40.00 is taken back.').waitFor()
    assert.equal(await page.getByText('is recorded').count(), 0)
    await page.keyboard.press('o')
    await page.getByText('Take the payment before the guest leaves.').waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('p')
    await enabled(page.getByRole('dialog'), 'Record')
    await page.keyboard.press('Control+Enter')
    await page.getByText('Paid in full').waitFor()
    await page.keyboard.press('o')
    await page.keyboard.press('Enter')
    await page.locator('#sheet').getByText('Checked out').first().waitFor()
    const history = page.locator('.history li')
    await house.during(
      history.filter({ hasText: 'Payment taken back: €40.00' }).filter({ hasText: 'by Ana' }).waitFor(),
    )
    await house.during(history.filter({ hasText: 'Checked out' }).filter({ hasText: 'by Ana' }).waitFor())
    expectClean(/422/)
  })

  it('asks once when somebody else has changed the same, and corrects a name in sheet and list', async () => {
    const { stayId, reservationId, number } = await house.arrival()
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
    const row = page.locator(`#row-${stayId}`)
    await row.getByText(`Gästin${number}, Lucia`).waitFor()
    await page.getByRole('button', { name: 'Guests', exact: true }).click()
    await page
      .getByRole('button', { name: /^Correct the name/ })
      .first()
      .click()
    await page.getByLabel('Last name').fill('Müller')
    await page.keyboard.press('Enter')
    await page.locator('#sheet h2').getByText('Müller, Lucia').waitFor()
    await house.during(row.getByText('Müller, Lucia').waitFor())
    expectClean(/412/)
  })

  it('shows and sounds for a guest whom a kiosk has handed over, until somebody has helped', async () => {
    const { stayId, number } = await house.arrival()
    const handedOver = async (id: string): Promise<string> => {
      const attributes = { failure: 'dispenser-jam', step: 'card', language: 'de' }
      const body = { data: { type: 'hand-over', attributes } }
      const made = await house.ask('POST', `/api/v2/stays/${id}/actions/hand-over`, { body })
      return made.body.data.attributes.code
    }
    const page = await open('today')
    await page.evaluate(`{
      globalThis.sounds = 0
      const start = OscillatorNode.prototype.start
      OscillatorNode.prototype.start = function (...at) { sounds++; return start.apply(this, at) }
    }`)
    await page.keyboard.press('Shift')
    await page.keyboard.press('1')
    const code = await handedOver(stayId)
    await house.during(page.getByText(`Code ${code}.`).waitFor())
    await page.getByText('The kiosk could not make the card.').waitFor()
    assert.equal(await page.evaluate('sounds'), 2)
    for (const key of ['/', ...code, 'Enter']) await page.keyboard.press(key)
    await page.locator('#sheet').getByText(number, { exact: true }).waitFor()
    await page.getByRole('button', { name: 'Sound for a waiting guest: on' }).click()
    await page.getByRole('button', { name: 'Sound for a waiting guest: off' }).waitFor()
    const second = await handedOver((await house.arrival()).stayId)
    await house.during(page.getByText(`Code ${second}.`).waitFor())
    assert.equal(await page.evaluate('sounds'), 2)
    const hasGone = (each: string) =>
      house.during(page.getByText(`Code ${each}.`).waitFor({ state: 'detached' }))
    // The sheet of the first guest is still open.
    await page.locator('#sheet').getByRole('button', { name: 'Release to the kiosk' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Release to the kiosk' }).click()
    await house.during(page.getByText('Released for 15 minutes.').waitFor())
    await hasGone(code)
    await page.getByRole('button', { name: `The guest was helped: ${second}` }).click()
    await hasGone(second)
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
    assert.equal(await first.getByText('Write the last name.').count(), 0)
    await second.keyboard.press('Control+Enter')
    await second.getByText('Someone else was faster').first().waitFor()
    assert.equal(await second.getByLabel('Last name').inputValue(), 'Okafor')
    const stays = await house.ask('GET', '/api/v2/stays?filter[units.unitName]=101&filter[status]=InHouse')
    assert.equal(stays.body.data.length, 1)
    expectClean(/409|422/)
  })

  it('cancels a stay, says the fee, and expects it again', async () => {
    const [plan] = (await house.ask('GET', '/api/v2/rate-plans?page[size]=1')).body.data
    const amount = { currency: 'EUR', amountWithTax: 100 }
    const { stayId } = await house.arrival({ amount, ratePlanId: plan.id })
    const page = await open(`stay/${stayId}`)
    await page.getByRole('button', { name: 'Cancel the stay' }).click()
    await page.getByText('A fee of €50.00 is due now').waitFor()
    await page.getByText('Conditions: Free of charge until the day before arrival').waitFor()
    await page.getByLabel('Reason').fill('Ill')
    await page.keyboard.press('Enter')
    await page.locator('#sheet .chip').getByText('Canceled').first().waitFor()
    await page.getByText('Fee by the conditions of the booking: €50.00').waitFor()
    assert.equal((await stayOf(stayId)).attributes.status, 'Canceled')
    await page.getByRole('button', { name: 'Expect again' }).click()
    await page.locator('#sheet .chip').getByText('Expected').waitFor()
    expectClean()
  })

  it('says that a dispenser without cards has a fault, and what a person does', async () => {
    const { stack } = house.lobby.dispenser
    const cards = stack.splice(0)
    const page = await open('devices')
    const tile = page.getByRole('article', { name: 'Lobby dispenser' })
    await house.during(tile.getByText('has a fault').waitFor())
    await tile.getByText('Report how many you filled in.', { exact: true }).waitFor()
    assert.doesNotMatch(await page.innerText('main'), /actions\//)
    stack.push(...cards)
    await house.during(tile.getByText('in operation').waitFor())
    expectClean()
  })
})
