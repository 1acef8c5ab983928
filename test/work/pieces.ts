import assert from 'node:assert/strict'
import type { SharedReservation } from '../../src/pms/sync/shared-reservation.ts'
import { serveHttp } from '../../src/simulators/cloudevents/http-server.ts'
import { simulatedPms } from '../../src/simulators/cloudevents/simulated-pms.ts'
import { unitsIn } from '../../src/simulators/cloudevents/units.ts'
import type { Reply, TestAppliance } from '../appliance.ts'
import { passTime } from '../test-clock.ts'

/** Something that the program is asked for, whose work is counted. */
export interface Piece {
  name: string
  /** What has to be there before it, and is not counted. */
  ready?: () => Promise<unknown>
  work: () => Promise<unknown>
}

/** The pieces of work of a house, in an order in which they can be done one after the other. */
export async function piecesOf({ ask: askFor, clock, during }: TestAppliance): Promise<Piece[]> {
  const pms = simulatedPms({ clock, units: unitsIn('FAM:301-306')! })
  const pmsServer = await serveHttp(pms, { port: 0, clock })

  async function ask(method: string, path: string, body?: unknown): Promise<Reply> {
    const reply = await askFor(method, path, body === undefined ? {} : { body })
    assert.ok(reply.status < 300, `${method} ${path}: ${reply.status} ${reply.text}`)
    return reply
  }
  const first = async (path: string) => String((await ask('GET', path)).body.data[0].id)
  const unitTypeId = await first('/api/v2/unit-types?filter[code]=FAM')
  const profileId = await first('/api/v2/profiles?page[size]=1')
  const controller = `/api/v2/access/controllers/${await first('/api/config/v1/access-controllers')}`
  const day = (from: number) => new Date(clock.now() + from * 86_400_000).toISOString().slice(0, 10)
  await ask('PATCH', '/api/v2/availability/unit-types/FAM', [
    { startDate: day(-1), endDate: day(30), quantity: 10_000 },
  ])

  let number = 0
  const aStay = () => ({
    startDate: day(0),
    endDate: day(2),
    status: 'Confirmed',
    personCount: { adults: 2 },
    units: [{ unitTypeId }],
    reservationIds: [{ type: 'Confirmation', value: `WORK-${++number}` }],
    externalId: `work-stay-${number}`,
    amount: { currency: 'EUR', amountWithTax: 327 },
    profiles: [{ id: profileId, role: 'PrimaryGuest' }],
  })
  let reservation = ''
  let stay = ''
  async function book(): Promise<void> {
    const { body } = await ask('POST', '/api/v2/reservations', { stays: [aStay()] })
    reservation = `/api/v2/reservations/${body.data.id}`
    stay = `${reservation}/stays/${body.data.attributes.stays[0].id}`
  }
  const assign = () => ask('POST', `${stay}/unit-assignment`)
  /** Everything has run once. */
  for (let made = 0; made < 3; made++) {
    await book()
    await ask('GET', reservation)
  }

  /** A read of what was just written, and once more, when its answer is kept. */
  function reads(name: string, pathOf: () => string): Piece[] {
    const work = () => ask('GET', pathOf())
    // What availability owes to a write is published a moment later.
    const ready = () => book().then(() => during(clock.sleep(2_500)))
    return [
      { name: `${name}, first time`, ready, work },
      { name: `${name}, again`, ready: work, work },
    ]
  }

  let unit = 100
  let issued = ''
  async function issue(): Promise<void> {
    const body = {
      type: 'keyCard',
      unitName: String(++unit),
      original: true,
      startDate: day(0),
      endDate: day(2),
    }
    issued = (await ask('POST', `${controller}/key`, body)).body.data.id
  }

  let configuration = ''
  const pull = () => ask('POST', `${configuration}/actions/pull`)
  async function connect(): Promise<void> {
    const { body } = await ask('POST', '/api/config/v1/pms-configurations', {
      name: 'Simulated PMS',
      adapter: 'cloudevents',
      transport: 'http',
      connection: { baseUrl: pmsServer.baseUrl },
      heartbeatSeconds: 3600,
    })
    configuration = `/api/config/v1/pms-configurations/${body.data.id}`
    await ask('POST', `${configuration}/actions/full-load`)
  }
  const atPms = (): SharedReservation => ({
    externalId: null,
    stays: [
      {
        externalId: null,
        status: 'Confirmed',
        startDate: day(1),
        endDate: day(3),
        personCount: { adults: 1 },
        units: [{ unitTypeCode: 'FAM', unitName: null }],
        reservationIds: [{ type: 'Confirmation', value: `PMS-${++number}` }],
        amount: { currency: 'EUR', amountWithTax: 200 },
        guests: [
          { externalId: `G${number}`, role: 'PrimaryGuest', firstName: 'Anna', lastName: `Kern${number}` },
        ],
        comment: null,
      },
    ],
  })
  let external = ''
  async function isThere(filter: string): Promise<void> {
    for (let look = 0; look < 100; look++) {
      if ((await ask('GET', `/api/v2/stays?${filter}`)).body.data.length > 0) return
      await passTime(20)
    }
    assert.fail(`The change did not come: ${filter}`)
  }
  async function newAtPms(): Promise<void> {
    external = pms.book.make(atPms()).externalId
    await pull()
    await isThere(`filter[reservationIds.searchForm]=PMS-${number}`)
  }
  async function changedAtPms(): Promise<void> {
    const { value } = pms.book.reservations.get(external)!
    pms.book.put(external, {
      ...value!,
      stays: value!.stays.map((each) => ({ ...each, comment: 'Late arrival' })),
    })
    await pull()
    await isThere('filter[comment]=Late arrival')
  }

  return [
    ...reads('GET a reservation with a stay', () => reservation),
    ...reads(
      'GET a page of 10, by arrival',
      () => `/api/v2/reservations?filter[arrival]=${day(0)}&page[size]=10`,
    ),
    ...reads(
      'GET a reservation by confirmation number',
      () => `/api/v2/reservations?filter[reservationIds.searchForm]=WORK-${number}`,
    ),
    ...reads('GET a stay by externalId', () => `/api/v2/stays?filter[externalId]=work-stay-${number}`),
    { name: 'POST a reservation with a stay', work: book },
    { name: 'POST a stay', work: () => ask('POST', `${reservation}/stays`, aStay()) },
    { name: 'PATCH a reservation', work: () => ask('PATCH', reservation, { comment: `Quiet ${++number}` }) },
    { name: 'POST unit-assignment', ready: book, work: assign },
    {
      name: 'PATCH check-in',
      ready: () => book().then(assign),
      work: () => ask('PATCH', stay, { status: 'InHouse' }),
    },
    {
      name: 'POST record-payment',
      ready: book,
      work: () =>
        ask('POST', `${stay}/actions/record-payment`, { currency: 'EUR', amount: 100, brand: 'Cash' }),
    },
    { name: 'POST key: a card', work: issue },
    {
      name: 'POST block: a lost card',
      work: () => ask('POST', `/api/v2/access/keys/${issued}/actions/block`),
    },
    { name: 'pull: nothing new', ready: connect, work: pull },
    { name: 'pull: a new reservation', work: newAtPms },
    { name: 'pull: a changed reservation', work: changedAtPms },
  ]
}
