import assert from 'node:assert/strict'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import fc from '../seed.ts'
import { browserForSuite, type Tab, withoutBrowser } from './browser.ts'
import { type Booking, type KioskHouse, kioskHouse } from './kiosk-house.ts'

const hour = 3_600_000

/** What a kiosk reports, and what the desk reads. */
const reasons = [
  [{ failure: 'guest-asks', step: 'greeting' }, 'The guest asked for help.'],
  [{ failure: 'stay-over', step: 'room' }, 'The departure of the stay has come.'],
  [{ failure: 'card-lost', step: 'card' }, 'The guest has lost the card.'],
  [{ failure: 'balance-outstanding', step: 'check-in' }, 'The guest has to pay.'],
  [{ failure: 'registration-required', step: 'registration' }, 'A guest must be registered.'],
  [{ failure: 'payment-outcome-unknown', step: 'payment' }, 'It is not known whether the guest has paid.'],
  [{ failure: 'dispenser-jam', step: 'card' }, 'The kiosk could not make the card.'],
  [{ failure: 'no-eligible-unit', step: 'room' }, 'The kiosk could not give a room.'],
] as const

describe('guests whom a kiosk sends to the desk', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: KioskHouse
  let tab: Tab
  let page: Page
  before(async () => {
    house = await kioskHouse()
  })
  after(() => house?.stop())
  beforeEach(openDesk)
  afterEach(() => tab?.close())

  async function openDesk(): Promise<void> {
    tab = await browser.open(`${house.appliance.url}/desk#/today`)
    page = tab.page
    await page.clock.install()
    await page.reload()
    await page.getByText('Connected', { exact: true }).waitFor()
  }

  async function handOver({ stayId }: Booking, why: object): Promise<{ id: string; code: string }> {
    const path = `/api/v2/stays/${stayId}/actions/hand-over`
    const { status, body, text } = await house.ask('POST', path, { body: why })
    assert.equal(status, 201, text)
    return { id: body.data.id, code: body.data.attributes.code }
  }
  const room = async ({ reservationId, stayId }: Booking): Promise<string> => {
    const path = `/api/v2/reservations/${reservationId}/stays/${stayId}/unit-assignment`
    return (await house.ask('POST', path)).body.data.attributes.units[0].unitName
  }
  const noticeOf = (code: string) => page.locator('.notice', { hasText: `Code ${code}` })
  /** Waits while the page's time goes by. */
  async function until(isSo: () => Promise<boolean>, what: string): Promise<void> {
    for (let turns = 0; turns < 60; turns++) {
      if (await isSo()) return
      await house.during(page.clock.runFor(1_000))
    }
    assert.fail(`${what}: ${await page.locator('main').innerText()}`)
  }
  const isShown = async (code: string, ...texts: string[]) => {
    const [notice = ''] = await noticeOf(code).allInnerTexts()
    return notice !== '' && texts.every((text) => notice.includes(text))
  }

  it('are there at once with name, room and reason, and gone when they were helped', async () => {
    for (const [why, reason] of fc.sample(fc.shuffledSubarray([...reasons], { minLength: 7 }), 1)[0]!) {
      const booking = await house.arrival()
      const unitName = await room(booking)
      const { code } = await handOver(booking, why)
      await until(() => isShown(code, `Lucia Gästin${booking.number}, ${unitName}`, reason), reason)
      await page.getByRole('button', { name: `The guest was helped: ${code}` }).click()
      await until(async () => (await noticeOf(code).count()) === 0, 'it ends')
    }
    tab.expectClean()
  })

  it('are gone from each desk when another one has helped, and one click from the sheet', async () => {
    const booking = await house.arrival()
    const { id, code } = await handOver(booking, { failure: 'card-lost', step: 'card' })
    await until(() => isShown(code, booking.number), 'it is shown')
    await page.getByRole('button', { name: `Open the guest: ${code}` }).click()
    await until(async () => (await page.locator('#sheet').count()) > 0, 'the sheet opens')
    assert.ok(page.url().includes(booking.stayId))
    assert.equal((await house.ask('DELETE', `/api/v2/hand-overs/${id}`)).status, 204)
    await until(async () => (await noticeOf(code).count()) === 0, 'it ends')
  })

  it('are gone when their code has ended, without an event', async () => {
    const booking = await house.arrival()
    const { code } = await handOver(booking, { failure: 'guest-asks', step: 'greeting' })
    await tab.close()
    house.clock.advance(4 * hour - 60_000)
    await openDesk()
    await until(() => isShown(code), 'it is shown')
    house.clock.advance(60_000)
    await until(async () => (await noticeOf(code).count()) === 0, 'it ends')
    assert.ok(await page.getByText('Connected', { exact: true }).isVisible(), 'the page is not locked')
  })

  it('are there at once also behind many whom no person has called helped', async () => {
    let newest = ''
    for (let day = 1; day <= 21; day++) {
      const date = (of: number) => `2026-07-${String(of).padStart(2, '0')}`
      const booking = await house.arrival({ startDate: date(day), endDate: date(day + 1) })
      house.clock.advance(1_000)
      newest = (await handOver(booking, { failure: 'guest-asks', step: 'greeting' })).code
    }
    await until(() => isShown(newest), 'the newest is shown')
  })

  it('are shown once, with the code, while they wait at the kiosk, until a person comes', async () => {
    const booking = await house.arrival()
    const { code } = await handOver(booking, { failure: 'guest-asks', step: 'greeting' })
    const call = await house.ask('POST', '/api/v2/help-calls', {
      body: { failure: 'guest-asks', step: 'greeting', language: 'fr', stayId: booking.stayId },
    })
    assert.equal(call.status, 201)
    const reads = ['The guest asked for help.', 'looking at the booking', 'Français', booking.number]
    await until(() => isShown(code, ...reads), 'the call is shown')
    assert.equal(await noticeOf(code).count(), 1)
    await page.getByRole('button', { name: /^On my way/ }).click()
    await until(() => isShown(code, 'A guest of the kiosk has been waiting'), 'the code is shown')
    const { attributes } = (await house.ask('GET', `/api/v2/help-calls/${call.body.data.id}`)).body.data
    assert.ok(attributes.takenAt)
  })
})
