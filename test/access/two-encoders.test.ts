import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { SimulatedCard } from '../../src/simulators/devices/simulated-card.ts'
import type { SimulatedReader } from '../../src/simulators/devices/simulated-reader.ts'
import type { Reply } from '../appliance.ts'
import { type Guest, type GuestsOfUnits, guestsOfUnits } from './guests-of-units.ts'
import { blank, type HouseWithDesk, houseWithDesk } from './house-with-desk.ts'
import { idle } from './house-with-doors.ts'

let house: HouseWithDesk
let guests: GuestsOfUnits
/** The ids of the units and of their types. */
let units: Map<string, object>

before(async () => {
  house = await houseWithDesk()
  guests = await guestsOfUnits(house.ask)
  house.lobby.dispenser.takenAfterMs = 0
  house.lobby.dispenser.binCapacity = 10_000
  const { data } = (await house.ask('GET', '/api/v2/units?page[size]=100')).body
  units = new Map(
    data.map(({ id, attributes: { name, unitTypeId } }: Unit) => [name, { unitId: id, unitTypeId }]),
  )
  // Time goes by at the other encoder while one stands still.
  for (const id of [house.desk.controllerId, house.controllerId]) await beSlow(id)
})
after(() => house.stop())

interface Unit {
  id: string
  attributes: { name: string; unitTypeId: string }
}

async function beSlow(id: string): Promise<void> {
  const path = `/api/config/v1/access-controllers/${id}`
  const { device } = (await house.ask('GET', path)).body.data.attributes
  const body = { timeoutMs: 60_000, device: { ...device, patience: 10 } }
  assert.equal((await house.ask('PATCH', path, { body })).status, 204)
}

/** A room whose guest has a card, while the desk or the lobby makes another one for the guest. */
interface Scene {
  unitName: string
  guest: Guest
  /** The stays of the room: that of the guest, and of who comes next. */
  stays: Guest[]
  /** The key of the card that the guest has. */
  first: string
  /** The cards in people's hands. */
  cards: SimulatedCard[]
  /** Makes a card at the encoder that does not stand still. */
  other(guest: Guest, more?: object): Promise<Reply>
}

const keyOf = (unitName: string, { externalId }: Guest, more: object = {}) => ({
  type: 'keyCard',
  unitName,
  original: true,
  startDate: '2026-06-01',
  endDate: '2026-06-03',
  externalId,
  ...more,
})

async function atDesk(scene: Pick<Scene, 'unitName' | 'cards'>, guest: Guest, more?: object) {
  const card = blank()
  house.desk.card = card
  scene.cards.push(card)
  return house.desk.make(scene.unitName, keyOf(scene.unitName, guest, more))
}

async function atLobby(scene: Pick<Scene, 'unitName' | 'cards'>, guest: Guest, more?: object) {
  const { taken, stack } = house.lobby.dispenser
  stack.push(...Array.from({ length: 3 }, blank))
  const before = taken.length
  const made = await house.issue(scene.unitName, keyOf(scene.unitName, guest, more))
  await idle(house)
  scene.cards.push(...taken.slice(before))
  return made
}

const places = {
  desk: { make: atDesk, reader: (): SimulatedReader => house.desk.encoder },
  lobby: { make: atLobby, reader: (): SimulatedReader => house.lobby.encoder },
}
type Place = keyof typeof places

/** Lets a reader stand still at its command with this number from now on, until `goOn`. */
function standAt(reader: SimulatedReader, number: number) {
  const reached = Promise.withResolvers<void>()
  const released = Promise.withResolvers<void>()
  let count = 0
  const { clock, pace } = reader
  const sleep = async () => {
    if (++count !== number) return
    reached.resolve()
    await released.promise
  }
  Object.assign(reader, { pace: 1, clock: { ...clock, sleep } })
  return {
    reached: reached.promise,
    goOn: () => released.resolve(),
    /** How many commands there were. */
    end(): number {
      Object.assign(reader, { pace, clock })
      return count
    },
  }
}

async function sceneAt(unitName: string, place: Place): Promise<Scene> {
  const scene = { unitName, cards: [] as SimulatedCard[] }
  const guest = await guests.booked(unitName, 1, 3)
  await guests.become(guest, 'InHouse')
  const first = await atLobby(scene, guest)
  assert.equal(first.status, 201, first.text)
  const { make } = places[place === 'desk' ? 'lobby' : 'desk']
  return {
    ...scene,
    guest,
    stays: [guest],
    first: first.body.data.id,
    other: (whose, more) => make(scene, whose, more),
  }
}

/** The next guest checks in, and gets a card. */
async function nextGuest({ unitName, stays, other }: Scene): Promise<void> {
  const next = await guests.booked(unitName, 1, 3)
  stays.push(next)
  await guests.become(next, 'InHouse')
  const made = await other(next)
  assert.equal(made.status, 201, made.text)
}

