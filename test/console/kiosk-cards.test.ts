import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { browserForSuite, withoutBrowser } from './browser.ts'
import { type Booking, type Guest, guestAt, type KioskHouse, keptOrders, kioskHouse } from './kiosk-house.ts'

/** Guests who share a room want a card each, from one visit to the kiosk. */
describe('the cards of guests who share a room', { skip: withoutBrowser }, () => {
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
    // The copies that the lock system takes no more.
    guest?.tab.expectClean(/422/)
  })
  afterEach(async () => {
    await guest.presses(/^(Done|Start again)$/)
    await guest.reads('Touch to check in')
  })

  const question = 'How many cards would you like?'
  const enjoy = 'Enjoy your stay.'

  async function arrives(more: object): Promise<Booking> {
    const booking = await house.arrival(more)
    await guest.entersNumber(booking.number)
    await guest.wantsKey()
    return booking
  }

  /** The live keys of a stay: the name of the room, and whether it is an original. */
  const keysOf = async ({ stayId }: Booking) => {
    const { body } = await house.ask('GET', `/api/v2/access/keys?filter[stayId]=${stayId}&sort=createdAt`)
    type Row = { attributes: { unitName: string; original: boolean; status: string } }
    return body.data
      .filter(({ attributes }: Row) => attributes.status === 'live')
      .map(({ attributes }: Row) => attributes.original)
  }
  const choices = async () =>
    (await guest.page.getByRole('button', { name: /^\d cards?$/ }).allInnerTexts()).map((each) => each.trim())

  it('are as many as they want: one for each adult at most', async () => {
    const booking = await arrives({ personCount: { adults: 2, infants: 1 } })
    await guest.reads(question)
    assert.deepEqual(await choices(), ['1 card', '2 cards'])
    assert.deepEqual(await keysOf(booking), [], 'no card is made before the answer')
    await guest.presses('2 cards')
    await guest.reads(enjoy)
    assert.deepEqual(await keysOf(booking), [true, false])
    assert.equal(await guest.page.getByText('•••').count(), 1, 'the room is there once')
    assert.deepEqual(await keptOrders(guest.page), [])
  })

  it('may be fewer than there are adults', async () => {
    const booking = await arrives({ personCount: { adults: 2 } })
    await guest.presses('1 card')
    await guest.reads(enjoy)
    assert.deepEqual(await keysOf(booking), [true])
  })

  it('are not asked for where one adult arrives with children', async () => {
    const booking = await arrives({ personCount: { adults: 1, children: 1 } })
    await guest.reads(enjoy)
    assert.deepEqual(await keysOf(booking), [true])
  })

  it('are as many for each room of the stay', async () => {
    const [{ id }] = (await house.ask('GET', '/api/v2/unit-types?sort=code')).body.data
    const units = [{ unitTypeId: id }, { unitTypeId: id }]
    const booking = await arrives({ personCount: { adults: 3 }, units })
    await guest.reads('Each room gets this number of cards.')
    assert.deepEqual(await choices(), ['1 card', '2 cards'])
    await guest.presses('2 cards')
    await guest.reads(enjoy)
    assert.deepEqual(await keysOf(booking), [true, false, true, false])
    assert.equal(await guest.page.getByText('•••').count(), 2)
  })

  it('go on after a reload with the card that was ordered, and are not made twice', async () => {
    const booking = await arrives({ personCount: { adults: 2 } })
    let asked = 0
    const orders = new Set<string | undefined>()
    await guest.page.route(/\/controllers\/[^/]+\/key$/, async (route) => {
      orders.add(route.request().headers()['idempotency-key'])
      // The box makes the second card, and its answer does not reach the page.
      if (++asked !== 2) return route.continue()
      await route.fetch()
      void guest.page.reload()
    })
    await guest.presses('2 cards')
    await guest.reads(enjoy)
    await guest.page.unroute(/\/controllers\/[^/]+\/key$/)
    assert.deepEqual(await keysOf(booking), [true, false])
    assert.equal(orders.size, 2)
  })

  it('leave the guest the first one and the room where a copy cannot be made, and say so', async () => {
    const [{ id, attributes }] = (await house.ask('GET', '/api/config/v1/access-providers')).body.data
    const set = async (maxCopies: number) =>
      assert.equal(
        (await house.ask('PATCH', `/api/config/v1/access-providers/${id}`, { body: { maxCopies } })).status,
        204,
      )
    await set(0)
    try {
      const booking = await arrives({ personCount: { adults: 2 } })
      await guest.presses('2 cards')
      await guest.reads('We could not make every card.')
      await guest.reads(enjoy)
      assert.deepEqual(await keysOf(booking), [true])
      assert.deepEqual(await keptOrders(guest.page), [])
      await guest.presses('Show my room number')
      assert.equal(await guest.page.getByText('•••').count(), 0)
    } finally {
      await set(attributes.maxCopies)
    }
  })
})
