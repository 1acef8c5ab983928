import assert from 'node:assert/strict'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { type Ask, startAppliance, type TestAppliance, type TestOptions } from '../appliance.ts'
import { passTime, testClock } from '../test-clock.ts'
import type { Tab, TabOptions } from './browser.ts'

/** A sample hotel with a kiosk, whose devices take no time, and the guests that a test needs. */
export interface KioskHouse extends TestAppliance {
  /** Books a stay from today for two nights, without a price unless `more` says otherwise. `reservation` is more of its reservation. */
  arrival(more?: object, reservation?: object): Promise<Booking>
}

export interface Booking {
  number: string
  reservationId: string
  stayId: string
}

/** The date in Lisbon of a house that was started at `monday`. */
export const monday = '2026-06-01'

let numbers = 0

export async function kioskHouse(options: TestOptions = {}): Promise<KioskHouse> {
  const clock = testClock({ always: false, wallStands: true })
  const house = await startAppliance({ clock, ...options })
  await started(house)
  return Object.assign(house, { arrival: await bookings(house.ask) })
}

const isWell = async ({ ask }: TestAppliance) =>
  (await ask('GET', '/api/v2/status')).body.data.attributes.status === 'pass'

/** Resolves when all devices of the house have started, and nothing else is wrong with it. */
export async function well(house: TestAppliance): Promise<void> {
  while (!(await isWell(house))) await house.during(passTime(100))
}

/** Lets the devices start, for a while: a page that comes before them looks again after five seconds of the machine's time. */
async function started(house: TestAppliance): Promise<void> {
  for (let tries = 0; tries < 30 && !(await isWell(house)); tries++) await house.during(passTime(100))
}

/** Books the guests that a test needs, in a sample hotel. */
export async function bookings(ask: Ask): Promise<KioskHouse['arrival']> {
  const types = await ask('GET', '/api/v2/unit-types?sort=code')
  const typeIds: string[] = types.body.data.map(({ id }: { id: string }) => id)

  async function booked(
    number: string,
    unitTypeId: string,
    more: object,
    reservation: object,
  ): Promise<Booking | null> {
    const stay = {
      startDate: monday,
      endDate: '2026-06-03',
      status: 'Confirmed',
      personCount: { adults: 1 },
      units: [{ unitTypeId }],
      reservationIds: [{ type: 'Confirmation', value: number }],
      profiles: [{ role: 'PrimaryGuest', firstName: 'Lucia', lastName: `Gästin${number}` }],
      ...more,
    }
    const reply = await ask('POST', '/api/v2/reservations', { body: { ...reservation, stays: [stay] } })
    if (reply.body.errors?.[0].code === 'no-eligible-unit') return null
    assert.equal(reply.status, 201, reply.text)
    const { id, attributes } = reply.body.data
    return { number, reservationId: id, stayId: attributes.stays[0].id }
  }

  return async (more = {}, reservation = {}) => {
    const number = `K${++numbers}`
    // The rooms of a type may all be taken by the guests of earlier tests.
    for (const unitTypeId of typeIds) {
      const made = await booked(number, unitTypeId, more, reservation)
      if (made) return made
    }
    throw new Error('no room is left')
  }
}

/** A kiosk as a guest uses it. */
export interface Guest {
  page: Page
  tab: Tab
  /** Waits for a text, while time goes by for the devices. */
  reads(text: string | RegExp): Promise<void>
  presses(name: string | RegExp): Promise<void>
  /** Types with the keyboard on the screen. */
  types(text: string): Promise<void>
  /** From the start to the greeting. `name` is the last name of the guest, if it is not that of a booking of this house. */
  entersNumber(number: string, name?: string): Promise<void>
  /** From the greeting to the card, without the missing details. */
  wantsKey(): Promise<void>
}

export const tall: BrowserContextOptions = { viewport: { width: 1080, height: 1920 } }

/** The page asks each second what has become of a card, and here ten times as often. */
const looksOften = `{
  const { setTimeout } = globalThis
  globalThis.setTimeout = (run, ms, ...values) => setTimeout(run, ms === 1000 ? 100 : ms, ...values)
}`

/** A page of a kiosk in a house, where time goes by for the devices `during` something. */
export async function guestAt(
  house: { appliance: { url: string }; during: TestAppliance['during'] },
  browser: { open(url: string, options?: TabOptions): Promise<Tab> },
  options: BrowserContextOptions = tall,
  query = '',
): Promise<Guest> {
  const tab = await browser.open(`${house.appliance.url}/kiosk${query}`, { ...options, script: looksOften })
  return guestOn(tab, house)
}

/** A guest at a page that is open already. */
export function guestOn(tab: Tab, house: { during: TestAppliance['during'] }): Guest {
  const { page } = tab
  const guest: Guest = {
    page,
    tab,
    reads: (text) => house.during(page.getByText(text).first().waitFor()),
    presses: (name) =>
      house.during(
        page
          .getByRole('button', { name, exact: typeof name === 'string' })
          .first()
          .click(),
      ),
    async types(text) {
      for (const letter of text) await page.getByRole('button', { name: letter, exact: true }).click()
    },
    async entersNumber(number, name = `GASTIN${number}`) {
      await guest.presses('Touch to check in')
      await guest.types(number)
      await guest.presses('Search')
      await house.during(page.getByLabel('Last name', { exact: true }).fill(name))
      await guest.presses('Search')
    },
    async wantsKey() {
      await guest.presses('Yes, get my key')
      await guest.presses('Go on without it')
      await guest.presses('Go on without it')
    },
  }
  return guest
}

/** What the browser would still know of ordered cards after a power cut. */
export const keptOrders = (page: Page): Promise<object[]> =>
  page.evaluate(`new Promise((resolve) => {
    const open = indexedDB.open('nightporter.kiosk', 1)
    open.onsuccess = () => {
      const all = open.result.transaction('orders').objectStore('orders').getAll()
      all.onsuccess = () => resolve(all.result)
    }
  })`)
