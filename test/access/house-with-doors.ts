import assert from 'node:assert/strict'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { type Door, type DoorAnswer, door } from '../../drivers/hkr1/simulator/door.ts'
import type { SimulatedCard } from '../../src/simulators/devices/simulated-card.ts'
import { type Ask, type Reply, startAppliance, type TestAppliance, type TestOptions } from '../appliance.ts'
import { eventually as until } from '../eventually.ts'

export { until }

/** The lock secrets of these properties, by which their doors are built. */
export const secrets = { keys: { 1: '11'.repeat(32) }, master: '22'.repeat(32) }

/** The attributes of a guest's first card of a unit, for two nights. */
export const firstCard = (unitName: string) => ({
  type: 'keyCard',
  unitName,
  original: true,
  startDate: '2026-06-01',
  endDate: '2026-06-03',
})

/** A sample property whose lock secrets are known, so that its doors can be built. */
export interface Doors extends Pick<TestAppliance, 'ask' | 'lobby'> {
  controllerId: string
  dispenserId: string
  providerId: string
  issue(unitName: string, more?: Record<string, unknown>, how?: Parameters<Ask>[2]): Promise<Reply>
  /** Held to the unit's own door, which remembers what it was shown. */
  present(card: SimulatedCard, unitName: string): DoorAnswer
  /** Attributes of the key now. */
  key(id: string): Promise<Record<string, unknown>>
  dispenser(): Promise<Record<string, unknown>>
  /** What the journal holds, the oldest first. */
  journal(type?: string): { type: string; subject: string; data: Record<string, unknown> }[]
}

export type HouseWithDoors = TestAppliance & Doors

/** The deadlines are shortened: devices on wires within the process answer at once. */
const inProcess: Devices = { dispenser: 'simulated:dispenser', encoder: 'simulated:encoder', patience: 0.1 }

/** Where the two devices are reached. */
interface Devices {
  dispenser: string
  encoder: string
  patience: number
}

export async function houseWithDoors(options: TestOptions = {}): Promise<HouseWithDoors> {
  const house = await startAppliance(options)
  return Object.assign(house, await withDoors(house, house.data, house.clock.now))
}

/** The door of a unit with a lock that has seen no card. */
export function newDoor(unitName: string): Door {
  const keys = new Map(Object.entries(secrets.keys).map(([id, hex]) => [Number(id), Uint8Array.fromHex(hex)]))
  return door({ lock: Number(unitName), site: 1, keys, master: Uint8Array.fromHex(secrets.master) })
}

/** Makes the lock secrets of a running sample property known, and its devices impatient. */
export async function withDoors(
  { ask, lobby }: Pick<TestAppliance, 'ask' | 'lobby'>,
  data: string,
  now: () => number,
  { dispenser, encoder, patience }: Devices = inProcess,
): Promise<Doors> {
  const [providerId, controllerId, dispenserId] = await Promise.all(
    ['access-providers', 'access-controllers', 'dispensers'].map(async (path) => {
      const { body } = await ask('GET', `/api/config/v1/${path}`)
      return String(body.data[0].id)
    }),
  )
  const patch = async (path: string, body: object) =>
    assert.equal((await ask('PATCH', `/api/config/v1/${path}`, { body })).status, 204)
  await patch(`access-providers/${providerId}`, { credentials: secrets })
  await patch(`dispensers/${dispenserId}`, {
    device: { driver: 'crt571', path: dispenser, patience },
  })
  await patch(`access-controllers/${controllerId}`, {
    device: { driver: 'twn4', path: encoder, patience },
  })
  const doors = new Map<string, Door>()
  const doorOf = (unitName: string) => {
    const known = doors.get(unitName) ?? newDoor(unitName)
    doors.set(unitName, known)
    return known
  }
  return {
    ask,
    lobby,
    providerId: providerId!,
    controllerId: controllerId!,
    dispenserId: dispenserId!,
    issue: (unitName: string, more = {}, how = {}) =>
      ask('POST', `/api/v2/access/controllers/${controllerId}/key`, {
        body: { ...firstCard(unitName), ...more },
        ...how,
      }),
    present: (card: SimulatedCard, unitName: string) => doorOf(unitName).present(card, now()).code,
    key: async (id: string) => (await ask('GET', `/api/v2/access/keys/${id}`)).body.data.attributes,
    dispenser: async () =>
      (await ask('GET', `/api/v2/access/dispensers/${dispenserId}/status`)).body.data.attributes,
    journal: (type?: string) => journalIn(data, type),
  }
}

function journalIn(data: string, type = '%') {
  const file = new Database(join(data, 'nightporter.db'), { readonly: true })
  try {
    const rows = file
      .prepare('SELECT type, subject, data FROM journal WHERE type LIKE ? ORDER BY sequence')
      .all(type) as { type: string; subject: string; data: string }[]
    return rows.map((row) => ({ ...row, data: JSON.parse(row.data) as Record<string, unknown> }))
  } finally {
    file.close()
  }
}

/** Nobody's card is on its way any more. */
export function idle(house: Doors): Promise<unknown> {
  return until(
    'an idle dispenser',
    () => house.dispenser(),
    ({ state, cardPosition }) => state === 'active' && cardPosition === 'none',
  )
}

/** Attributes of the key once its card's way has ended. */
export async function settledKey(house: Doors, keyId: string): Promise<Record<string, unknown>> {
  await until(
    'the end of the card',
    () => house.ask('GET', `/api/v2/access/card-runs?filter[keyId]=${keyId}`),
    ({ body }) => body.data.every((run: { attributes: { step: string } }) => run.attributes.step === 'ended'),
  )
  return house.key(keyId)
}

/** Makes a card as a kiosk does that tries again while a device starts, and waits until the guest has taken it. */
export async function serve(house: Doors, unitName: string, more = {}) {
  await idle(house)
  const reply = await until(
    'a card',
    () => house.issue(unitName, more),
    ({ status, body }) => status !== 502 || !body.meta.errorCode.endsWith('-offline'),
  )
  assert.equal(reply.status, 201, reply.text)
  await idle(house)
  return { id: String(reply.body.data.id), card: house.lobby.dispenser.taken.at(-1)! }
}

/** A stay of the sample property, by the number of its confirmation: a unit is assigned to it, and it is `status` then. */
export async function sampleStay(
  { ask }: Pick<Doors, 'ask'>,
  number: number,
  status: 'InHouse' | 'Confirmed' = 'InHouse',
): Promise<{ path: string; unitName: string; externalId: string }> {
  const found = await ask('GET', `/api/v2/reservations?filter[reservationIds.searchForm]=NP-${number}`)
  const [reservation] = found.body.data
  const [stay] = reservation.attributes.stays
  const path = `/api/v2/reservations/${reservation.id}/stays/${stay.id}`
  const assigned = await ask('POST', `${path}/unit-assignment`)
  assert.equal(assigned.status, 200, assigned.text)
  if (status === 'InHouse') assert.equal((await ask('PATCH', path, { body: { status } })).status, 204)
  const [{ unitName }] = assigned.body.data.attributes.units
  return { path, unitName: String(unitName), externalId: String(stay.externalId) }
}
