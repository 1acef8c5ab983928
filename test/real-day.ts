import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { gunzipSync } from 'node:zlib'
import { parse } from 'csv-parse/sync'
import { type Door, door } from '../drivers/hkr1/simulator/door.ts'
import { localInstant } from '../src/host/zone.ts'
import { until } from './access/house-with-doors.ts'
import { type Reply, startAppliance, type TestAppliance } from './appliance.ts'
import { passTime, type SettableClock } from './test-clock.ts'

const bookings = join(import.meta.dirname, '../../shared/data/resort-bookings.csv.gz')
const day = '2015-07-06'
const zone = 'Europe/Lisbon'
const key = '07'.repeat(32)
const master = '11'.repeat(32)
const site = 7

interface Booking {
  reserved_room_type: string
  reservation_status: string
  stays_in_weekend_nights: string
  stays_in_week_nights: string
  adults: string
  children: string
  country: string
}

interface Guest {
  externalId: string
  unitName: string
  uid: string
}

/** Every arrival of the day that ended with a check-out. */
function arrivals(): Booking[] {
  const rows = parse(gunzipSync(readFileSync(bookings)), { columns: true }) as (Booking &
    Record<string, string>)[]
  const isToday = (row: Record<string, string>) =>
    `${row.arrival_date_year}-${row.arrival_date_month}-${row.arrival_date_day_of_month}` === '2015-July-6'
  return rows.filter((row) => isToday(row) && row.reservation_status === 'Check-Out')
}

/** Why the day cannot be played; false where it can. */
export const withoutBookings = existsSync(bookings) ? false : 'left out: the real bookings are not here'

/** When the first guest comes, Unix milliseconds. */
export const firstArrival = localInstant(day, '16:00', zone, 'start')

/** Addresses of the dispenser and the encoder of a lobby. */
export interface Lines {
  dispenser: string
  encoder: string
}

