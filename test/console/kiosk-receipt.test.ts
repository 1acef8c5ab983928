import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { browserForSuite, withoutBrowser } from './browser.ts'
import { type Booking, type Guest, guestAt, type KioskHouse, kioskHouse, tall } from './kiosk-house.ts'

/** A guest who has paid prints a receipt at a kiosk that has a printer. */
describe('the receipt at the kiosk', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: KioskHouse
  let guest: Guest
  before(async () => {
    house = await kioskHouse()
    guest = await guestAt(house, browser, tall, '?receipts')
    // What a printer would get: what of the document is visible on paper.
    await guest.page.addInitScript(`
      globalThis.papers = []
      globalThis.print = () => papers.push(document.querySelector('.receipt')?.innerText ?? 'the page')
    `)
    await guest.page.reload()
  })
  after(async () => {
    await guest?.tab.close()
    await house?.stop()
    // The refusals that lead to payment and card, a stay without a payment at the terminal, and the script that does not come.
    guest?.tab.expectClean(/403|404|409|422|receipt/)
  })
  afterEach(async () => {
    await guest.presses(/^(Done|Start again)$/)
    await guest.reads('Touch to check in')
    assert.equal(await guest.page.locator('.receipt').count(), 0, 'the paper of the guest who left')
  })

  const papers = () => guest.page.evaluate<string[]>('papers.splice(0)')
  const offers = () => guest.page.getByRole('button', { name: 'Print a receipt' }).count()

  async function arrives(more: object): Promise<Booking> {
    const booking = await house.arrival(more)
    await guest.entersNumber(booking.number)
    await guest.wantsKey()
    return booking
  }

  it('has the house, the booking and what was paid, without the name and the room of the guest', async () => {
    const { number, stayId } = await arrives({ amount: { currency: 'EUR', amountWithTax: 1234.5 } })
    await guest.presses('Pay here by card')
    await guest.reads('Enjoy your stay.')
    await guest.presses('Print a receipt')
    await guest.reads('Your receipt is being printed.')
    const [paper = ''] = await papers()
    const { body } = await house.ask('GET', `/api/v2/stays/${stayId}`)
    const [property] = (await house.ask('GET', '/api/v2/properties')).body.data
    const { name, address } = property.attributes
    for (const part of [
      name,
      address.line1,
      address.city,
      'Receipt',
      number,
      'Paid by card',
      '€1,234.50',
      '1 June 2026',
    ])
      assert.ok(paper.includes(part), `${part} is missing: ${paper}`)
    for (const part of ['Lucia', 'Gästin', body.data.attributes.units[0].unitName, 'Still to be paid'])
      assert.ok(!paper.includes(part), `${part} is printed: ${paper}`)
  })

  it('is the only thing on the paper, and leaves nothing behind', async () => {
    await arrives({ amount: { currency: 'EUR', amountWithTax: 90 } })
    await guest.presses('Pay here by card')
    await guest.presses('Print a receipt')
    await guest.reads('Your receipt is being printed.')
    const { page } = guest
    await page.emulateMedia({ media: 'print' })
    assert.equal(await page.locator('.kiosk-page').isVisible(), false)
    assert.ok(await page.locator('.receipt').isVisible())
    await page.emulateMedia({ media: 'screen' })
    assert.equal(await page.locator('.receipt').isVisible(), false)
    await page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert.equal(await page.locator('.receipt').count(), 0)
    assert.equal((await papers()).length, 1)
    assert.equal(await offers(), 0, 'one receipt is enough')
  })

  it('is offered at the check-out too, with all that was paid', async () => {
    const booking = await house.arrival({ amount: { currency: 'EUR', amountWithTax: 90 } })
    const { stayId, reservationId, number } = booking
    const paid = await house.ask(
      'POST',
      `/api/v2/reservations/${reservationId}/stays/${stayId}/actions/record-payment`,
      { body: { currency: 'EUR', amount: 9_000, brand: 'Cash' } },
    )
    assert.equal(paid.status, 201, paid.text)
    await guest.entersNumber(number)
    await guest.wantsKey()
    await guest.reads('Enjoy your stay.')
    await guest.presses('Done')
    await guest.presses('Check out')
    await guest.types(number)
    await guest.presses('Search')
    await house.during(guest.page.getByLabel('Last name', { exact: true }).fill(`GASTIN${number}`))
    await guest.presses('Search')
    await guest.presses('Check out')
    await guest.reads('Please put your card into the slot.')
    const act = '/api/config/v1/simulated-devices/dispenser/actions/act'
    await house.ask('POST', act, { body: { does: 'return-card' } })
    await guest.reads('Have a good journey.')
    await guest.presses('Print a receipt')
    const [paper = ''] = await papers()
    assert.match(paper, /Paid\s*€90\.00/)
    assert.doesNotMatch(paper, /Paid by card/)
  })

  it('is offered to no guest who has paid nothing', async () => {
    await arrives({})
    await guest.reads('Enjoy your stay.')
    await house.during(guest.page.waitForLoadState('networkidle'))
    assert.equal(await offers(), 0)
  })

  it('does not keep a guest from the room when its script does not come', async () => {
    await guest.page.route(/receipt[/-]\w+\.(ts|js)/, (route) => route.abort())
    await guest.page.reload()
    await arrives({ amount: { currency: 'EUR', amountWithTax: 90 } })
    await guest.presses('Pay here by card')
    await guest.reads('Enjoy your stay.')
    await guest.page.getByRole('button', { name: 'Show my room number' }).waitFor()
    assert.equal(await offers(), 0)
    await guest.page.unroute(/receipt[/-]\w+\.(ts|js)/)
  })

  it('is not offered at a kiosk without a printer', async () => {
    await guest.page.goto(`${house.appliance.url}/kiosk`)
    await arrives({ amount: { currency: 'EUR', amountWithTax: 90 } })
    await guest.presses('Pay here by card')
    await guest.reads('Enjoy your stay.')
    await house.during(guest.page.waitForLoadState('networkidle'))
    assert.equal(await offers(), 0)
  })
})
