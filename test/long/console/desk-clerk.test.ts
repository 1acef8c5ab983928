import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { browserForSuite, type Tab, withoutBrowser } from '../../console/browser.ts'
import { type KioskHouse, kioskHouse } from '../../console/kiosk-house.ts'

/** What a clerk who does not know the desk types, presses and reads. */
describe('a clerk at the desk', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: KioskHouse
  let takenAfterMs: number | null
  let tab: Tab

  before(async () => {
    house = await kioskHouse()
    takenAfterMs = house.lobby.dispenser.takenAfterMs
  })
  after(() => house?.stop())
  afterEach(() => {
    house.lobby.laid = null
    house.lobby.dispenser.takenAfterMs = takenAfterMs
    return tab?.close()
  })

  async function open(screen: string): Promise<Page> {
    tab = await browser.open(`${house.appliance.url}/desk#/${screen}`)
    await tab.page.getByText('Connected', { exact: true }).waitFor()
    return tab.page
  }
  const sees = (page: Page, text: string | RegExp) => house.during(page.getByText(text).first().waitFor())
  const priced = { amount: { currency: 'EUR', amountWithTax: 218 } }
  const paymentsOf = async (reservationId: string): Promise<number[]> =>
    (await house.ask('GET', `/api/v2/payments?filter[reservationId]=${reservationId}`)).body.data.map(
      ({ attributes }: { attributes: { amount: number } }) => attributes.amount,
    )

  it('types the sum of a payment over the suggested one, and no sum with too many decimals', async () => {
    const { stayId, reservationId } = await house.arrival(priced)
    const page = await open(`stay/${stayId}`)
    await page.getByRole('button', { name: 'Record a payment' }).waitFor()
    await page.keyboard.press('p')
    const amount = page.getByLabel('Amount (EUR)')
    await amount.waitFor()
    await amount.fill('218.00100')
    await page.keyboard.press('Enter')
    await sees(page, 'Write the amount with digits, such as 109.00.')
    await page.keyboard.press('Escape')
    await page.keyboard.press('p')
    await amount.waitFor()
    for (const key of '100') await page.keyboard.press(key)
    assert.equal(await amount.inputValue(), '100')
    await page.keyboard.press('Enter')
    await sees(page, 'The payment of €100.00 is recorded.')
    await page.keyboard.press('p')
    await amount.fill('1 18,00')
    await page.keyboard.press('Enter')
    await sees(page, 'The payment of €118.00 is recorded.')
    assert.deepEqual((await paymentsOf(reservationId)).sort(), [10_000, 11_800])
    tab.expectClean()
  })

  it('reads that nobody has taken a card', async () => {
    const { stayId } = await house.arrival()
    house.lobby.dispenser.takenAfterMs = null
    const page = await open(`stay/${stayId}/c`)
    await page.getByRole('button', { name: 'Check in and make the card' }).click()
    await sees(page, 'The card was left in the machine. Its key is blocked.')
    tab.expectClean()
  })

  it('does not tell housekeeping for whom a card was not made', async () => {
    const { stayId } = await house.arrival()
    house.lobby.dispenser.takenAfterMs = null
    const page = await open(`stay/${stayId}/c`)
    await page.getByRole('button', { name: 'Check in and make the card' }).click()
    await sees(page, 'Not made')
    await page.goto(`${house.appliance.url}/desk#/rooms`)
    await sees(page, /^Card for Gästin/)
    await page.keyboard.press('g')
    await page.keyboard.press('l')
    await page.getByRole('button', { name: 'Someone else' }).click()
    await page.getByRole('button', { name: 'Ben' }).click()
    await page.getByRole('heading', { name: 'Rooms' }).waitFor()
    assert.equal(await page.getByText('Gästin').count(), 0)
    tab.expectClean(/403|502|503/)
  })

  it('copies the card of a walk-in by one key', async () => {
    const page = await open('walk-in')
    await page.getByRole('radio', { checked: true }).waitFor()
    await page
      .locator('.walk-in option')
      .filter({ hasText: /inspected|clean/ })
      .first()
      .waitFor({ state: 'attached' })
    await page.getByLabel('Last name').fill('Brandt')
    await page.getByLabel('First name').fill('Eva')
    await page.keyboard.press('Control+Enter')
    await sees(page, 'In hand')
    await page.getByRole('button', { name: 'Copy' }).waitFor()
    await page.keyboard.press('k')
    await sees(page, 'copy 1')
    assert.equal(await page.getByLabel('First name').inputValue(), '')
    tab.expectClean()
  })

  it('pays by Enter where a balance stands in the way of a check-out, and sees that it is recorded', async () => {
    const { stayId } = await house.arrival(priced)
    const page = await open(`stay/${stayId}/c`)
    await page.getByRole('button', { name: 'Check in and make the card' }).click()
    await sees(page, 'In hand')
    await page.keyboard.press('p')
    await page.getByLabel('Amount (EUR)').waitFor()
    for (const key of '118') await page.keyboard.press(key)
    await page.keyboard.press('Enter')
    await sees(page, 'The payment of €118.00 is recorded.')
    const said = page.getByText('The payment of €118.00 is recorded.')
    const { y, height } = (await said.boundingBox())!
    assert.ok(y > 0 && y + height < 800, `${y}`)
    await page.keyboard.press('o')
    await page.getByRole('dialog').getByText('to pay').waitFor()
    await page.keyboard.press('Control+Enter')
    await page.locator('#sheet').getByText('Checked out').first().waitFor()
    tab.expectClean(/422/)
  })

  it('reads of a card at hand which card it is, and whether it opens', async () => {
    const { stayId } = await house.arrival()
    const page = await open(`stay/${stayId}/c`)
    await page.getByRole('button', { name: 'Check in and make the card' }).click()
    await sees(page, 'In hand')
    const { dispenser } = house.lobby
    const old = dispenser.taken.at(-1)!
    await page.getByRole('button', { name: 'Make a new first card' }).click()
    await page.getByRole('button', { name: 'Make the card' }).click()
    await sees(page, 'replaced')
    await sees(page, 'In hand')
    const newest = dispenser.taken.at(-1)!
    const reads = async (card: typeof old) => {
      house.lobby.laid = card
      await page.keyboard.press('/')
      await page.locator('.results').getByRole('button', { name: 'Read the card at' }).click()
    }
    await reads(old)
    await sees(page, /^The card that was read: Room \d+, first card$/)
    await sees(page, /replaced\. It should open nothing any more, but may still open the door\./)
    await reads(newest)
    await sees(page, /^opens, until 3 Jun 11:00\.$/)
    assert.equal(await page.getByText('It should open nothing any more').count(), 0)
    await page.keyboard.press('Escape')
    await page.goBack()
    await page.getByRole('heading', { name: /^Gästin/ }).waitFor()
    assert.equal(await page.getByText('The card that was read').count(), 0)
    house.lobby.laid = null
    await page.keyboard.press('/')
    await page.locator('.results').getByRole('button', { name: 'Read the card at' }).click()
    await sees(page, 'No card was found within 1 s. Put it there, and try again.')
    tab.expectClean(/409|422|502/)
  })

  it('finds nobody, and goes on to a walk-in by Enter, but not with a number', async () => {
    const page = await open('today')
    for (const key of ['/', ...'102']) await page.keyboard.press(key)
    await sees(page, 'No stay is found by this name, number or room.')
    await page.keyboard.press('Enter')
    assert.equal(await page.getByRole('button', { name: 'Walk-in for' }).count(), 0)
    await page.keyboard.press('Control+a')
    for (const key of 'zzyx') await page.keyboard.press(key)
    await page.getByRole('button', { name: 'Walk-in for “zzyx”' }).getByText('Enter').waitFor()
    await page.keyboard.press('Enter')
    assert.equal(await page.getByLabel('Last name').inputValue(), 'zzyx')
    tab.expectClean()
  })

  it('sees the next step of each guest on a tablet, in French', async () => {
    await house.arrival()
    const page = await open('today')
    const speaks = async (language: string): Promise<void> => {
      for (const { id } of (await house.ask('GET', '/api/config/v1/accounts')).body.data)
        await house.ask('PATCH', `/api/config/v1/accounts/${id}`, { body: { language } })
    }
    await speaks('fr')
    await page.setViewportSize({ width: 1024, height: 768 })
    await page.reload()
    await page.getByRole('heading', { name: 'Aujourd’hui' }).waitFor()
    const step = page.locator('.today td:last-child .button').first()
    await step.waitFor()
    const { x, width } = (await step.boundingBox())!
    await speaks('en')
    assert.ok(x + width <= 1024, `${x + width}`)
    tab.expectClean()
  })

  it('chooses rooms that stay where they are, and are never below the buttons', async () => {
    const page = await open('rooms')
    const room = page.getByRole('button', { name: /^102/ })
    const before = await room.boundingBox()
    await room.click()
    await page.getByText('1 room chosen').waitFor()
    assert.deepEqual(await room.boundingBox(), before)
    for (let moves = 0; moves < 25; moves++) await page.keyboard.press('ArrowRight')
    const isSeen = await page.evaluate<boolean>(`{
      const { left, bottom } = document.activeElement.getBoundingClientRect()
      document.activeElement.contains(document.elementFromPoint(left + 20, bottom - 5))
    }`)
    assert.ok(isSeen)
    tab.expectClean()
  })

  it('reads before that a card for the staff is not made while the card of a guest opens the room', async () => {
    const { stayId } = await house.arrival()
    const page = await open(`stay/${stayId}/c`)
    await page.getByRole('button', { name: 'Check in and make the card' }).click()
    await sees(page, 'In hand')
    const { units } = (await house.ask('GET', `/api/v2/stays/${stayId}`)).body.data.attributes
    await page.goto(`${house.appliance.url}/desk#/rooms`)
    const dialog = page.getByRole('dialog')
    const asks = async (room: RegExp): Promise<void> => {
      await page.getByRole('button', { name: room }).click()
      await page.keyboard.press('k')
      await dialog.getByText('This card opens the room once').waitFor()
    }
    await asks(/^110/)
    assert.equal(await dialog.getByText('A guest is in this room.').count(), 0)
    await page.keyboard.press('Escape')
    await page.keyboard.press('Escape')
    await asks(new RegExp(`^${units[0].unitName}`))
    await dialog.getByText('A guest is in this room.').waitFor()
    tab.expectClean()
  })
})
