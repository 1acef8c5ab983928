import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { startAppliance, type TestAppliance } from '../../appliance.ts'
import { browserForSuite, enabled, type Tab, withoutBrowser } from '../../console/browser.ts'
import { bookings, type KioskHouse } from '../../console/kiosk-house.ts'
import { monday, passTime, settableClock } from '../../test-clock.ts'
import { againstRules } from './page-checks.ts'

/** Longer than the desk of the demo hotel may be without use. */
const idleMs = 16 * 60_000
/** What a page asks for while it is being locked. */
const refused = /status of 40[13]/

/** What a person has typed or opened before the station is locked. */
describe('the lock of the desk', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let clock: ReturnType<typeof settableClock>
  let house: TestAppliance
  let arrival: KioskHouse['arrival']
  let tab: Tab

  before(async () => {
    clock = settableClock(monday)
    house = await startAppliance({ clock })
    arrival = await bookings(house.ask)
  })
  after(() => house?.stop())
  afterEach(() => tab?.close())

  async function open(screen: string): Promise<Page> {
    tab = await browser.open(`${house.appliance.url}/desk#/${screen}`)
    await tab.page.getByText('Connected', { exact: true }).waitFor()
    return tab.page
  }
  const booked = () => arrival({ amount: { currency: 'EUR', amountWithTax: 100 } })
  const commentOf = async (stayId: string) =>
    (await house.ask('GET', `/api/v2/stays/${stayId}`)).body.data.attributes.comment

  /** Changes a room, so that the page reads it without a person. */
  async function anEvent(): Promise<void> {
    const [{ id, attributes }] = (await house.ask('GET', '/api/v2/units?filter[name]=210')).body.data
    const status = attributes.status === 'Dirty' ? 'Clean' : 'Dirty'
    const reply = await house.ask('PATCH', `/api/v2/units/${id}`, { body: { status } })
    assert.equal(reply.status, 204, reply.text)
  }

  /** Checks that nothing but the lock is on the page, for eyes, keyboard and screen reader. */
  async function expectNothingButLock(page: Page): Promise<void> {
    await page.getByText('This station is locked').waitFor()
    assert.equal(await page.locator('dialog, .frame, textarea').count(), 0)
    assert.doesNotMatch(await page.content(), /Gästin|Almeida/)
    assert.deepEqual(
      await page.evaluate("[...document.querySelectorAll('input, textarea')].map(({ value }) => value)"),
      [''],
    )
    const tree = await page.locator('body').ariaSnapshot()
    assert.match(tree, /heading "This station is locked"/)
    assert.doesNotMatch(tree, /dialog|Gästin|40\.00|Late arrival/)
    assert.deepEqual(await againstRules(page), [])
  }

  async function unlock(page: Page): Promise<void> {
    await page.getByLabel('Passcode').fill('482615')
    await page.keyboard.press('Enter')
    await page.locator('.frame').waitFor()
  }

  async function change(page: Page, to: string): Promise<void> {
    await page.getByRole('button', { name: 'Someone else' }).click()
    await page.getByRole('button', { name: to, exact: true }).click()
    await page.locator('.frame').waitFor()
  }

  const isFocused = (field: Locator) => field.and(field.page().locator(':focus')).waitFor()

  it('keeps a payment that is being entered for the same person, who records it', async () => {
    const { stayId } = await booked()
    const page = await open(`stay/${stayId}`)
    await page.getByText('€100.00 to pay').waitFor()
    await page.keyboard.press('p')
    const amount = page.getByLabel('Amount (EUR)')
    await amount.fill('40.00')
    // Time goes by when the request is under way, so that nothing else meets the lock before it.
    const payments = '**/actions/record-payment'
    await page.route(payments, (route) => {
      clock.advance(idleMs)
      return route.continue()
    })
    await page.keyboard.press('Control+Enter')
    await expectNothingButLock(page)
    await page.unroute(payments)
    await unlock(page)
    await isFocused(amount)
    assert.equal(await amount.inputValue(), '40.00')
    await page.getByRole('dialog').getByText('It was locked before this was done. Do it again.').waitFor()
    assert.equal(await page.locator('.notice.error').count(), 0)
    assert.equal(await page.locator('dialog:modal').count(), 1)
    await page.keyboard.press('Control+Enter')
    await page.getByText('The payment of €40.00 is recorded.').waitFor()
    await page.getByText('€60.00 to pay').waitFor()
    tab.expectClean(refused)
  })

  it('keeps a comment and a new departure, also when nobody is there at the lock', async () => {
    const { stayId } = await booked()
    const page = await open(`stay/${stayId}`)
    await page.getByRole('button', { name: 'Change: Comment' }).click()
    const comment = page.getByRole('textbox', { name: 'Comment' })
    await comment.fill('Late arrival')
    clock.advance(idleMs)
    await anEvent()
    await expectNothingButLock(page)
    await unlock(page)
    assert.equal(await comment.inputValue(), 'Late arrival')
    assert.equal(await page.getByText('The station was locked').count(), 0, 'only reads were refused')
    await page.keyboard.press('Control+Enter')
    await page.locator('#sheet').getByText('Late arrival').waitFor()
    assert.equal(await commentOf(stayId), 'Late arrival')

    await page.keyboard.press('e')
    const departure = page.getByRole('textbox', { name: 'Departure' })
    await departure.fill('2026-06-05')
    clock.advance(idleMs)
    await anEvent()
    await expectNothingButLock(page)
    await unlock(page)
    assert.equal(await departure.inputValue(), '2026-06-05')
    await page.keyboard.press('Escape')
    await page.locator('dialog').waitFor({ state: 'detached' })
    await page.keyboard.press('?')
    await page.getByRole('dialog').waitFor()
    tab.expectClean(refused)
  })

  it('opens a dialogue in a dialogue again, the inner one on top', async () => {
    const { stayId } = await booked()
    const page = await open(`stay/${stayId}/c`)
    await page.getByRole('dialog').getByRole('button', { name: 'Record a payment' }).click()
    await page.getByLabel('Amount (EUR)').fill('40.00')
    clock.advance(idleMs)
    await anEvent()
    await expectNothingButLock(page)
    await unlock(page)
    await page.getByLabel('Amount (EUR)').fill('41.00')
    await page.keyboard.press('Escape')
    await page.getByLabel('Amount (EUR)').waitFor({ state: 'detached' })
    await page.getByLabel('Card at').last().selectOption('')
    await page.getByRole('dialog').getByRole('button', { name: 'Check in', exact: true }).click()
    await page.locator('#sheet').getByText('In house').waitFor()
    tab.expectClean(refused)
  })

  it('keeps the chosen rooms under g l, has no keys of the screen meanwhile, and begins anew after a reload', async () => {
    const page = await open('rooms')
    const room = page.getByRole('button', { name: /^102/ })
    await room.click()
    await page.locator('[aria-pressed=true]').and(room).waitFor()
    await page.keyboard.press('g')
    await page.keyboard.press('l')
    await expectNothingButLock(page)
    await page.getByRole('button', { name: 'Someone else' }).focus()
    for (const key of ['1', '?', '/', 'g', 'r']) await page.keyboard.press(key)
    await unlock(page)
    await page.locator('[aria-pressed=true]').and(room).waitFor()
    assert.equal(await page.getByRole('dialog').count(), 0)
    await page.keyboard.press('g')
    await page.keyboard.press('r')
    await page.waitForURL(/#\/rack$/)
    await page.getByRole('button', { name: 'Lock', exact: true }).click()
    await page.getByText('This station is locked').waitFor()
    await page.reload()
    await expectNothingButLock(page)
    await unlock(page)
    await page.getByRole('grid', { name: 'Room rack' }).waitFor()
    tab.expectClean(refused)
  })

  it('asks for nothing that is refused under g l, and reads all anew afterwards', async () => {
    const page = await open('rooms')
    const room = page.getByRole('button', { name: /^210/ })
    await room.waitFor()
    // One read is under way, and would reach the box after the lock, of which the page hears late.
    const locked = Promise.withResolvers<void>()
    await page.route('**/actions/lock', async (route) => {
      const response = await route.fetch({
        headers: { ...route.request().headers(), 'Sec-Fetch-Site': 'same-origin' },
      })
      locked.resolve()
      await passTime(500)
      await route.fulfill({ response })
    })
    const underWay = page.waitForRequest('**/api/v2/units?**')
    await page.route('**/api/v2/units?**', async (route) => {
      await locked.promise
      await route.continue().catch(() => {})
    })
    await anEvent()
    await underWay
    await page.keyboard.press('g')
    await page.keyboard.press('l')
    await expectNothingButLock(page)
    await anEvent()
    await passTime(2_000)
    await page.unroute('**/api/v2/units?**')
    const [{ attributes }] = (await house.ask('GET', '/api/v2/units?filter[name]=210')).body.data
    await unlock(page)
    await room.getByText(attributes.status, { exact: true }).waitFor()
    tab.expectClean()
  })

  it('keeps nothing for another person, and afterwards nothing for the first one', async () => {
    const { stayId } = await booked()
    const page = await open(`stay/${stayId}`)
    await page.getByRole('button', { name: 'Change: Comment' }).click()
    await page.getByRole('textbox', { name: 'Comment' }).fill('Late arrival')
    clock.advance(idleMs)
    await anEvent()
    await page.getByText('This station is locked').waitFor()
    for (const name of ['Ida', 'Ana']) {
      await change(page, name)
      await page.getByText('€100.00 to pay').waitFor()
      assert.equal(await page.locator('dialog').count(), 0, name)
      await page.getByRole('button', { name: 'Change: Comment' }).click()
      assert.equal(await page.getByRole('textbox', { name: 'Comment' }).inputValue(), '', name)
      await page.keyboard.press('Escape')
      if (name === 'Ida') await page.getByRole('button', { name: 'Lock', exact: true }).click()
    }
    assert.equal(await commentOf(stayId), null)
    tab.expectClean(refused)
  })

  it('does not ask another person to confirm what the first one has begun', async () => {
    const { stayId } = await booked()
    const page = await open(`stay/${stayId}`)
    await page.getByText('€100.00 to pay').waitFor()
    await page.keyboard.press('p')
    await enabled(page.getByRole('dialog'), 'Record')
    await page.keyboard.press('Control+Enter')
    await page.getByText('is recorded.').waitFor()
    clock.advance(6 * 60_000)
    const takeBack = page.getByRole('button', { name: /^Take back/ })
    await takeBack.click()
    await page.getByRole('dialog').getByRole('button', { name: 'Take back', exact: true }).click()
    const confirm = page.getByRole('heading', { name: 'Confirm that it is you' })
    await confirm.waitFor()
    clock.advance(idleMs)
    await anEvent()
    await expectNothingButLock(page)
    await change(page, 'Ida')
    await takeBack.waitFor()
    assert.equal(await page.locator('dialog').count(), 0)
    tab.expectClean(refused)
  })
})
