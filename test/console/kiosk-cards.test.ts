import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import { browserForSuite, withoutBrowser } from './browser.ts'
import { type Booking, type Guest, guestAt, type KioskHouse, keptOrders, kioskHouse } from './kiosk-house.ts'

const orders = /\/controllers\/[^/]+\/key$/

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
    // The copies that the lock system takes no more, and one without its original.
    guest?.tab.expectClean(/409|422/)
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

  it('are asked of the guest whose name was typed, who is not greeted with the name of the other', async () => {
    const profiles = [
      { role: 'PrimaryGuest', firstName: 'Lucia', lastName: 'Pera' },
      { role: 'AdditionalGuest', firstName: 'Mia', lastName: 'Müller' },
    ]
    const { number } = await house.arrival({ personCount: { adults: 2 }, profiles })
    await guest.entersNumber(number, 'MUELLER')
    await guest.reads(/ Mia M\.$/)
  })

  /** Whether each live key of a stay is an original, the first one first. */
  const keysOf = async ({ stayId }: Booking): Promise<boolean[]> => {
    const path = `/api/v2/access/keys?filter[stayId]=${stayId}&filter[status]=live&sort=createdAt`
    const { body } = await house.ask('GET', path)
    return body.data.map(({ attributes }: { attributes: { original: boolean } }) => attributes.original)
  }
  const statusOf = async ({ stayId }: Booking) =>
    (await house.ask('GET', `/api/v2/stays/${stayId}`)).body.data.attributes.status
  const roomsShown = () => guest.page.getByText('•••').count()

  /** Does something when the page orders its second card. Resolves with the number of orders that the page has made since. */
  async function atSecondOrder(work: () => Promise<'send' | 'lose'>): Promise<() => Promise<number>> {
    let asked = 0
    const keys = new Set<string | undefined>()
    await guest.page.route(orders, async (route) => {
      keys.add(route.request().headers()['idempotency-key'])
      if (++asked !== 2 || (await work()) === 'send') await route.continue()
    })
    return async () => {
      await guest.page.unroute(orders)
      return keys.size
    }
  }

  /** Runs something while the lock system takes no copies. */
  async function withoutCopies(work: () => Promise<void>): Promise<void> {
    const [{ id, attributes }] = (await house.ask('GET', '/api/config/v1/access-providers')).body.data
    const set = async (maxCopies: number) => {
      const path = `/api/config/v1/access-providers/${id}`
      assert.equal((await house.ask('PATCH', path, { body: { maxCopies } })).status, 204)
    }
    await set(0)
    try {
      await work()
    } finally {
      await set(attributes.maxCopies)
    }
  }

  it('are as many as they want, one for each adult at most, and are asked for before anything is done', async () => {
    const booking = await arrives({ personCount: { adults: 2, infants: 1 } })
    await guest.reads(question)
    const choices = await guest.page.getByRole('button', { name: /^\d cards?$/ }).allInnerTexts()
    assert.deepEqual(
      choices.map((each) => each.trim()),
      ['1 card', '2 cards'],
    )
    await guest.presses('Back')
    await guest.reads('Your telephone number is missing.')
    await guest.presses('Go on without it')
    assert.equal(await statusOf(booking), 'Confirmed')
    await guest.presses('2 cards')
    await guest.reads(enjoy)
    assert.deepEqual(await keysOf(booking), [true, false])
    assert.equal(await roomsShown(), 1)
    assert.deepEqual(await keptOrders(guest.page), [])
  })

  it('may be fewer than there are adults', async () => {
    const booking = await arrives({ personCount: { adults: 2 } })
    await guest.presses('1 card')
    await guest.reads(enjoy)
    assert.deepEqual(await keysOf(booking), [true])
  })

  it('are as many after a payment', async () => {
    const amount = { currency: 'EUR', amountWithTax: 90 }
    const booking = await arrives({ personCount: { adults: 2 }, amount })
    await guest.presses('2 cards')
    await guest.presses('Pay here by card')
    await guest.reads(enjoy)
    assert.deepEqual(await keysOf(booking), [true, false])
  })

  it('are not asked for where one adult arrives with children, and for several rooms', async () => {
    const alone = await arrives({ personCount: { adults: 1, children: 1 } })
    await guest.reads(enjoy)
    assert.deepEqual(await keysOf(alone), [true])
    await guest.presses('Done')
    const [{ id }] = (await house.ask('GET', '/api/v2/unit-types?sort=code')).body.data
    const units = [{ unitTypeId: id }, { unitTypeId: id }]
    const several = await arrives({ personCount: { adults: 3 }, units })
    await guest.reads(enjoy)
    assert.deepEqual(await keysOf(several), [true, true])
    assert.equal(await roomsShown(), 2)
  })

  it('are those of the stay that is checked in, and not of another one that was looked at before', async () => {
    const amount = { currency: 'EUR', amountWithTax: 90 }
    await arrives({ personCount: { adults: 2 }, amount })
    await guest.presses('2 cards')
    await guest.reads('Pay here by card')
    const other = await house.arrival({ personCount: { adults: 1 } })
    const heading = guest.page.getByRole('heading', { level: 1 })
    while ((await heading.innerText()) !== 'Please enter your booking number.') await guest.presses('Back')
    await house.during(guest.page.getByLabel('Booking number').fill(other.number))
    await guest.presses('Search')
    await house.during(guest.page.getByLabel('Last name', { exact: true }).fill(`GASTIN${other.number}`))
    await guest.presses('Search')
    await guest.wantsKey()
    await guest.reads(enjoy)
    assert.deepEqual(await keysOf(other), [true])
  })

  it('are not asked for where a booking has no adult', async () => {
    const booking = await arrives({ personCount: { adults: 0, children: 1 } })
    await guest.reads(enjoy)
    assert.deepEqual(await keysOf(booking), [true])
  })

  it('go on after a reload with the card that was ordered, and none is made twice', async () => {
    const booking = await arrives({ personCount: { adults: 2 } })
    const ordered = await atSecondOrder(async () => {
      void guest.page.reload()
      return 'send'
    })
    await guest.presses('2 cards')
    await guest.reads(enjoy)
    assert.equal(await ordered(), 2)
    assert.deepEqual(await keysOf(booking), [true, false])
    assert.equal(await roomsShown(), 1)
  })

  for (const isReloaded of [false, true])
    it(`leave the guest the first one and the room where a copy cannot be made${isReloaded ? ' after a reload' : ''}, and say so`, () =>
      withoutCopies(async () => {
        const booking = await arrives({ personCount: { adults: 2 } })
        const ordered = await atSecondOrder(async () => {
          if (isReloaded) void guest.page.reload()
          return isReloaded ? 'lose' : 'send'
        })
        await guest.presses('2 cards')
        await guest.reads('We could not make every card.')
        await guest.reads(enjoy)
        assert.equal(await ordered(), 2)
        assert.deepEqual(await keysOf(booking), [true])
        assert.deepEqual(await keptOrders(guest.page), [])
        assert.equal(await roomsShown(), 1)
      }))

  it('leave the guest the first one and the room where a copy is left in the slot', async () => {
    const { dispenser } = house.lobby
    const { takenAfterMs } = dispenser
    const booking = await arrives({ personCount: { adults: 2 } })
    const ordered = await atSecondOrder(async () => {
      dispenser.takenAfterMs = null
      return 'send'
    })
    try {
      await guest.presses('2 cards')
      await guest.reads('A card was not taken and is back in the machine')
    } finally {
      dispenser.takenAfterMs = takenAfterMs
    }
    await guest.reads(enjoy)
    assert.equal(await guest.page.getByRole('button', { name: 'I need another card' }).count(), 0)
    assert.deepEqual(await keptOrders(guest.page), [])
    assert.equal(await ordered(), 2)
    assert.deepEqual(await keysOf(booking), [true])
    assert.equal(await roomsShown(), 1)
  })

  it('end with the key that the desk has ended meanwhile: no new original is made for it', async () => {
    const booking = await arrives({ personCount: { adults: 2 } })
    const ordered = await atSecondOrder(async () => {
      const [key] = (await house.ask('GET', `/api/v2/access/keys?filter[stayId]=${booking.stayId}`)).body.data
      const reply = await house.ask('DELETE', `/api/v2/access/keys/${key.id}`)
      assert.ok(reply.status < 300, reply.text)
      return 'send'
    })
    await guest.presses('2 cards')
    await guest.reads('We could not make every card.')
    assert.equal(await ordered(), 2)
    assert.deepEqual(await keysOf(booking), [])
  })
})
