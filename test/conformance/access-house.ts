import assert from 'node:assert/strict'
import { reader, simulateTwn4 } from '../../drivers/twn4/simulator/simulator.ts'
import { blankCards, type SimulatedCard } from '../../src/simulators/devices/simulated-card.ts'
import { type Doors, idle, until, withDoors } from '../access/house-with-doors.ts'
import { type PinLocks, pinLocks } from '../access/pin-locks.ts'
import { sockets } from '../access/sockets.ts'
import type { Reply, TestOptions } from '../appliance.ts'
import { openHouse, type ReservationHouse } from '../reservation/api/house.ts'
import { testClock } from '../test-clock.ts'
import { another, nobody } from './facts.ts'
import type { Facts, Values } from './row.ts'
import type { Furnished } from './table.ts'

/** A sample property with a card dispenser, an encoder on a desk, PIN locks on a few doors, and a lock system switched off. */
export interface AccessHouse extends ReservationHouse {
  doors: Doors
  pins: PinLocks
  /** The encoder on the desk, and what lies on it. */
  deskId: string
  lay(card: SimulatedCard | null): void
  /** Makes PINs for a provider that is switched off. */
  offId: string
  offProviderId: string
}

export const blank = (): SimulatedCard => blankCards(1, null, 'classic')[0]!

/** A card whose every sector has keys of somebody else's. */
export function foreign(): SimulatedCard {
  const card = blank()
  for (let end = 64; end <= 1024; end += 64)
    card.memory.fill(0x5a, end - 16, end - 10).fill(0x5a, end - 6, end)
  return card
}

/** Days of a key that is due, and of one that is held: the PIN locks take keys two days ahead. */
export const due = { startDate: '2026-06-01', endDate: '2026-06-03' }
export const later = { startDate: '2026-06-20', endDate: '2026-06-22' }
export const aKey = { type: 'pinCode', unitName: '301', original: true, ...due }
export const aCard = { type: 'keyCard', unitName: '101', original: true, ...due }

export async function openAccessHouse(options: TestOptions = {}): Promise<AccessHouse> {
  // The rows name moments: the wall clock stands still.
  const clock = testClock({ always: false, wallStands: true })
  const house = (await openHouse({ clock, ...options })) as AccessHouse
  const plugs = sockets()
  house.doors = await withDoors(house, house.data, house.clock.now)
  house.pins = await pinLocks(house, ['301', '302', '303'])
  let onDesk: SimulatedCard | null = null
  house.lay = (card) => {
    onDesk = card
  }
  const encoder = reader({ clock: house.clock, antenna: { cards: () => (onDesk ? [onDesk] : []) } })
  const path = await plugs.plugIn((wire) => simulateTwn4(wire, encoder))
  house.deskId = await house.make('/api/config/v1/access-controllers', {
    name: 'Desk',
    providerId: house.doors.providerId,
    kind: 'encoder',
    keyType: 'keyCard',
    device: { driver: 'twn4', path, patience: 1 },
    timeoutMs: 1_000,
  })
  const { clientId, clientSecret, username, password } = house.pins.cloud
  house.offProviderId = await house.make('/api/config/v1/access-providers', {
    name: 'Switched off',
    driver: 'ttlock',
    enabled: false,
    // The same cloud, which would answer.
    connection: (await house.attributes(`/api/config/v1/access-providers/${house.pins.providerId}`))
      .connection,
    credentials: { clientId, clientSecret, username, password },
    unitMapping: [{ unitName: '301', externalCode: '1001' }],
  })
  house.offId = await house.make('/api/config/v1/access-controllers', {
    name: 'Off',
    providerId: house.offProviderId,
    kind: 'pin-generator',
    keyType: 'pinCode',
    virtualBefore: 'PT48H',
  })
  const stop = house.stop
  house.stop = async () => {
    await stop()
    house.pins.unplug()
    plugs.close()
  }
  return house
}

/** The same with a PIN that is live, one that is held, and an access unit. */
export async function furnishedForAccess(): Promise<Furnished<AccessHouse>> {
  const house = await openAccessHouse()
  const { doors, pins } = house
  await idle(doors)
  const stayExternalId = another('LIVE-')
  const live = await pinOf(house, { externalId: stayExternalId })
  const facts: Facts = {
    nobody,
    configurationId: pins.providerId,
    extensionName: 'unit-list',
    controllerId: pins.controllerId,
    deskId: house.deskId,
    dispenserId: doors.dispenserId,
    cardsId: doors.controllerId,
    offId: house.offId,
    stayExternalId,
    keyId: live,
    unitId: await house.make('access/units', { name: another('Gate '), providerId: pins.providerId }),
    state: 'active',
    cardPosition: 'encoder',
  }
  return { house, facts }
}

/** Makes a PIN; fails the test when it is refused. */
export async function pinOf({ ask, pins }: AccessHouse, body: Values = {}): Promise<string> {
  const made = await ask('POST', `/api/v2/access/controllers/${pins.controllerId}/key`, {
    body: { ...aKey, ...body },
  })
  return idIn(made)
}

/** Makes a card at the desk, which stays there. */
export async function cardOf(house: AccessHouse, body: Values = {}): Promise<string> {
  house.lay(blank())
  return idIn(await cardAsked(house, body))
}

/** The encoder is looked for when it is needed first. */
function cardAsked({ ask, deskId }: AccessHouse, body: Values): Promise<Reply> {
  return until(
    'the encoder of the desk',
    () => ask('POST', `/api/v2/access/controllers/${deskId}/key`, { body: { ...aCard, ...body } }),
    ({ body: answer }) => answer.meta?.errorCode !== 'encoder-offline',
  )
}

function idIn({ status, text, body }: Reply): string {
  assert.equal(status, 201, text)
  return body.data.id
}

/** Attributes of a key as they are read now. */
export async function keyNow({ attributes }: AccessHouse, id: string): Promise<Values> {
  return attributes(`/api/v2/access/keys/${id}`)
}
