import assert from 'node:assert/strict'
import { after, describe, it } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { type LockPc, lockPc } from '../../../drivers/industry-standard/simulator/lock-pc.ts'
import { simulateLockPc } from '../../../drivers/industry-standard/simulator/simulator.ts'
import { reader, simulateTwn4 } from '../../../drivers/twn4/simulator/simulator.ts'
import type { Judgement } from '../../../src/host/judged-clock.ts'
import { standalone } from '../../../src/pms/adapters/standalone/standalone.ts'
import { blankCards, type SimulatedCard } from '../../../src/simulators/devices/simulated-card.ts'
import { sockets } from '../../access/sockets.ts'
import type { TestOptions } from '../../appliance.ts'
import { withoutBrowser } from '../../console/browser.ts'
import { type Booking, type KioskHouse, kioskHouse } from '../../console/kiosk-house.ts'
import { scriptedAdapter } from '../../pms/adapters/scripted-adapter.ts'
import { trustedClock } from '../../test-clock.ts'
import { type GuestInLanguage, guestsInLanguages, ownType } from './kiosk-guest.ts'
import { languages } from './visit.ts'

interface Cause {
  options?: TestOptions
  /** The kiosk's controller, if it is another than the lobby's. */
  query?: string
  /** Prepares the house, and books the guest. */
  prepare?(house: KioskHouse): Promise<Booking>
  /** Goes wrong when the guest has been found. */
  begin(house: KioskHouse, page: Page, booking: Booking): unknown
  row: string
  /** What the front desk reads of the code that the guest gets; null where no colleague must continue. */
  failure: string | null
  /** What the guest does then, and has a card. */
  thenCard?(guest: GuestInLanguage): Promise<void>
}

const guests = guestsInLanguages()
const nothing = () => {}

async function change(house: KioskHouse, method: string, path: string, body?: object): Promise<void> {
  const { status, text } = await house.ask(method, path, body ? { body } : {})
  assert.ok(status < 300, text)
}

const stayOf = ({ reservationId, stayId }: Booking) => `/api/v2/reservations/${reservationId}/stays/${stayId}`

/** Does something to the house while a request of the page is on its way. */
const meanwhile = (page: Page, path: RegExp, method: string, work: (time: number) => Promise<void>) => {
  let times = 0
  return page.route(path, async (route: Route) => {
    if (route.request().method() === method) await work(times++)
    await route.continue()
  })
}

/** The dispenser refuses each feed with a code of its maker. */
const refusing = (code: string, failure: string): Cause => ({
  begin: ({ lobby }) => {
    const refusal = { at: 'move-encoder', does: 'refuse', code } as const
    lobby.dispenser.misbehaviours.push(...Array.from({ length: 8 }, () => refusal))
  },
  row: 'cannotMake',
  failure,
})

/** The box refuses to search. */
const closed = (code: string): Cause => ({
  begin: (_, page) =>
    page.route(/\/unit-assignment$/, (route) =>
      route.fulfill({
        status: 503,
        contentType: 'application/vnd.api+json',
        body: JSON.stringify({ errors: [{ status: '503', code, title: code, detail: code }] }),
      }),
    ),
  row: 'outOfService',
  failure: null,
})

/** Of two rooms of a type, the other one is changed. */
async function lacksRoom(house: KioskHouse, isOccupied: boolean): Promise<Booking> {
  const own = await ownType(house, 'T', 2)
  const other = await ownType(house, 'X')
  const [first, second] = own.unitPaths as [string, string]
  const { units } = own
  const move = (path: string) => change(house, 'PATCH', path, { unitTypeId: other.unitTypeId })
  const booking = await house.arrival({ units })
  if (isOccupied) {
    const there = await house.arrival({ units: [{ ...units[0], unitId: first.split('/').at(-1) }] })
    await change(house, 'PATCH', stayOf(there), { status: 'InHouse' })
  } else await move(first)
  await move(second)
  return booking
}

let judgement: Judgement = 'plausible'
const pms = scriptedAdapter()
const plugs = sockets()
let pc: LockPc
let lying: SimulatedCard[] = []

async function controller(house: KioskHouse, body: object): Promise<void> {
  const providers = await house.ask('GET', '/api/config/v1/access-providers')
  const providerId = providers.body.data[0].id
  const all = { name: 'Own', kind: 'encoder', keyType: 'keyCard', providerId, ...body }
  await change(house, 'POST', '/api/config/v1/access-controllers', all)
}

