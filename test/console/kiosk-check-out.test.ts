import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { browserForSuite, withoutBrowser } from './browser.ts'
import {
  type Booking,
  type Guest,
  guestAt,
  type KioskHouse,
  keptOrders,
  kioskHouse,
  monday,
  well,
} from './kiosk-house.ts'

/** A guest leaves by the kiosk of the sample hotel, whose dispenser takes cards back. */
describe('the check-out at the kiosk', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  let house: KioskHouse
  let guest: Guest
  before(async () => {
    house = await kioskHouse()
    guest = await guestAt(house, browser)
  })
  after(async () => {
    await guest?.tab.close()
    await house?.stop()
    // The refusals that lead to the payment and to the card, and a machine without its cable.
    guest?.tab.expectClean(/403|422|502/)
  })
  afterEach(async () => {
    await guest.presses(/^(Done|Start again)$/)
    await guest.reads('Touch to check in')
  })

  const stayOf = async ({ stayId }: Booking) =>
    (await house.ask('GET', `/api/v2/stays/${stayId}`)).body.data.attributes
  const act = async (name: string, does: string, card?: string) => {
    const path = `/api/config/v1/simulated-devices/${name}/actions/act`
    const reply = await house.ask('POST', path, { body: { does, ...(card && { card }) } })
    assert.equal(reply.status, 200, reply.text)
  }
  const set = async (settings: object) => {
    const [{ id }] = (await house.ask('GET', '/api/config/v1/settings')).body.data
    assert.equal((await house.ask('PATCH', `/api/config/v1/settings/${id}`, { body: settings })).status, 204)
  }
  const dispenser = async () => {
    const [{ id }] = (await house.ask('GET', '/api/v2/access/dispensers')).body.data
    return (await house.ask('GET', `/api/v2/access/dispensers/${id}/status`)).body.data.attributes
  }

  /** A guest who has a card of this kiosk, and has gone. */
  async function inHouse(more?: object): Promise<Booking> {
    const booking = await house.arrival(more)
    await guest.entersNumber(booking.number)
    await guest.wantsKey()
    await guest.reads('Enjoy your stay.')
    await guest.presses('Done')
    return booking
  }

  async function says({ number }: Booking, begins = 'Check out'): Promise<void> {
    await guest.presses(begins)
    await guest.types(number)
    await guest.presses('Search')
    await house.during(guest.page.getByLabel('Last name', { exact: true }).fill(`GASTIN${number}`))
    await guest.presses('Search')
  }

  async function wantsOut(booking: Booking): Promise<void> {
    await says(booking)
    await guest.reads('Do you want to check out now?')
    await guest.presses('Check out')
  }

  async function handsBack(): Promise<void> {
    await guest.reads('Please put your card into the slot.')
    await act('dispenser', 'return-card')
    await guest.reads('Have a good journey.')
  }

  it('takes the card back, ends its key, and gives the room to the next guest', async () => {
    const booking = await inHouse()
    const { units } = await stayOf(booking)
    await says(booking)
    await guest.reads('Your stay is booked until')
    await guest.presses('Check out')
    await handsBack()
    assert.partialDeepStrictEqual(await stayOf(booking), { status: 'CheckedOut', keys: { live: 0 } })
    const [key] = (await house.ask('GET', `/api/v2/access/keys?filter[stayId]=${booking.stayId}`)).body.data
    assert.equal(key.attributes.status, 'removed')
    const room = (await house.ask('GET', `/api/v2/units/${units[0].unitId}`)).body.data.attributes
    assert.partialDeepStrictEqual(room, { occupied: false, status: 'Dirty' })
    assert.deepEqual(await keptOrders(guest.page), [])

    await guest.presses('Return another card')
    await guest.reads('Please put your card into the slot.')
    await guest.presses('No more cards')
    await guest.reads('Have a good journey.')
    while ((await dispenser()).commandedState !== 'active') await house.during(Promise.resolve())
  })

  it('is of use to no stranger: without a card the desk is called, and the guest stays in house', async () => {
    const booking = await inHouse()
    await wantsOut(booking)
    await guest.reads('Please put your card into the slot.')
    await guest.reads('The machine has no card of yours.')
    await guest.presses('Try again')
    await guest.reads('Please put your card into the slot.')
    await guest.presses('I have no card')
    await guest.reads('Please check out at the desk')
    await guest.reads(/Your code is \d{4}/)
    assert.partialDeepStrictEqual(await stayOf(booking), { status: 'InHouse', keys: { live: 1 } })
    assert.equal((await dispenser()).commandedState, 'active', 'the entry is closed')
  })

  it('asks for the first card where a copy was handed back, which others could have had made', async () => {
    const booking = await inHouse()
    const [original] = (await house.ask('GET', '/api/config/v1/simulated-cards')).body.data
    await says(booking, 'I need another card')
    await guest.presses('I need another card')
    await guest.reads('Enjoy your stay.')
    await guest.presses('Done')
    await wantsOut(booking)
    await guest.reads('Please put your card into the slot.')
    await act('dispenser', 'return-card')
    await guest.reads('We have taken this card.')
    assert.partialDeepStrictEqual(await stayOf(booking), { status: 'InHouse', keys: { live: 1 } })
    await guest.presses('Try again')
    await guest.reads('Please put your card into the slot.')
    await act('dispenser', 'return-card', original.id)
    await guest.reads('Have a good journey.')
    assert.partialDeepStrictEqual(await stayOf(booking), { status: 'CheckedOut', keys: { live: 0 } })
  })

  it('is paid before the machine takes the card', async () => {
    await set({ keyBeforePayment: true })
    const booking = await house.arrival({ amount: { currency: 'EUR', amountWithTax: 90 } })
    await guest.entersNumber(booking.number)
    await guest.wantsKey()
    await guest.presses('Pay at the desk')
    await guest.reads('Enjoy your stay.')
    await guest.presses('Done')
    await wantsOut(booking)
    await guest.reads('€90.00 is still to be paid.')
    assert.equal((await dispenser()).commandedState, 'active')
    await guest.presses('Pay here by card')
    await guest.reads('Please put your card into the slot.')
    assert.partialDeepStrictEqual(await stayOf(booking), { status: 'InHouse', outstanding: 0 })
    await act('dispenser', 'return-card')
    await guest.reads('Have a good journey.')
    assert.partialDeepStrictEqual(await stayOf(booking), { status: 'CheckedOut', outstanding: 0 })
  })

  it('does not forget the card that it has kept while something is paid', async () => {
    const booking = await inHouse()
    await says(booking, 'I need another card')
    await guest.presses('I need another card')
    await guest.reads('Enjoy your stay.')
    await guest.presses('Done')
    await wantsOut(booking)
    await guest.reads('Please put your card into the slot.')
    await act('dispenser', 'return-card')
    await guest.reads('We have taken this card.')
    const path = `/api/v2/reservations/${booking.reservationId}/stays/${booking.stayId}`
    const body = { amount: { currency: 'EUR', amountWithTax: 12 } }
    assert.equal((await house.ask('PATCH', path, { body })).status, 204)
    await guest.presses('I have no card')
    await guest.presses('Pay here by card')
    await guest.reads('Please put your card into the slot.')
    await guest.presses('I have no card')
    await guest.reads('We have your card. A colleague will finish your check-out at the desk.')
    assert.partialDeepStrictEqual(await stayOf(booking), { status: 'InHouse', outstanding: 0 })
  })

  it('goes on after the page was loaded again while the machine took the card', async () => {
    const booking = await inHouse()
    await wantsOut(booking)
    await guest.reads('Please put your card into the slot.')
    await guest.page.reload()
    await act('dispenser', 'return-card')
    await guest.reads('Have a good journey.')
    assert.equal((await stayOf(booking)).status, 'CheckedOut')
  })

  it('needs no card where the desk has released the stay, also when the departure has come', async () => {
    const booking = await inHouse({ startDate: '2026-05-31' })
    const path = `/api/v2/reservations/${booking.reservationId}/stays/${booking.stayId}`
    const shortened = await house.ask('PATCH', path, { body: { endDate: monday } })
    assert.equal(shortened.status, 204, shortened.text)
    await says(booking, 'Touch to check in')
    await guest.reads('The time of your departure has come')
    await guest.presses('I would like to stay longer')
    await guest.reads(/Your code is \d{4}/)
    await guest.presses('Start again')
    const released = await house.ask('POST', `/api/v2/stays/${booking.stayId}/actions/release`)
    assert.equal(released.status, 200, released.text)
    await wantsOut(booking)
    await guest.reads('Have a good journey.')
    assert.equal((await stayOf(booking)).status, 'CheckedOut')
  })

  it('is done, although the machine fails that should take one more card', async () => {
    const booking = await inHouse()
    await wantsOut(booking)
    await handsBack()
    await act('dispenser', 'unplug')
    await guest.presses('Return another card')
    await guest.page.getByRole('button', { name: 'Return another card' }).waitFor({ state: 'detached' })
    await guest.reads('Have a good journey.')
    await act('dispenser', 'plug')
    await well(house)
  })

  it('reads a card at an encoder, which takes no card back', async () => {
    const booking = await inHouse()
    const [card] = (await house.ask('GET', '/api/config/v1/simulated-cards')).body.data
    const [{ id }] = (await house.ask('GET', '/api/config/v1/access-controllers')).body.data
    const body = { kind: 'encoder', dispenserId: null }
    const changed = await house.ask('PATCH', `/api/config/v1/access-controllers/${id}`, { body })
    assert.equal(changed.status, 204, changed.text)
    await guest.page.reload()
    await wantsOut(booking)
    await guest.reads('Please hold your card on the reader.')
    await act('encoder', 'lay-blank-card')
    await guest.reads('We could not read a card of your room.')
    await act('encoder', 'take-away-card')
    await guest.presses('Try again')
    await guest.reads('Please hold your card on the reader.')
    await act('encoder', 'lay-card', card.id)
    await guest.reads('Have a good journey.')
    await guest.reads('Please leave your cards at the desk.')
    assert.equal((await stayOf(booking)).status, 'CheckedOut')
  })
})
