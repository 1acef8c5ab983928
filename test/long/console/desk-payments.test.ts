import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Page } from 'playwright-core'
import { askAt } from '../../appliance.ts'
import { browserForSuite, type Tab, withoutBrowser } from '../../console/browser.ts'
import { type KioskHouse, kioskHouse } from '../../console/kiosk-house.ts'

/** What the desk sees of payments that guests make at a payment terminal. */
describe('the payments at a terminal, at the desk', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: KioskHouse
  let tab: Tab
  let token: string
  let clerk: string

  before(async () => {
    house = await kioskHouse()
    const tokenOf = async (name: string, role: string) =>
      (await house.ask('POST', '/api/config/v1/tokens', { body: { name, role } })).body.meta.token
    token = await tokenOf('Kiosk in the lobby', 'kiosk')
    clerk = await tokenOf('Night desk', 'frontdesk')
  })
  after(() => house?.stop())
  afterEach(() => {
    house.lobby.terminal.misbehaviours.length = 0
    house.lobby.terminal.guest = 'pay'
    return tab?.close()
  })

  async function open(screen: string): Promise<Page> {
    tab = await browser.open(`${house.appliance.url}/desk#/${screen}`)
    await tab.page.getByText('Connected', { exact: true }).waitFor()
    return tab.page
  }

  /** A guest who owes 109.00 EUR. */
  async function guest() {
    const { number, stayId } = await house.arrival({ amount: { currency: 'EUR', amountWithTax: 109 } })
    // The kiosk has asked the guest who he is.
    const said = `filter[reservationIds][searchForm]=${number}&filter[profile.lastName]=Gästin${number}`
    const { status, text } = await house.ask('GET', `/api/v2/reservations?${said}`, { token })
    assert.equal(status, 200, text)
    const pay = () =>
      house.during(house.ask('POST', `/api/v2/stays/${stayId}/actions/pay-at-terminal`, { token }))
    return { stayId, pay }
  }
  type Does = 'close' | 'silence' | 'late'
  const wrong = (...all: { at: string; does: Does }[]) => house.lobby.terminal.misbehaviours.push(...all)

  it('are the state of the terminal among the devices', async () => {
    const page = await open('devices')
    const tile = page.getByRole('article', { name: 'Lobby terminal' })
    const sees = (text: string | RegExp) => house.during(tile.getByText(text).waitFor())
    await sees('Payment terminal, at Lobby kiosk')
    await sees('Nobody has paid at it yet.')
    assert.equal(await tile.locator('.chip').count(), 0, 'nobody knows whether it works')

    const { pay } = await guest()
    wrong({ at: 'pay', does: 'close' })
    assert.equal((await pay()).status, 502)
    // The order is not on its way any more.
    house.clock.advance(31_000)
    await sees('The terminal did not begin the last payment, so no money was taken.')
    await sees(/^Last payment: .*€109\.00, did not arrive$/)

    house.lobby.terminal.guest = 'refuse'
    assert.equal((await pay()).status, 422)
    await sees(/^Last payment: .*€109\.00, refused \(declined\)$/)
    await sees('in operation')

    house.lobby.terminal.guest = 'pay'
    wrong({ at: 'pay', does: 'late' }, ...silences)
    assert.equal((await pay()).body.errors[0].code, 'payment-outcome-unknown')
    await sees('outcome not known')
    await sees('Do not take the payment again.')

    house.lobby.terminal.misbehaviours.length = 0
    await sees(/^Last payment: .*€109\.00, paid$/)
    await sees('in operation')
    tab.expectClean()
  })

  it('that took no money are in the history of the stay, with who ended them', async () => {
    const { stayId, pay } = await guest()
    const page = await open(`stay/${stayId}`)
    const history = page.locator('.history li')
    const sees = (text: string) => house.during(history.filter({ hasText: text }).first().waitFor())
    const { terminal } = house.lobby
    terminal.guest = 'refuse'
    assert.equal((await pay()).status, 422)
    await sees('Payment refused at the terminal (declined): €109.00by Kiosk in the lobby')

    terminal.guest = 'wait'
    // Time stands still, so that the terminal does not give up before.
    const act = (name: string, as: string) =>
      askAt(house.appliance.url, 'POST', `/api/v2/stays/${stayId}/actions/${name}`, { token: as })
    const paying = act('pay-at-terminal', token)
    while (terminal.waiting.size === 0) await page.waitForTimeout(20)
    assert.equal((await act('cancel-terminal-payment', clerk)).status, 200)
    assert.equal((await paying).status, 422)
    await sees('Payment at the terminal canceled: €109.00by Night desk')

    wrong({ at: 'pay', does: 'close' })
    assert.equal((await pay()).status, 502)
    // The order is not on its way any more.
    house.clock.advance(31_000)
    await sees('Payment at the terminal not begun: it did not arrive there: €109.00by the box')

    terminal.guest = 'pay'
    wrong({ at: 'pay', does: 'late' }, ...silences)
    assert.equal((await pay()).status, 502)
    await sees('The terminal does not say whether the guest has paid')
    terminal.misbehaviours.length = 0
    await sees('Payment recorded: €109.00')
    assert.equal(await history.filter({ hasText: 'at the terminal' }).count(), 3)
    tab.expectClean()
  })

  for (const [guestDoes, said, recorded] of [
    ['pay', 'The guest had paid already: €109.00 are recorded.', 1],
    ['wait', 'The payment of €109.00 is canceled at the terminal. Nothing was charged.', 0],
  ] as const)
    it(`in doubt are ended when the desk asks the terminal, at which the guest does ${guestDoes}`, async () => {
      const { stayId, pay } = await guest()
      const page = await open(`stay/${stayId}`)
      house.lobby.terminal.guest = guestDoes
      wrong({ at: 'pay', does: 'late' }, ...silences)
      assert.equal((await pay()).body.errors[0].code, 'payment-outcome-unknown')
      const sheet = page.locator('#sheet')
      const ask = sheet.getByRole('button', { name: 'Ask the terminal' })
      await house.during(ask.waitFor())
      house.lobby.terminal.misbehaviours.length = 0
      await ask.click()
      await house.during(sheet.getByText(said).waitFor())
      const { body } = await house.ask('GET', `/api/v2/payments?filter[stayId]=${stayId}`)
      assert.equal(body.data.length, recorded)
    })

  it('whose terminal is dead are settled by hand on the sheet, with a reason', async () => {
    const { stayId, pay } = await guest()
    const page = await open(`stay/${stayId}`)
    wrong({ at: 'pay', does: 'late' }, ...silences)
    assert.equal((await pay()).status, 502)
    const sheet = page.locator('#sheet')
    await house.during(
      sheet.getByText('The terminal does not say whether the guest has paid €109.00').waitFor(),
    )
    await sheet.getByRole('button', { name: 'Settle by hand' }).click()
    const dialog = page.getByRole('dialog', { name: 'Was the guest charged €109.00?' })
    assert.equal(await dialog.getByRole('button', { name: 'The guest was charged' }).isDisabled(), true)
    await dialog.getByLabel('How do you know?').fill('The guest has the receipt.')
    await dialog.getByLabel('Number on the receipt').fill('000471')
    await dialog.getByRole('button', { name: 'The guest was charged' }).click()
    await house.during(sheet.getByText('The payment of €109.00 is recorded.').waitFor())
    await house.during(sheet.getByText('Paid in full').waitFor())
    await house.during(
      sheet.locator('.history li').filter({ hasText: 'Payment at the terminal settled by hand' }).waitFor(),
    )
    const { body } = await house.ask('GET', `/api/v2/payments?filter[stayId]=${stayId}`)
    assert.equal(body.data[0].attributes.terminalTransactionId, '000471')
    tab.expectClean()
  })
})

/** A terminal that does not say how a payment ended. */
const silences = Array.from({ length: 1_000 }, () => ({ at: '*', does: 'silence' as const }))
