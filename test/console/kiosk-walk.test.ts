import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { browserForSuite, withoutBrowser } from './browser.ts'
import { guestAt, type KioskHouse, keptOrders, kioskHouse } from './kiosk-house.ts'

/** A guest gets a card. `kiosk.real.test.ts` and the long tests have the rest. */
describe('a visit at a kiosk', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: KioskHouse
  before(async () => {
    house = await kioskHouse()
  })
  after(() => house?.stop())

  it('leads from the number to the card, and forgets the guest', async () => {
    const { number, stayId, reservationId } = await house.arrival()
    const guest = await guestAt(house, browser)
    await guest.entersNumber(number)
    await guest.reads('Lucia G.')
    assert.doesNotMatch(await guest.page.innerText('body'), /Gästin/, 'the last name is not shown')
    await guest.wantsKey()
    await guest.reads('Enjoy your stay.')
    const { body } = await house.ask('GET', `/api/v2/reservations/${reservationId}/stays/${stayId}`)
    const { status, units, keys } = body.data.attributes
    assert.deepEqual([status, keys.live], ['InHouse', 1])
    await guest.reads(`${units[0].unitName}, Floor 2`)
    const size = await guest.page.evaluate<string>(
      "getComputedStyle(document.querySelector('.rooms dd')).fontSize",
    )
    assert.ok(Number.parseFloat(size) <= 36, `the room is written small: ${size}`)
    await guest.presses('Done')
    await guest.reads('I have a booking number')
    const left = await guest.page.evaluate<string>(
      '[document.body.innerHTML, JSON.stringify(sessionStorage), JSON.stringify(localStorage), location.href].join()',
    )
    assert.deepEqual(await keptOrders(guest.page), [])
    for (const trace of ['Lucia', 'Gästin', number, stayId, units[0].unitName])
      assert.ok(!left.includes(trace), `${trace} survives`)
    guest.tab.expectClean()
    await guest.tab.close()
  })

  it('shows what is to be paid with the decimals of the server, which the browser does not have', async () => {
    const { number } = await house.arrival({ amount: { currency: 'HUF', amountWithTax: 25_000 } })
    const guest = await guestAt(house, browser)
    await guest.entersNumber(number)
    await guest.wantsKey()
    await guest.reads(/HUF\s25,000\.00/)
    guest.tab.expectClean()
    await guest.tab.close()
  })
})