const causes: Record<string, Cause> = {
  'all rooms of the type are occupied': {
    prepare: (house) => lacksRoom(house, true),
    begin: nothing,
    row: 'preparing',
    failure: null,
  },
  'the type has no room': {
    prepare: (house) => lacksRoom(house, false),
    begin: nothing,
    row: 'needsColleague',
    failure: 'no-eligible-unit',
  },
  'the PMS refuses a room': {
    options: { adapters: [standalone, pms] },
    async prepare(house) {
      const made = await house.ask('POST', '/api/config/v1/pms-configurations', {
        body: { name: 'PMS', adapter: 'scripted' },
      })
      assert.equal(made.status, 201, made.text)
      pms.does({ assignUnit: () => ({ is: 'none-eligible', reason: 'Overbooked until noon.' }) })
      return house.arrival({}, { integrationId: made.body.data.id })
    },
    begin: nothing,
    row: 'needsColleague',
    failure: 'no-eligible-unit',
  },
  'a card of another guest opens the room': {
    async prepare(house) {
      const { body } = await house.ask('GET', '/api/v2/units?sort=name')
      const { unitTypeId, name: unitName } = body.data[0].attributes
      const [first, second] = body.data
        .filter(
          ({ attributes }: { attributes: Record<string, string> }) => attributes.unitTypeId === unitTypeId,
        )
        .map(({ id }: { id: string }) => ({ unitTypeId, unitId: id }))
      const there = await house.arrival({ units: [second] })
      await change(house, 'PATCH', stayOf(there), { status: 'InHouse' })
      const controllers = await house.ask('GET', '/api/v2/access/controllers')
      const order = { type: 'keyCard', unitName, original: true, externalId: there.stayId }
      const at = `/api/v2/access/controllers/${controllers.body.data[0].id}/key`
      await change(house, 'POST', at, { ...order, startDate: '2026-06-01', endDate: '2026-06-03' })
      return house.arrival({ units: [first] })
    },
    begin: nothing,
    row: 'notFree',
    failure: 'unit-occupied',
  },
  'the stay is shortened while the card is ordered': {
    begin: (house, page, booking) =>
      meanwhile(page, /\/key$/, 'POST', () =>
        change(house, 'PATCH', stayOf(booking), { endDate: '2026-06-02' }),
      ),
    row: 'changed',
    failure: 'kiosk-scope',
  },
  'the stay is changed twice while the guest is checked in': {
    begin: (house, page, booking) =>
      meanwhile(page, /\/stays\/[^/]+$/, 'PUT', (time) =>
        change(house, 'PATCH', stayOf(booking), { endTime: ['10:00', '10:30', '10:45'][time] }),
      ),
    row: 'changed',
    failure: 'revision-mismatch',
  },
  'a card is jammed': refusing('10', 'dispenser-jam'),
  'the motor does not turn': refusing('51', 'dispenser-motor'),
  'the bin is full': refusing('A1', 'dispenser-bin-full'),
  'the dispenser has no cable': {
    begin: ({ lobby }) => lobby.setPlugged('dispenser', false),
    row: 'cannotMake',
    failure: 'dispenser-offline',
  },
  'the lock system does not answer': {
    query: '?controller=Own',
    async prepare(house) {
      pc = lockPc({ clock: house.clock, rooms: ['9L1'], encoders: [1], shown: () => '202606011700' })
      const path = await plugs.plugIn((wire) => simulateLockPc(wire, pc))
      const own = await ownType(house, 'L')
      const made = await house.ask('POST', '/api/config/v1/access-providers', {
        body: {
          name: 'Lock PC',
          driver: 'industry-standard',
          connection: { path, patience: 0.2 },
          unitMapping: [{ unitName: '9L1', externalCode: '9L1' }],
        },
      })
      assert.equal(made.status, 201, made.text)
      await controller(house, { providerId: made.body.data.id, externalCode: '1' })
      return house.arrival({ units: own.units })
    },
    begin: () => {
      pc.misbehaviours.push(...Array.from({ length: 40 }, () => ({ at: 'ENQ', does: 'silence' as const })))
    },
    row: 'cannotMake',
    failure: 'lock-system-unreachable',
  },
  'the date of the box is not certain': {
    options: {
      judge: (machine) => ({
        ...trustedClock(machine),
        judged: () => ({
          judgement,
          machine: machine.now(),
          floor: machine.now(),
          stated: false,
          confirmed: true,
        }),
        isPlausible: () => judgement === 'plausible',
      }),
    },
    begin: () => {
      judgement = 'behind'
    },
    row: 'cannotMake',
    failure: 'clock-implausible',
  },
  'the last card still lies on the reader': {
    query: '?controller=Own',
    async prepare(house) {
      const encoder = reader({ clock: house.clock, antenna: { cards: () => lying } })
      const path = await plugs.plugIn((wire) => simulateTwn4(wire, encoder))
      await controller(house, { device: { driver: 'twn4', path, patience: 0.2 } })
      lying = blankCards(1, null, 'classic')
      return house.arrival()
    },
    begin: nothing,
    row: 'liftCard',
    failure: null,
    async thenCard(guest) {
      lying = blankCards(1, null, 'classic')
      await guest.inRoom()
    },
  },
  'the box starts': closed('starting-up'),
  'the box has no space left': closed('storage-full'),
  'the box is busy': closed('busy'),
}

async function expectFailure(
  house: KioskHouse,
  guest: GuestInLanguage,
  { stayId }: Booking,
  failure: string | null,
): Promise<void> {
  if (failure !== null) await guest.hasCode()
  const { body } = await house.ask('GET', `/api/v2/hand-overs?filter[stayId]=${stayId}`)
  const failures = body.data.map(({ attributes }: { attributes: { failure: string } }) => attributes.failure)
  assert.deepEqual(failures, failure === null ? [] : [failure])
}

describe('what a guest is told at a kiosk when', { skip: withoutBrowser }, () => {
  after(plugs.close)
  for (const [index, [what, cause]] of Object.entries(causes).entries()) {
    const language = languages[index % languages.length]!
    it(`${what}, in ${language}`, async () => {
      const house = await kioskHouse(cause.options)
      try {
        const booking = await (cause.prepare?.(house) ?? house.arrival())
        const guest = await guests.at(house, language, cause.query)
        await guest.finds(booking.number)
        await cause.begin(house, guest.page, booking)
        await guest.key()
        if (cause.thenCard) {
          await guest.inRoom()
          await guest.press('.controls .choices .button >> nth=0')
        }
        await guest.reads(cause.row)
        await expectFailure(house, guest, booking, cause.failure)
        await cause.thenCard?.(guest)
        await guest.ends(/status of [45]|net::ERR/)
      } finally {
        await guests.leave()
        await house.stop()
      }
    })
  }
})