const act = (id: string, verb: string) => house.ask('POST', `/api/v2/access/keys/${id}/actions/${verb}`, {})

/** What happens while the card is being made. */
const meanwhile: Record<string, (scene: Scene) => Promise<unknown>> = {
  'another original of the guest is made': ({ other, guest }) => other(guest),
  'a copy is made': ({ other, guest }) => other(guest, { original: false }),
  'the first key is revoked': ({ first }) => house.ask('DELETE', `/api/v2/access/keys/${first}`),
  'the first card is lost': ({ first }) => act(first, 'block'),
  'the guest checks out': ({ guest }) => guests.become(guest, 'CheckedOut'),
  'the check-in is undone': ({ guest }) => guests.become(guest, 'Confirmed'),
  async 'the guest checks out and the next one gets a card'(scene) {
    await guests.become(scene.guest, 'CheckedOut')
    await nextGuest(scene)
  },
  async 'the guest is moved and the next one gets a card'(scene) {
    const { first, guest } = scene
    await house.ask('DELETE', `/api/v2/access/keys/${first}`)
    const moved = await house.ask('PATCH', guest.path, { body: { units: [units.get('404')] } })
    // A guest is not moved while a card is made for the room.
    if (moved.status !== 204) return assert.equal(moved.body.errors[0].code, 'unit-change-refused')
    await nextGuest(scene)
  },
}

interface Stored {
  id: string
  attributes: {
    status: string
    mayOpen: boolean
    uid: string | null
    familyId: string
    original: boolean
    stayId: string | null
  }
}

/** What must hold whatever came first. */
async function expectOrder({ unitName, stays, cards }: Scene, text: string): Promise<void> {
  const found: Stored[] = []
  for (const { id } of stays) {
    const { body } = await house.ask(
      'GET',
      `/api/v2/access/keys?filter[stayId]=${id}&filter[unitName]=${unitName}`,
    )
    found.push(...body.data)
  }
  const said = `${text}: ${found.map(({ attributes: { status, mayOpen } }) => `${status} ${mayOpen}`).join(', ')}`
  assert.ok(
    found.every(({ attributes: { status } }) => status !== 'pendingWrite' && status !== 'unknown'),
    said,
  )
  const live = found.filter(({ attributes: { status } }) => status === 'live')
  assert.ok(
    new Set(live.map(({ attributes }) => attributes.familyId)).size <= 1,
    `${said}: two families are live`,
  )
  for (const { attributes } of live) {
    const { status, units: rooms } = (await house.ask('GET', `/api/v2/stays/${attributes.stayId}`)).body.data
      .attributes
    assert.equal(status, 'InHouse', `${said}: a live key of a stay that is not in house`)
    assert.equal(rooms[0].unitName, unitName, `${said}: a live key of a stay that has another unit`)
  }
  const keysOn = (card: SimulatedCard) => {
    const uid = Buffer.from(card.uid).toString('hex').toUpperCase()
    return found.filter(({ attributes }) => attributes.uid === uid)
  }
  // Dead cards first: the use of a living one ends others.
  for (const card of cards.filter((each) => keysOn(each).every(({ attributes }) => !attributes.mayOpen)))
    assert.doesNotMatch(house.present(card, unitName), /^opened/, `${said}: a dead key opens`)
  for (const card of cards.filter((each) =>
    keysOn(each).some(({ attributes }) => attributes.status === 'live'),
  ))
    assert.match(house.present(card, unitName), /^opened/, `${said}: a live key does not open`)
}

/** A card is made here, and at each of its commands the other thing happens. */
function interleave(place: Place, unitName: string, what: string): void {
  it(`${what}`, async () => {
    let commands = Number.POSITIVE_INFINITY
    for (let at = 1; at <= commands; at++) {
      const scene = await sceneAt(unitName, place)
      const { make, reader } = places[place]
      const standing = standAt(reader(), at)
      const making = make(scene, scene.guest)
      const isOver = making.then(() => 'over')
      if ((await Promise.race([standing.reached, isOver])) !== 'over') await meanwhile[what]!(scene)
      standing.goOn()
      await making
      await idle(house)
      commands = Math.min(commands, standing.end())
      house.desk.card = null
      await expectOrder(scene, `command ${at} of ${commands}`)
      for (const guest of scene.stays) await leave(guest)
    }
  })
}

async function leave({ path }: Guest): Promise<void> {
  const { status } = (await house.ask('GET', path)).body.data.attributes
  const over: Record<string, string> = { InHouse: 'CheckedOut', Confirmed: 'Canceled' }
  if (over[status])
    assert.equal((await house.ask('PATCH', path, { body: { status: over[status] } })).status, 204)
}

for (const [place, floor] of [
  ['desk', 201],
  ['lobby', 301],
] as const)
  describe(`while the ${place} makes a card of a room`, () => {
    for (const [index, what] of Object.keys(meanwhile).entries())
      interleave(place, String(floor + index), what)
  })
