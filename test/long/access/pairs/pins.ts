import assert from 'node:assert/strict'
import { calls } from '../../../../drivers/ttlock/protocol.ts'
import { opens, type SimulatedCloud } from '../../../../drivers/ttlock/simulator/simulated-cloud.ts'
import type { Ask, Reply } from '../../../appliance.ts'
import fc from '../../../seed.ts'
import { datesFrom, guests, type KeyRow, lastGuest, type PlayedKeys, playedKeys, served } from './keys.ts'
import { type Play, playsOf, type Running, type Scene, type World, type Wrong } from './play.ts'

/** What people do with PINs. `exhaust`: the locks take no more PINs than they have; `offline`: so is a gateway. */
export type PinDeed =
  | { do: 'issue'; guest: number; unit: number; inDays: number; nights: number }
  | { do: 'block' | 'reencode' | 'end'; guest: number }
  | { do: 'wait'; how: 'short' | 'long' | 'days' }
  | { do: 'exhaust' | 'offline' | 'restart' }

/** A house with PIN locks in which plays are played, one after the other. */
export interface PinHouse extends Running {
  ask: Ask
  cloud: SimulatedCloud
  controllerId: string
  now(): number
}

const unitNames = ['301', '302']
const lockIds = [1001, 1002]
const hourMs = 3_600_000
const number = (max: number) => fc.nat({ max: max - 1 })

const issue = fc.record({
  do: fc.constant('issue' as const),
  guest: number(guests),
  unit: number(unitNames.length),
  // What is days away is held, and is told the lock once it is near.
  inDays: fc.constantFrom(0, 0, 0, 4),
  nights: fc.constantFrom(2, 4),
})
const told = fc.record({
  do: fc.constantFrom('block' as const, 'reencode' as const, 'end' as const),
  guest: number(guests),
})
const wait = fc.record({
  do: fc.constant('wait' as const),
  how: fc.constantFrom('short' as const, 'long' as const, 'days' as const),
})
const other = fc.record({
  do: fc.constantFrom('exhaust' as const, 'offline' as const, 'restart' as const),
})

/** The ways of a cloud to go wrong, by the codes of its simulator. */
const wrongs: fc.Arbitrary<Wrong> = fc.constantFrom<Wrong>(
  { does: 'silence' },
  { does: 'late' },
  { does: 'close' },
  { does: 'down' },
  { does: 'garble' },
  { does: 'garble', code: 'http500' },
  { does: 'garble', code: 'drop' },
  { does: 'garble', code: 'empty' },
  { does: 'refuse', code: 'http500' },
  { does: 'refuse', code: '-3002' },
  { does: 'refuse', code: '-3009' },
  { does: 'refuse', code: '-3007' },
  { does: 'refuse', code: '1' },
)

/** Some deeds with PINs, of which the first makes one. */
export function pinPlays({ kills }: { kills: boolean }): fc.Arbitrary<Play<PinDeed>> {
  const killing = fc.constant<Wrong>({ does: 'kill' })
  return playsOf<PinDeed>({
    first: issue,
    deed: fc.oneof(
      { weight: 6, arbitrary: issue },
      { weight: 4, arbitrary: told },
      { weight: 2, arbitrary: wait },
      { weight: 2, arbitrary: other },
    ),
    wires: ['cloud'],
    wrongs: kills ? fc.oneof({ weight: 3, arbitrary: killing }, wrongs) : wrongs,
    reach: kills ? 3 : 5,
  })
}

/** The house as a world of plays. */
export function pinWorld(house: PinHouse): World<PinDeed> {
  const { misbehaviours } = house.cloud
  return {
    ...house,
    wires: { cloud: { commands: Object.keys(calls), misbehaviours } },
    begin: (name) => sceneIn(house, name),
  }
}