/** Every arrival of a real day at a resort gets a room and a card. `lines` says where the devices of the house are. */
export function realDay(
  over: string,
  skip: string | false,
  clock: SettableClock,
  lines: (house: TestAppliance) => Promise<Lines>,
): void {
  describe(`one real day of a resort over ${over}`, { skip }, () => {
    let house: TestAppliance
    let token: string
    const guests: Guest[] = []
    const doors = new Map<string, Door>()
    const units = new Map<string, string>()
    let controller: string

    const ask = (method: string, path: string, body?: unknown): Promise<Reply> =>
      house.ask(method, path, { token, ...(body !== undefined && { body }) })
    const expect = async (status: number, method: string, path: string, body?: unknown): Promise<Reply> => {
      const reply = await ask(method, path, body)
      assert.equal(reply.status, status, `${method} ${path}: ${reply.text}`)
      return reply
    }
    const create = async (path: string, body: unknown): Promise<string> =>
      (await expect(201, 'POST', path, body)).body.data.id

    before(async () => {
      house = await startAppliance({ sample: false, clock })
      const [, code] = /Pairing code (\d{8})/.exec(house.appliance.notes.join('\n')) ?? []
      token = (await house.ask('POST', '/api/config/v1/pairing', { token: null, body: { code } })).body.meta
        .token
      const [settings] = (await expect(200, 'GET', '/api/config/v1/settings')).body.data
      await expect(204, 'PATCH', `/api/config/v1/settings/${settings.id}`, {
        timeZone: zone,
        allowOpenBalance: true,
      })
      await openHouse()
    })

    after(() => house?.stop())

    /** As many rooms of each type as are needed, with a lock each. */
    async function openHouse(): Promise<void> {
      const codes = arrivals().map(({ reserved_room_type }) => reserved_room_type)
      let number = 100
      for (const code of new Set(codes)) {
        const unitTypeId = await create('/api/v2/unit-types', { code, name: `Type ${code}` })
        units.set(code, unitTypeId)
        for (const _ of codes.filter((each) => each === code)) {
          number++
          await create('/api/v2/units', { name: String(number), unitTypeId, status: 'Clean' })
        }
      }
      const unitMapping = Array.from({ length: number - 100 }, (_, index) => ({
        unitName: String(101 + index),
        externalCode: String(5001 + index),
      }))
      for (const { unitName, externalCode } of unitMapping) {
        const keys = new Map([[1, Buffer.from(key, 'hex')]])
        doors.set(
          unitName,
          door({ lock: Number(externalCode), site, keys, master: Buffer.from(master, 'hex') }),
        )
      }
      const providerId = await create('/api/config/v1/access-providers', {
        name: 'Locks',
        driver: 'mifare-local',
        connection: { siteId: site },
        credentials: { keys: { 1: key }, master },
        unitMapping,
      })
      const { dispenser, encoder } = await lines(house)
      const dispenserId = await create('/api/config/v1/dispensers', {
        name: 'Dispenser',
        device: {
          driver: 'crt591',
          path: dispenser,
        },
      })
      controller = await create('/api/config/v1/access-controllers', {
        name: 'Kiosk',
        providerId,
        dispenserId,
        kind: 'dispenser-encoder',
        keyType: 'keyCard',
        device: {
          driver: 'twn4',
          path: encoder,
        },
      })
      await until(
        'a dispenser that is ready',
        () => ask('GET', `/api/v2/access/dispensers/${dispenserId}/status`),
        ({ body }) => body.data.attributes.state === 'active',
      )
    }

    const allTaken = () =>
      until(
        'as many cards as guests',
        () => house.lobby.dispenser.taken.length,
        (taken) => taken === guests.length,
      )

    async function checkIn(booking: Booking, externalId: string): Promise<Guest> {
      const nights = Number(booking.stays_in_weekend_nights) + Number(booking.stays_in_week_nights)
      const end = new Date(Date.parse(day) + nights * 86_400_000).toISOString().slice(0, 10)
      const reservation = await create('/api/v2/reservations', {
        externalId,
        stays: [
          {
            startDate: day,
            endDate: end,
            ...(nights === 0 && { startTime: '10:00', endTime: '22:00' }),
            status: 'Confirmed',
            personCount: { adults: Number(booking.adults), children: Number(booking.children) },
            units: [{ unitTypeId: units.get(booking.reserved_room_type) }],
            reservationIds: [{ type: 'Confirmation', value: externalId }],
            externalId,
          },
        ],
      })
      const [stay] = (await expect(200, 'GET', `/api/v2/reservations/${reservation}/stays`)).body.data
      const path = `/api/v2/reservations/${reservation}/stays/${stay.id}`
      const { body } = await expect(200, 'POST', `${path}/unit-assignment`)
      const { unitName } = body.data.attributes.units[0]
      await expect(204, 'PATCH', path, { status: 'InHouse' })
      return { externalId, unitName, uid: await makeKey(unitName, externalId, end, stay.attributes) }
    }

    async function makeKey(
      unitName: string,
      externalId: string,
      endDate: string,
      stay: Record<string, unknown>,
    ): Promise<string> {
      const { startTime, endTime } = stay
      const order = {
        type: 'keyCard',
        unitName,
        original: true,
        startDate: day,
        startTime,
        endDate,
        endTime,
        externalId,
      }
      let made = await ask('POST', `/api/v2/access/controllers/${controller}/key`, order)
      // The guest before may still be taking his card.
      for (let tries = 0; made.status === 409 && tries < 100; tries++) {
        await passTime(50)
        made = await ask('POST', `/api/v2/access/controllers/${controller}/key`, order)
      }
      assert.equal(made.status, 201, made.text)
      return made.body.data.attributes.uid
    }

    const cardOf = ({ uid }: Guest) => {
      const card = house.lobby.dispenser.taken.find(
        (each) => Buffer.from(each.uid).toString('hex').toUpperCase() === uid,
      )
      assert.ok(card, `the guest has card ${uid}`)
      return card
    }

    it('checks every arrival in, and every card opens its own door and no other', async () => {
      for (const [index, booking] of arrivals().entries()) guests.push(await checkIn(booking, `DAY-${index}`))
      await allTaken()
      assert.equal(guests.length, 30)
      for (const guest of guests) {
        const opened = [...doors].filter(([, each]) => each.present(cardOf(guest), house.clock.now()).opens)
        assert.deepEqual(
          opened.map(([name]) => name),
          [guest.unitName],
        )
      }
    })

    it('has no unit with two stays in house', async () => {
      const names = guests.map(({ unitName }) => unitName)
      assert.equal(new Set(names).size, names.length)
      const { body } = await expect(200, 'GET', '/api/v2/reservations?filter[status]=InHouse&page[size]=100')
      const ids = body.data.flatMap((each: Reply['body']) => each.attributes.stays[0].units[0].unitId)
      assert.equal(new Set(ids).size, guests.length)
    })

    it('keeps the previous guest out once the next one has a card', async () => {
      const [first] = guests
      assert.ok(first)
      const { body } = await expect(200, 'GET', `/api/v2/reservations?filter[externalId]=${first.externalId}`)
      const [reservation] = body.data
      const [stay] = reservation.attributes.stays
      const path = `/api/v2/reservations/${reservation.id}/stays/${stay.id}`
      await expect(204, 'PATCH', path, { status: 'CheckedOut' })
      await expect(204, 'PATCH', `/api/v2/units/${stay.units[0].unitId}`, { status: 'Clean' })
      const next = await checkIn(arrivals()[0]!, 'NEXT')
      assert.equal(next.unitName, first.unitName)
      guests.push(next)
      await allTaken()
      const lock = doors.get(first.unitName)!
      assert.equal(lock.present(cardOf(next), house.clock.now()).opens, true)
      assert.equal(lock.present(cardOf(first), house.clock.now()).code, 'superseded')
    })
  })
}
