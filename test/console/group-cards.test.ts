import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { type LockPc, lay, lift } from '../../drivers/industry-standard/simulator/lock-pc.ts'
import { blankCard, lockPcDesk } from '../access/lock-pc-desk.ts'
import { sockets } from '../access/sockets.ts'
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
    // The rooms are free for the next guests.
    for (const { reservationId, stayId } of guests) {
      const path = `/api/v2/reservations/${reservationId}/stays/${stayId}`
      const { status } = (await house.ask('GET', `/api/v2/stays/${stayId}`)).body.data.attributes
      await ask('PATCH', path, { status: status === 'InHouse' ? 'CheckedOut' : 'Canceled' })
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
  async function group(adults: readonly number[]): Promise<Booking[]> {
    const [type] = (await house.ask('GET', '/api/v2/unit-types?sort=code')).body.data
    const stay = (count: number, at: number) => ({
      startDate: '2026-06-01',
      endDate: '2026-06-03',
      status: 'Confirmed',
      personCount: { adults: count },
      units: [{ unitTypeId: type.id }],
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
  const ended = (guest: Booking, text: string) =>
    house.during(dialog.locator('li', { hasText: guest.number }).getByText(text).waitFor())

  it('are made one after the other at a dispenser, a copy for each further adult', async () => {
    guests = await group([2, 1, 1])
    await checkIn(guests)
    await at('Lobby kiosk')
    await dialog.getByLabel('Cards', { exact: true }).selectOption('one for each adult')
    await presses('Make the cards of 3 guests')
    await reads('Each guest has a card.')
    assert.deepEqual(await Promise.all(guests.map(originals)), [[true, false], [true], [true]])
    await dialog.getByRole('button', { name: 'Close' }).last().click()
    assert.equal(await page.getByRole('button', { name: /^Make the cards of/ }).count(), 0)
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
    guests = await group([1, 1, 1])
    await checkIn(guests)
    await at('Lobby kiosk')
    dispenser.takenAfterMs = null
    await presses('Make the cards of 3 guests')
    await reads('The card was left in the machine.')
    dispenser.takenAfterMs = takenAfterMs
    await presses('Go on with the next guest')
    await ended(guests[0]!, 'no card yet')
    await ended(guests[2]!, 'has the card')
    await presses('Make the cards of 1 guest')
    await reads('Each guest has a card.')
    assert.deepEqual(await Promise.all(guests.map(originals)), [[true], [true], [true]])
    tab.expectClean()
  })

  it('wait for the next card at an encoder of a lock system, which would write over the last one', async () => {
    guests = await group([2, 1])
    await checkIn(guests)
    await at('Desk')
    await dialog.getByLabel('Cards', { exact: true }).selectOption('one for each adult')
    lay(pc, 1, blankCard())
    await presses('Make the cards of 2 guests')
    for (const next of [/^Make the card of room/, 'Make the card for Gästin1, Lucia, G1']) {
      await reads('Take the card from the encoder, and put the next one there.')
      lift(pc, 1)
      lay(pc, 1, blankCard())
      await presses(next)
    }
    await reads('Each guest has a card.')
    assert.deepEqual(await Promise.all(guests.map(originals)), [[true, false], [true]])
    const cards = (await Promise.all(guests.map(keysOf))).flat().map(({ uid }) => uid)
    assert.equal(new Set(cards).size, 3)
    tab.expectClean()
  })

  it('end where the clerk stops, and go on later', async () => {
    guests = await group([1, 1])
    await checkIn(guests)
    await at('Desk')
    lift(pc, 1)
    lay(pc, 1, blankCard())
    await presses('Make the cards of 2 guests')
    await reads('Take the card from the encoder')
    await presses('Stop here')
    await presses('Make the cards of 1 guest')
    await reads('Each guest has a card.')
    tab.expectClean()
  })
})
