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
    const shown = () => guest.page.innerText('body')
    assert.ok(!(await shown()).includes(units[0].unitName), 'the room is hidden until the guest shows it')
    await guest.presses('Show my room number')
    await guest.page.getByText(units[0].unitName, { exact: true }).waitFor()
    await guest.presses('Hide my room number')
    assert.ok(!(await shown()).includes(units[0].unitName), 'the room is hidden again')
    await guest.presses('Done')
    await guest.reads('Touch to check in')
    const left = await guest.page.evaluate<string>(
      '[document.body.innerHTML, JSON.stringify(sessionStorage), JSON.stringify(localStorage), location.pathname + location.search + location.hash].join()',
    )
    assert.deepEqual(await keptOrders(guest.page), [])
    for (const trace of ['Lucia', 'Gästin', number, stayId, units[0].unitName])
      assert.ok(!left.includes(trace), `${trace} survives`)
    guest.tab.expectClean()
    await guest.tab.close()
  })

  it('finds the booking by a code that is scanned on the first page', async () => {
    const { number } = await house.arrival()
    const guest = await guestAt(house, browser)
    await guest.reads('Touch to check in')
    await guest.page.keyboard.type(`https://hotel.example/bookings?lang=2&confirmation=${number}`)
    await guest.page.keyboard.press('Enter')
    await house.during(guest.page.getByLabel('Last name', { exact: true }).fill(`GASTIN${number}`))
    await guest.presses('Search')
    await guest.reads('Is this your booking?')
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
