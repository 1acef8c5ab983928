import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { pms } from '../../drivers/fias/simulator/pms-simulator.ts'
import { frontDesk } from '../../drivers/fias/simulator/simulated-front-desk.ts'
import { clerk } from '../../src/simulators/cloudevents/clerk.ts'
import { sampleUnits, unitsIn } from '../../src/simulators/cloudevents/units.ts'
import { simulatedMews } from '../../src/simulators/mews/simulated-mews.ts'
import { until } from '../access/house-with-doors.ts'
import { monday } from '../appliance.ts'
import { openHouse, type ReservationHouse } from '../reservation/api/house.ts'
import { httpBench } from './adapters/cloudevents/http/http-bench.ts'
import { guestOf } from './adapters/fias/guests.ts'
import { listening } from './adapters/fias/pms-line.ts'

let house: ReservationHouse
const endings: (() => unknown)[] = []
before(async () => {
  house = await openHouse()
})
after(async () => {
  await house.stop()
  for (const end of endings) await end()
})

const pointAt = (attributes: Record<string, unknown>) =>
  house.make('/api/config/v1/pms-configurations', { heartbeatSeconds: 3600, ...attributes })

/** The names for a reservation at its PMS, of those that a search of a kiosk finds. */
async function found(search: string): Promise<string[]> {
  const reply = await house.ask('GET', `/api/v2/reservations?${search}`)
  assert.equal(reply.status, 200, reply.text)
  return reply.body.data.map(
    ({ attributes }: { attributes: { externalId: string } }) => attributes.externalId,
  )
}

/** A guest who comes with this number, and one who has but his name, find this reservation and no other. */
async function findsHimself(
  externalId: string,
  { number, lastName, arrival }: Record<'number' | 'lastName' | 'arrival', string>,
): Promise<void> {
  const byNumber = `filter[reservationIds.searchForm]=${encodeURIComponent(number)}`
  await until(
    `the reservation ${externalId}`,
    () => found(byNumber),
    (names) => names.join() === externalId,
  )
  const plain = lastName.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  const searches = [
    `filter[profile.lastName]=${encodeURIComponent(lastName)}`,
    `filter[profile.normalizedName][like]=${encodeURIComponent(plain)}`,
  ]
  for (const search of searches) {
    assert.deepEqual(await found(`${search}&filter[arrival]=${arrival}`), [externalId], search)
  }
}

describe('A guest at the kiosk finds himself by the number on his confirmation, and by name and day', () => {
  it('that come from a PMS of the open contract', async () => {
    const bench = await httpBench()
    endings.push(() => bench.close())
    const units = unitsIn(sampleUnits)!
    const kept = clerk({ book: bench.pms.book, units, now: bench.clock.now, seed: 1 }).books()
    await pointAt({
      name: 'Grand PMS',
      adapter: 'cloudevents',
      transport: 'http',
      connection: { baseUrl: bench.server.baseUrl },
    })
    const [stay] = kept.value!.stays
    const { lastName } = stay!.guests![0]!
    await findsHimself(kept.externalId, {
      number: kept.externalId.toLowerCase(),
      lastName,
      arrival: stay!.startDate,
    })
  })

  it('that come from Mews', async () => {
    const mews = await simulatedMews({ startMs: monday })
    endings.push(() => mews.close())
    const id = mews.book({ Number: '58 213', LastName: 'Ibáñez', FirstName: 'Julia' })
    await pointAt({
      name: 'Mews',
      adapter: 'mews',
      transport: 'http',
      connection: { platformAddress: mews.platformAddress, serviceId: mews.serviceId },
      credentials: { clientToken: mews.clientToken, accessToken: mews.accessToken },
    })
    await findsHimself(id, { number: '58213', lastName: 'Ibáñez', arrival: '2026-06-01' })
  })

  it('that come over FIAS, also when he parts from whom he came with', async () => {
    const foreign = pms({ clock: house.clock })
    const desk = frontDesk(foreign)
    const path = await listening({ after: (end: () => unknown) => void endings.push(end) }, foreign)
    await pointAt({
      name: 'FIAS',
      adapter: 'fias',
      conflictPolicy: { status: 'Pms' },
      connection: { direction: 'connect', path, patience: 1 },
    })
    await until(
      'a swap',
      () => desk.swaps,
      (swaps) => swaps > 0,
    )
    desk.checkIn(guestOf('4711', '301', { GS: 'Y', GN: 'Ahlström', GF: 'Anna' }))
    await findsHimself('4711', { number: '4711', lastName: 'Ahlström', arrival: '2026-06-01' })
    desk.checkIn(guestOf('4712', '301', { GS: 'Y', GN: 'Brück', GF: 'Bea' }))
    await until(
      'both',
      () => found('filter[profile.lastName]=Br%C3%BCck'),
      (names) => names.join() === '4711',
    )
    desk.move('4711', '302')
    await findsHimself('4711', { number: '4712', lastName: 'Brück', arrival: '2026-06-01' })
    await findsHimself('4711.2', { number: '4711', lastName: 'Ahlström', arrival: '2026-06-01' })
  })
})