function sceneIn(house: PinHouse, name: string): Scene<PinDeed> {
  const { cloud } = house
  const keys = playedKeys(house, name, () => ({ type: 'pinCode', ...datesFrom(house.now(), 0, 2) }))
  let underWay = 0

  return {
    async carryOut(deed) {
      underWay++
      const wasAlone = underWay === 1
      const reply = await done(deed)
      if (wasAlone && underWay === 1 && reply?.status === 200) expectAnswered(house, reply)
      underWay--
    },
    async settled() {
      cloud.capacity = 250
      for (const gateway of cloud.gateways.values()) gateway.online = true
      await allSettled(house, keys)
    },
    async expectTrue() {
      const rows = await keys.ofGuests()
      expectOpen(house, rows)
      expectCovered(house, rows)
    },
    async expectServed() {
      const reply = await served(() => keys.put(lastGuest, '301'), house.pass)
      assert.equal(reply.body.data.attributes.status, 'live')
      expectAnswered(house, reply)
      for (const { id } of await keys.ofGuests()) await keys.asked('DELETE', `/api/v2/access/keys/${id}`)
      await allSettled(house, keys)
      expectCovered(house, [])
    },
  }

  async function done(deed: PinDeed): Promise<Reply | null | undefined> {
    switch (deed.do) {
      case 'issue': {
        const { guest, unit, inDays, nights } = deed
        return keys.put(guest, unitNames[unit]!, datesFrom(house.now(), inDays, nights)).catch(() => null)
      }
      case 'block':
      case 'reencode':
      case 'end':
        return void (await keys.tell(deed.guest, deed.do))
      case 'exhaust':
        cloud.capacity = Math.max(...cloud.locks.map(({ list }) => list.length))
        return
      case 'offline':
        cloud.gateways.get('first')!.online = false
        return
      case 'wait':
        return void (await house.pass(deed.how))
      case 'restart':
        return void (await house.restart())
    }
  }
}

/** Half past every sixth hour of the next days: no window begins or ends then. */
function momentsFrom(now: number): number[] {
  const first = Math.ceil(now / hourMs) * hourMs + hourMs / 2
  return Array.from({ length: 60 }, (_, index) => first + index * 6 * hourMs)
}

/** The digits that open a unit at a moment, as its lock itself knows them. */
function openingAt({ cloud }: PinHouse, at: number): { unitName: string; pin: string }[] {
  return unitNames.flatMap((unitName, index) => {
    const { memory } = cloud.locks.find(({ lockId }) => lockId === lockIds[index])!
    const codes = [...memory.keys()].filter((pin) => opens(cloud, lockIds[index]!, pin, at))
    return codes.map((pin) => ({ unitName, pin }))
  })
}

function lasts({ validFrom, validUntil }: KeyRow, at: number): boolean {
  return Date.parse(validFrom) <= at && at < Date.parse(validUntil)
}

/** What was told a guest as his PIN opens his door for all of his stay. */
function expectAnswered(house: PinHouse, { body }: Reply): void {
  expectOpen(house, [{ id: body.data.id, ...body.data.attributes }])
}

/** Every key that is live opens while it lasts, and a guest has one of them at a time. */
function expectOpen(house: PinHouse, rows: readonly KeyRow[]): void {
  for (const at of momentsFrom(house.now())) {
    const opening = openingAt(house, at)
    const live = rows.filter((row) => row.status === 'live' && lasts(row, at))
    for (const row of live) {
      const isOpening = opening.some(({ unitName, pin }) => unitName === row.unitName && pin === row.pin)
      if (!isOpening) assert.fail(`a live key does not open at ${new Date(at)}: ${JSON.stringify(row)}`)
    }
    const stays = live.filter(({ original }) => original).map(({ externalId }) => externalId)
    assert.equal(new Set(stays).size, stays.length, `a guest has two keys: ${JSON.stringify(live)}`)
  }
}

/** What opens has a key that may, at that moment; and what is proven dead may not. */
function expectCovered(house: PinHouse, rows: readonly KeyRow[]): void {
  for (const at of momentsFrom(house.now()))
    for (const { unitName, pin } of openingAt(house, at)) {
      const own = rows.filter((row) => row.unitName === unitName && row.pin === pin)
      if (!own.some((row) => row.mayOpen && lasts(row, at)))
        assert.fail(`a PIN opens ${unitName} at ${new Date(at)}: ${JSON.stringify(own)}`)
    }
  for (const row of rows) if (row.proof !== null) assert.equal(row.mayOpen, false)
}

/** Longer than the longest pause before a thing is tried again, with what was to be done before. */
const mostWaits = 20

/** The lock system was told all it is to be told, whatever had gone wrong. */
async function allSettled(house: PinHouse, keys: PlayedKeys): Promise<void> {
  for (let waits = 0; ; waits++) {
    const open = (await keys.ofGuests()).filter(isUnsettled)
    if (open.length === 0) return
    if (waits === mostWaits) assert.fail(`this has come to no end: ${JSON.stringify(open)}`)
    await house.pass('long')
  }
}

function isUnsettled({ status, mayOpen, pendingChange }: KeyRow): boolean {
  return status === 'live' ? pendingChange !== null : mayOpen && status !== 'virtual'
}
