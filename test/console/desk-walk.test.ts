import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import type { Page } from 'playwright-core'
import { askAt } from '../appliance.ts'
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
    await tab.page.getByText('Connected', { exact: true }).waitFor()
    return tab.page
  }
  const sees = (page: Page, text: string) => house.during(page.getByText(text).first().waitFor())
  const keysOf = async (stayId: string) =>
    (await house.ask('GET', `/api/v2/access/keys?filter[stayId]=${stayId}`)).body.data
  const statusesOf = async (stayId: string): Promise<string[]> =>
    (await keysOf(stayId)).map(({ attributes }: { attributes: { status: string } }) => attributes.status)

  it('checks a guest in with card by seven keystrokes, and into a room of another type with a new card', async () => {
    const { stayId, number } = await house.arrival({ amount: { currency: 'EUR', amountWithTax: 218 } })
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

    const [before] = attributes.units
    const types = (await house.ask('GET', '/api/v2/unit-types?sort=name')).body.data
    const other = types.find(({ id }: { id: string }) => id !== before.unitTypeId)
    await page.keyboard.press('m')
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Type of room').selectOption(other.id)
    await dialog.getByText('it stays €218.00 unless').waitFor()
    await dialog.getByLabel('Price of the whole stay (EUR)').fill('250')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    const moved = (await house.ask('GET', `/api/v2/stays/${stayId}`)).body.data.attributes
    assert.deepEqual([moved.units[0].unitTypeId, moved.amount.amountWithTax], [other.id, 250])
    const [{ unitName }] = moved.units
    await sees(page, `${unitName} first card`)
    await house.during(page.locator('#sheet').getByText('opens', { exact: true }).waitFor())
    const keys: Key[] = await keysOf(stayId)
    const live = keys.filter(({ attributes: { status } }) => status === 'live')
    assert.deepEqual(
      live.map(({ attributes }) => attributes.unitName),
      [unitName],
    )
    tab.expectClean(/status of (409|412)/)
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
    const { terminal } = house.lobby
    terminal.guest = 'wait'
    const pay = `/api/v2/stays/${stayId}/actions/pay-at-terminal`
    const paying = askAt(house.appliance.url, 'POST', pay)
    while (terminal.waiting.size === 0) await setImmediate()
    const page = await open(`stay/${stayId}`)
    // Time stands still, so that the terminal does not give up before.
    await page.getByText('A payment of HUF 25,000.00 is under way at the terminal.').waitFor()
    await page.getByText('Lobby terminal, since 1 Jun ').waitFor()
    await page.getByRole('button', { name: 'Cancel this payment' }).click()
    await sees(page, 'The payment of HUF 25,000.00 is canceled at the terminal. Nothing was charged.')
    assert.equal((await paying).body.errors[0].meta.reason, 'canceled')
    terminal.guest = 'pay'
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

  it('ends its messages, keeps its refusals, and announces nothing twice', async () => {
    const { stayId, reservationId } = await house.arrival()
    const page = await open(`stay/${stayId}`)
    await page.clock.install()
    await page.reload()
    const released = page.getByText('Released for 15 minutes')
    const release = async () => {
      await page.getByRole('button', { name: 'Release to the kiosk' }).click()
      await page.getByRole('dialog').getByRole('button', { name: 'Release to the kiosk' }).click()
      await house.during(released.waitFor())
    }
    await release()
    assert.equal(await page.title(), 'Today - Front desk')
    await page.clock.fastForward(8_500)
    await house.during(released.waitFor({ state: 'detached' }))
    await release()
    await page.getByRole('button', { name: 'Extend or shorten' }).click()
    await house.during(released.waitFor({ state: 'detached' }))
    await page.keyboard.press('Escape')

    const path = `/api/v2/reservations/${reservationId}/stays/${stayId}`
    const assigned = await house.ask('POST', `${path}/unit-assignment`)
    assert.equal(assigned.status, 200, assigned.text)
    const [unit] = assigned.body.data.attributes.units
    const out = async (status: string, more: object = {}) =>
      house.ask('PATCH', `/api/v2/units/${unit.unitId}`, { body: { status, ...more } })
    const why = { outOfOrderUntil: '2026-06-05', outOfOrderReason: 'Pipe' }
    assert.equal((await out('OutOfOrder', why)).status, 204)
    await page.getByRole('button', { name: 'Check in', exact: false }).first().click()
    const dialog = page.getByRole('dialog')
    const isOut = dialog.getByText('is out of order until 5 Jun: Pipe. Choose another room').first()
    await house.during(isOut.waitFor())
    assert.equal(await dialog.getByText(`Room ${unit.unitName} is clean now`).count(), 0)
    const choice = dialog.getByLabel('Room', { exact: true })
    await house.during(choice.waitFor())
    const [other = ''] = await choice.locator('option').allTextContents()
    const [name = ''] = other.split(' ')
    assert.notEqual(name, unit.unitName)
    const [free] = (await house.ask('GET', `/api/v2/units?filter[name]=${name}`)).body.data
    const makes = (status: string) => house.ask('PATCH', `/api/v2/units/${free.id}`, { body: { status } })
    assert.equal((await makes('Dirty')).status, 204)
    await dialog.getByRole('button', { name: /^Check in/ }).click()
    const refusal = dialog.getByText('The room is not ready for a guest')
    await house.during(refusal.waitFor())
    assert.equal((await house.ask('GET', path)).body.data.attributes.units[0].unitId, unit.unitId)
    await page.clock.fastForward(20_000)
    assert.ok(await refusal.isVisible(), 'a refusal stays')
    await dialog.locator('.notice.error').getByRole('button', { name: 'Close' }).click()
    await house.during(refusal.waitFor({ state: 'detached' }))
    await page.keyboard.press('Escape')
    assert.equal((await out('Clean')).status, 204)
    const { outOfOrderUntil, outOfOrderReason } = (await house.ask('GET', `/api/v2/units/${unit.unitId}`))
      .body.data.attributes
    assert.deepEqual([outOfOrderUntil, outOfOrderReason], [null, null])

    const write = (status: string) => house.ask('PATCH', path, { body: { status } })
    assert.equal((await write('Canceled')).status, 204)
    assert.equal((await write('Confirmed')).status, 204)
    await sees(page, 'Expected again')
    for (const screen of ['today', 'rack', 'rooms', 'devices']) {
      await page.goto(`${house.appliance.url}/desk#/${screen}`)
      await page.locator('main h1, main h2').first().waitFor()
      const live = '[role=status], [role=alert], [aria-live]'
      const nested = live.split(', ').map((outer) => `:is(${outer}) :is(${live})`)
      assert.equal(await page.locator(nested.join(', ')).count(), 0, screen)
    }
    tab.expectClean(/status of 409/)
  })

  it('shows any day, changes a departure, names a second guest, and overwrites no comment of a colleague', async () => {
    const { number } = await house.arrival({ startDate: '2026-06-02', endDate: '2026-06-04' })
    const { stayId, reservationId } = await house.arrival()
    const page = await open('today')
    const listed = page.getByRole('table').getByText(number)
    await page.getByRole('link', { name: /^Free tonight \d+$/ }).waitFor()
    assert.equal(await listed.count(), 0, 'not of today')
    await page.getByRole('button', { name: 'Day after' }).click()
    await page.getByRole('heading', { name: /2 Jun/ }).waitFor()
    await house.during(listed.first().waitFor())
    await page.getByRole('button', { name: 'Departures' }).click()
    assert.equal(await listed.count(), 0, 'leaves later')
    await page.getByLabel('Day', { exact: true }).fill('2026-06-04')
    await house.during(listed.first().waitFor())
    await page.getByRole('button', { name: 'Day before' }).click()
    await page.getByRole('heading', { name: /3 Jun/ }).waitFor()
    await page.getByRole('button', { name: 'In house' }).click()
    await house.during(listed.first().waitFor())
    for (const status of ['Waitlisted', 'Tentative']) {
      const waiting = await house.arrival({ startDate: '2026-06-02', endDate: '2026-06-05', status })
      await page.getByRole('button', { name: 'Day before' }).click()
      await page.getByRole('button', { name: 'Day after' }).click()
      await house.during(listed.first().waitFor())
      assert.equal(await page.getByRole('table').getByText(waiting.number).count(), 0, status)
    }
    await page.getByRole('button', { name: 'Today', exact: true }).click()
    await page.getByRole('heading', { name: 'Today' }).waitFor()

    await page.goto(`${house.appliance.url}/desk#/stay/${stayId}`)
    await page.getByRole('button', { name: 'Extend or shorten' }).click()
    const dialog = page.getByRole('dialog')
    for (const end of ['2026-06-04', '2026-06-05']) {
      await dialog.getByRole('button', { name: '+1 night' }).click()
      assert.equal(await dialog.getByLabel('Departure', { exact: true }).inputValue(), end)
    }
    const ends = async () =>
      (await house.ask('GET', `/api/v2/stays/${stayId}`)).body.data.attributes.endDate as string
    const before = await ends()
    await dialog.getByLabel('Departure', { exact: true }).fill('2028-06-05')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('The departure is then 5 June 2028').waitFor()
    assert.equal(await ends(), before, 'a wrong year is not saved at once')
    await dialog.getByLabel('Departure', { exact: true }).fill('2026-06-05')
    await dialog.getByText('The departure is then').waitFor({ state: 'detached' })
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.waitFor({ state: 'detached' })
    assert.equal(await ends(), '2026-06-05')

    await page.getByRole('button', { name: 'Guests', exact: true }).click()
    await dialog.getByLabel('Adults').selectOption('2')
    await dialog.getByLabel('Last name of guest 2').fill('Silva')
    await dialog.getByLabel('First name of guest 2').fill('Rui')
    assert.equal(await dialog.getByLabel('Last name of guest 3').count(), 0, 'two persons')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await page.locator('#sheet').getByText('2 persons').waitFor()
    await page.locator('#sheet').getByText('With Silva, Rui', { exact: true }).waitFor()

    const path = `/api/v2/reservations/${reservationId}/stays/${stayId}`
    await page.getByRole('button', { name: 'Change: Comment' }).click()
    await dialog.getByLabel('Comment').fill('Feather pillow')
    assert.equal((await house.ask('PATCH', path, { body: { comment: 'Late' } })).status, 204)
    await house.during(page.locator('#sheet p').getByText('Late', { exact: true }).waitFor())
    await dialog.getByRole('button', { name: 'Save' }).click()
    await dialog.getByText('Now: Late').waitFor()
    await dialog.getByText('Yours: Feather pillow').waitFor()
    await dialog.getByRole('button', { name: 'Leave it' }).click()
    tab.expectClean(/status of 412/)
  })
})

interface Key {
  attributes: { status: string; unitName: string }
}
