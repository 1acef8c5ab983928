import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { simulatePayline, terminal } from '../../../drivers/payline/simulator/simulator.ts'
import { type ApplianceChild, applianceChild } from '../../access/appliance-child.ts'
import { until } from '../../access/house-with-doors.ts'
import { sockets } from '../../access/sockets.ts'
import { browserForSuite, withoutBrowser } from '../../console/browser.ts'
import { bookings, type Guest, guestAt, type KioskHouse } from '../../console/kiosk-house.ts'
import { type Line, lineTo } from './line.ts'
import { againstRules, inTexts, type Wrongs } from './page-checks.ts'
import { languages } from './visit.ts'

/** A guest at the payment terminal who cancels on the screen, or whose payment the desk cancels. The box and the terminal are two parts. */
describe('a payment at a kiosk that is canceled', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  const data = mkdtempSync(join(tmpdir(), 'nightporter-kiosk-pay-'))
  const program = new URL('./kiosk-process.ts', import.meta.url)
  const device = terminal()
  const plugs = sockets()
  let box: ApplianceChild
  let arrival: KioskHouse['arrival']
  const lines: Line[] = []

  before(async () => {
    box = await applianceChild(data, program)
    const path = await plugs.plugIn((wire) => simulatePayline(wire, device))
    const { body } = await box.ask('GET', '/api/config/v1/payment-terminals')
    const one = `/api/config/v1/payment-terminals/${body.data[0].id}`
    assert.equal((await box.ask('PATCH', one, { body: { path } })).status, 204)
    arrival = await bookings(box.ask)
  })
  after(async () => {
    await box.stop()
    plugs.close()
    rmSync(data, { recursive: true, force: true })
  })
  afterEach(() => {
    for (const line of lines.splice(0)) line.close()
    device.misbehaviours.length = 0
    device.waiting.clear()
  })

  /** A guest who owes 109.00 EUR, while the terminal waits for the card. */
  async function atTerminal(url = box.url()): Promise<Guest & { stayId: string }> {
    const { number, stayId } = await arrival({ amount: { currency: 'EUR', amountWithTax: 109 } })
    const guest = await guestAt({ appliance: { url }, during: (work) => work }, browser)
    await guest.entersNumber(number)
    await guest.wantsKey()
    device.guest = 'wait'
    await guest.presses('Pay here by card')
    await guest.reads('Please follow the payment terminal')
    await until(
      'the terminal to wait',
      async () => device.waiting.size,
      (count) => count === 1,
    )
    return Object.assign(guest, { stayId })
  }

  async function recorded(stayId: string): Promise<number> {
    return (await box.ask('GET', `/api/v2/payments?filter[stayId]=${stayId}`)).body.data.length
  }

  async function hasCanceled({ page, reads, stayId }: Guest & { stayId: string }): Promise<void> {
    await reads('The payment was canceled. Nothing was charged.')
    await page.getByRole('button', { name: 'Pay here by card' }).waitFor()
    assert.equal(await recorded(stayId), 0)
    assert.equal([...device.payments.values()].at(-1)?.outcome, 'refused')
  }

  async function entersHouse(guest: Guest & { stayId: string }): Promise<void> {
    await guest.reads('Enjoy your stay.')
    assert.equal(await recorded(guest.stayId), 1)
    guest.tab.expectClean(/status of 4|status of 50|ERR_/)
    await guest.tab.close()
  }

  /** Cut texts and broken rules, in each language and then in English again. */
  async function wrongInEachLanguage(page: Page): Promise<Wrongs> {
    const wrongs: Wrongs = []
    for (const language of languages.toReversed()) {
      await page.evaluate(
        `import('/ui/lib/language/language.ts').then(({ changeLanguage }) => changeLanguage('${language}', false))`,
      )
      await page.locator(`html[lang=${language}]`).waitFor()
      wrongs.push(...(await inTexts(page)), ...(await againstRules(page)))
    }
    return wrongs
  }

  it('charges nothing, and can be paid after that', async () => {
    const guest = await atTerminal()
    assert.deepEqual(await wrongInEachLanguage(guest.page), [])
    await guest.presses('Cancel the payment')
    await hasCanceled(guest)
    assert.deepEqual(await wrongInEachLanguage(guest.page), [])
    device.guest = 'pay'
    await guest.presses('Pay here by card')
    await entersHouse(guest)
  })

  it('can be paid after the desk has canceled it, once', async () => {
    const guest = await atTerminal()
    const cancel = `/api/v2/stays/${guest.stayId}/actions/cancel-terminal-payment`
    assert.equal((await box.ask('POST', cancel)).body.data.attributes.reason, 'canceled')
    await hasCanceled(guest)
    await guest.page.getByRole('button', { name: 'Pay at the desk' }).waitFor()
    device.guest = 'pay'
    await guest.presses('Pay here by card')
    await entersHouse(guest)
  })

  it('stays paid when the terminal has taken the amount at that moment', async () => {
    const guest = await atTerminal()
    const then = () => device.decide('pay')
    device.misbehaviours.push({ at: 'cancel', does: 'pass', then })
    await guest.presses('Cancel the payment')
    await entersHouse(guest)
  })

  it('says that the terminal does not cancel it, and goes on with the payment', async () => {
    const guest = await atTerminal()
    await guest.page.route('**/cancel-terminal-payment', (route) => route.abort())
    await guest.presses('Cancel the payment')
    await guest.reads('The payment could not be canceled.')
    device.decide('pay')
    await entersHouse(guest)
  })

  /** A guest at the terminal, whose screen loses the line to the box for a moment, and has asked for the outcome four times since. */
  async function lostAtTerminal(): Promise<Guest & { stayId: string }> {
    const line = await lineTo(box.url())
    lines.push(line)
    const guest = await atTerminal(line.url)
    let asked = 0
    const hasAsked = guest.page.waitForResponse(
      (response) => /\/(pay-at-terminal|terminal-payment)$/.test(response.url()) && ++asked === 4,
    )
    line.cut()
    line.mend()
    await hasAsked
    return guest
  }

  it('waits for the guest at the terminal when the line was lost for a moment', async () => {
    const guest = await lostAtTerminal()
    device.decide('pay')
    await entersHouse(guest)
  })

  it('that the terminal refuses after the line was lost is not asked for again', async () => {
    const guest = await lostAtTerminal()
    const orders = device.payments.size
    device.decide('refuse')
    await guest.reads('The payment was not accepted. Nothing was charged by us.')
    assert.deepEqual([await recorded(guest.stayId), device.payments.size], [0, orders])
    await guest.tab.close()
  })

  for (const [step, path] of [
    ['the room', /\/unit-assignment$/],
    ['the check-in', /\/reservations\/[^/]+\/stays\/[^/]+$/],
  ] as const)
    it(`is followed by the card when the answer about ${step} is lost after it`, async () => {
      const guest = await atTerminal()
      const losesAnswer = async (route: Route) => {
        await route.fetch()
        await route.abort()
      }
      await guest.page.route(path, losesAnswer, { times: 1 })
      device.decide('pay')
      await entersHouse(guest)
    })

  it('is sent to the desk, with a code, when another guest is at the terminal all the time', async () => {
    const other = await arrival({ amount: { currency: 'EUR', amountWithTax: 50 } })
    device.guest = 'wait'
    const paying = box.ask('POST', `/api/v2/stays/${other.stayId}/actions/pay-at-terminal`)
    await until(
      'the terminal to wait',
      async () => device.waiting.size,
      (count) => count === 1,
    )
    const { number } = await arrival({ amount: { currency: 'EUR', amountWithTax: 109 } })
    const guest = await guestAt({ appliance: { url: box.url() }, during: (work) => work }, browser)
    await guest.entersNumber(number)
    await guest.wantsKey()
    await guest.presses('Pay here by card')
    await guest.reads('€109.00 is still to be paid. Please pay at the desk.')
    await guest.page.locator('.code').waitFor()
    device.decide('pay')
    assert.equal((await paying).status, 201)
    await guest.tab.close()
  })

  const cuts = [
    ['before the terminal hears of it', 'silence'],
    ['when the terminal has ended the payment', 'late'],
  ] as const
  for (const [moment, does] of cuts)
    it(`charges nothing and asks for nothing when the power is cut ${moment}`, async () => {
      const guest = await atTerminal()
      const orders = device.payments.size
      const then = box.kill
      device.misbehaviours.push({ at: 'cancel', does, then })
      await guest.presses('Cancel the payment')
      await box.ended()
      await box.reboot()
      await hasCanceled(guest)
      assert.equal(device.payments.size, orders, 'the guest was not asked to pay again')
      device.guest = 'pay'
      await guest.presses('Pay here by card')
      await entersHouse(guest)
    })
})
