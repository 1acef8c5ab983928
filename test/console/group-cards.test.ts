import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { type LockPc, lay, lift } from '../../drivers/industry-standard/simulator/lock-pc.ts'
import { blankCard, lockPcDesk } from '../access/lock-pc-desk.ts'
import { sockets } from '../access/sockets.ts'
import { eventually } from '../eventually.ts'
import { browserForSuite, type Tab, withoutBrowser } from './browser.ts'
import { type Booking, type KioskHouse, kioskHouse } from './kiosk-house.ts'

/** Cards for several guests, from one dialogue of the desk. */
describe('the cards of several stays', { skip: withoutBrowser }, () => {
  const browser = browserForSuite()
  const plugs = sockets()
  let house: KioskHouse
  let pc: LockPc
  let tab: Tab
  let page: Page
  let dialog: Locator
  before(async () => {
    house = await kioskHouse()
    const units = (await house.ask('GET', '/api/v2/units?page[size]=100')).body.data
    const rooms = units.map(({ attributes }: { attributes: { name: string } }) => attributes.name)
    ;({ pc } = await lockPcDesk(house, plugs, { rooms, options: { cardWaitMs: 3_000 }, timeoutMs: 8_000 }))
  })
  after(async () => {
    await house?.stop()
    plugs.close()
  })
  let guests: Booking[]
  afterEach(async () => {
    await tab?.close()
    // The rooms are free and clean for the next guests.
    for (const { reservationId, stayId } of guests) {
      const path = `/api/v2/reservations/${reservationId}/stays/${stayId}`
      const { status, units } = (await house.ask('GET', `/api/v2/stays/${stayId}`)).body.data.attributes
      await ask('PATCH', path, { status: status === 'InHouse' ? 'CheckedOut' : 'Canceled' })
      for (const { unitId } of units)
        if (unitId !== null) await ask('PATCH', `/api/v2/units/${unitId}`, { status: 'Clean' })
    }
  })

  async function ask(method: string, path: string, body: object = {}) {
    const reply = await house.ask(method, path, { body })
    assert.ok(reply.status < 300, reply.text)
    return reply.body
  }
  /** Whether each live key of a stay is an original, and the card it is on, the first one first. */
  const keysOf = async ({ stayId }: Booking): Promise<{ original: boolean; uid: string }[]> => {
    const path = `/api/v2/access/keys?filter[stayId]=${stayId}&filter[status]=live&sort=createdAt`
    const { body } = await house.ask('GET', path)
    return body.data.map(({ attributes }: { attributes: { original: boolean; uid: string } }) => attributes)
  }
  const originals = async (guest: Booking) => (await keysOf(guest)).map(({ original }) => original)

  /** A booking of several rooms for one guest each, all expected today. */
  async function group(adults: readonly number[], rooms = 1): Promise<Booking[]> {
    const [type] = (await house.ask('GET', '/api/v2/unit-types?sort=code')).body.data
    const stay = (count: number, at: number) => ({
      startDate: '2026-06-01',
      endDate: '2026-06-03',
      status: 'Confirmed',
      personCount: { adults: count },
      units: Array.from({ length: rooms }, () => ({ unitTypeId: type.id })),
      reservationIds: [{ type: 'Confirmation', value: `G${at}` }],
      profiles: [{ role: 'PrimaryGuest', firstName: 'Lucia', lastName: `Gästin${at}` }],
    })
    const { data } = await ask('POST', '/api/v2/reservations', { stays: adults.map(stay) })
    return data.attributes.stays.map(({ id }: { id: string }, at: number) => ({
      number: `G${at}`,
      reservationId: data.id,
      stayId: id,
    }))
  }
  /** Opens the sheet of the first guest, and a dialogue of the booking by its button. */
  async function open([first]: readonly Booking[], name: RegExp): Promise<void> {
    tab = await browser.openAgain(`${house.appliance.url}/desk#/stay/${first!.stayId}`)
    page = tab.page
    dialog = page.getByRole('dialog')
    await house.during(page.locator('#sheet').getByRole('button', { name }).click())
  }
  const presses = (name: string | RegExp) =>
    house.during(dialog.getByRole('button', { name, exact: typeof name === 'string' }).click())
  const reads = (text: string | RegExp) => house.during(dialog.getByText(text).first().waitFor())
  async function checkIn(guests: readonly Booking[]): Promise<void> {
    await open(guests, /^Check in all/)
    await presses(`Check in ${guests.length} guests`)
    await reads('All of them are in house.')
  }
  const at = (place: string) => house.during(dialog.getByLabel('Card at').selectOption(place))
  /** Checks a group in, and begins to make its cards. */
  async function begins(place: string, adults: readonly number[], rooms = 1): Promise<void> {
    guests = await group(adults, rooms)
    await checkIn(guests)
    await at(place)
    if (adults.some((each) => each > 1))
      await dialog.getByLabel('Cards', { exact: true }).selectOption('one for each adult')
    await presses(`Make the cards of ${guests.length} guests`)
  }
  const ended = (guest: Booking, text: string) =>
    house.during(dialog.locator('li', { hasText: guest.number }).getByText(text).waitFor())

  const secondGuest = 'Make the card for Gästin1, Lucia, G1'
  /** Puts a fresh card on the encoder of the lock system, and says so. */
  async function nextCard(name: string | RegExp): Promise<void> {
    await house.during(dialog.getByRole('button', { name, exact: typeof name === 'string' }).waitFor())
    await reads('Take the card from the encoder, and put the next one there.')
    lift(pc, 1)
    lay(pc, 1, blankCard())
    await presses(name)
  }
  const cardsOf = async (all: readonly Booking[]) =>
    new Set((await Promise.all(all.map(keysOf))).flat().map(({ uid }) => uid)).size

  it('are made one after the other at a dispenser, a copy for each further adult', async () => {
    await begins('Lobby kiosk', [2, 1, 1])
    await reads('Each guest has a card.')
    assert.deepEqual(await Promise.all(guests.map(originals)), [[true, false], [true], [true]])
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await house.during(
      page.getByRole('button', { name: /^Make the cards of/ }).waitFor({ state: 'detached' }),
    )
    tab.expectClean()
  })

  it('leave out who has a card, and who is not in house, from the sheet of the booking', async () => {
    guests = await group([1, 1, 1, 1])
    await open(guests, /^Check in all/)
    await dialog.locator('li', { hasText: 'G3' }).getByRole('checkbox').uncheck()
    await presses('Check in 3 guests')
    await ended(guests[2]!, 'in house')
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    await house.during(
      page.getByRole('button', { name: 'Make the cards of 3 guests of this booking' }).click(),
    )
    const [{ id }] = (await house.ask('GET', '/api/v2/access/controllers?filter[name]=Lobby kiosk')).body.data
    const { units } = (await house.ask('GET', `/api/v2/stays/${guests[1]!.stayId}`)).body.data.attributes
    const body = {
      type: 'keyCard',
      unitName: units[0].unitName,
      original: true,
      externalId: guests[1]!.stayId,
    }
    await ask('POST', `/api/v2/access/controllers/${id}/key`, {
      ...body,
      startDate: '2026-06-01',
      endDate: '2026-06-03',
    })
    await eventually(
      'the card is taken',
      async () => (await house.ask('GET', '/api/v2/access/card-runs')).body.data,
      (runs) => runs.every(({ attributes }: { attributes: { step: string } }) => attributes.step === 'ended'),
    )
    const before = await keysOf(guests[1]!)
    await at('Lobby kiosk')
    await presses('Make the cards of 3 guests')
    await reads('Each guest has a card.')
    await ended(guests[1]!, 'had a card already')
    assert.deepEqual(await keysOf(guests[1]!), before)
    assert.deepEqual(await Promise.all(guests.map(originals)), [[true], [true], [true], []])
    tab.expectClean()
  })

  it('wait for the clerk where one fails', async () => {
    const { dispenser } = house.lobby
    const { takenAfterMs } = dispenser
    dispenser.takenAfterMs = null
    await begins('Lobby kiosk', [1, 1, 1])
    await reads('The card was left in the machine.')
    dispenser.takenAfterMs = takenAfterMs
    await presses('Go on with the next guest')
    await ended(guests[0]!, 'cards are missing')
    await ended(guests[2]!, 'has the card')
    await presses('Make the cards of 1 guest')
    await reads('Each guest has a card.')
    assert.deepEqual(await Promise.all(guests.map(originals)), [[true], [true], [true]])
    tab.expectClean()
  })

  it('wait for the next card at an encoder of a lock system, which would write over the last one', async () => {
    await begins('Desk', [2, 1])
    for (const next of ['Make the card for Gästin0, Lucia, G0', /^Make the card of room/, secondGuest])
      await nextCard(next)
    await reads('Each guest has a card.')
    assert.deepEqual(await Promise.all(guests.map(originals)), [[true, false], [true]])
    assert.equal(await cardsOf(guests), 3)
    tab.expectClean()
  })

  it('end where the clerk stops, and go on later', async () => {
    await begins('Desk', [1, 1])
    await nextCard('Make the card for Gästin0, Lucia, G0')
    await house.during(dialog.getByRole('button', { name: secondGuest }).waitFor())
    await presses('Stop here')
    await presses('Make the cards of 1 guest')
    await nextCard(secondGuest)
    await reads('Each guest has a card.')
    assert.equal(await cardsOf(guests), 2)
    tab.expectClean()
  })

  it('leave the card of a guest alone where the clerk puts the next one away', async () => {
    await begins('Desk', [2, 1])
    await nextCard('Make the card for Gästin0, Lucia, G0')
    await house.during(dialog.getByRole('button', { name: /^Make the card of room/ }).waitFor())
    await presses('Done')
    await ended(guests[0]!, 'cards are missing')
    await nextCard(secondGuest)
    await ended(guests[1]!, 'has the card')
    assert.deepEqual(await Promise.all(guests.map(originals)), [[true], [true]])
    assert.equal(await cardsOf(guests), 2)
    await presses('Make the cards of 1 guest')
    await nextCard('Make the card for Gästin0, Lucia, G0')
    await reads('Each guest has a card.')
    assert.deepEqual(await Promise.all(guests.map(originals)), [[true, false], [true]])
    tab.expectClean()
  })

  it('go on with the card that is being made when the clerk has stopped', async () => {
    const { dispenser } = house.lobby
    const { takenAfterMs } = dispenser
    dispenser.takenAfterMs = null
    await begins('Lobby kiosk', [1, 1])
    await presses('Stop here')
    await presses('Make the cards of 2 guests')
    await reads('The card was left in the machine.')
    dispenser.takenAfterMs = takenAfterMs
    const made = async () =>
      (await house.ask('GET', `/api/v2/access/keys?filter[stayId]=${guests[0]!.stayId}`)).body.data.length
    assert.equal(await made(), 1, 'one card was ordered')
    await presses('Make it again')
    await reads('Each guest has a card.')
    assert.deepEqual(await Promise.all(guests.map(originals)), [[true], [true]])
    tab.expectClean()
  })

  it('are one for each room of a stay of several, and no more than adults', async () => {
    await begins('Lobby kiosk', [2, 1], 2)
    await reads('Each guest has a card.')
    assert.deepEqual(await Promise.all(guests.map(originals)), [
      [true, true],
      [true, true],
    ])
    tab.expectClean()
  })
})
