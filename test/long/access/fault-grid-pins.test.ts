import assert from 'node:assert/strict'
import { after, afterEach, before, describe, it } from 'node:test'
import {
  expectOneCode,
  expectTrueAtDoors,
  healPins,
  knownCodes,
  type PinFault,
  pinCell,
  pinFaults,
  pinKeys,
} from '../../access/faults-pins.ts'
import { newStay } from '../../access/faults-played.ts'
import { until } from '../../access/house-with-doors.ts'
import { type HouseWithPins, houseWithPins } from '../../access/house-with-pins.ts'

/** What is answered, and the status of the key by then: newly made, made of one that was held, extended, moved. */
const grid: Record<PinFault, [create: string, materialise: string, extend: string, move: string]> = {
  'gateway offline': [
    'lock-system-unreachable failed',
    'lock-system-unreachable virtual',
    'lock-system-unreachable live',
    'lock-system-unreachable failed',
  ],
  'gateway busy': [
    'lock-system-busy failed',
    'lock-system-busy virtual',
    'lock-system-busy live',
    'lock-system-busy failed',
  ],
  'no answer, nothing done': [
    'lock-system-timeout? unknown',
    'lock-system-timeout? unknown',
    'lock-system-timeout? live',
    'lock-system-timeout? unknown',
  ],
  'no answer, all done': ['200 live', '200 live', 'lock-system-timeout? live', '200 live'],
  'no answer, all done, and nobody can look': [
    'lock-system-timeout? unknown',
    'lock-system-timeout? unknown',
    'lock-system-timeout? live',
    'lock-system-timeout? unknown',
  ],
  'code taken': ['200 live', 'pin-unavailable virtual', 'pin-unavailable live', 'pin-unavailable failed'],
  'lock full': [
    'lock-system-limit failed',
    'lock-system-limit virtual',
    'lock-system-limit live',
    'lock-system-limit failed',
  ],
  'failed without a reason': [
    'vendor-error? unknown',
    'vendor-error? unknown',
    'vendor-error? live',
    'vendor-error? unknown',
  ],
  'token over': ['200 live', '200 live', '200 live', '200 live'],
  'account refused': [
    'lock-system-auth-failed failed',
    'lock-system-auth-failed virtual',
    'lock-system-auth-failed live',
    'lock-system-auth-failed failed',
  ],
  'HTTP 500, nothing done': [
    'vendor-error? unknown',
    'vendor-error? unknown',
    'vendor-error? live',
    'vendor-error? unknown',
  ],
  'HTTP 500, all done': ['200 live', '200 live', 'vendor-error? live', '200 live'],
  'a web page, nothing done': [
    'vendor-error? unknown',
    'vendor-error? unknown',
    'vendor-error? live',
    'vendor-error? unknown',
  ],
  'a web page, all done': ['200 live', '200 live', 'vendor-error? live', '200 live'],
  'dropped, nothing done': [
    'lock-system-timeout? unknown',
    'lock-system-timeout? unknown',
    'lock-system-timeout? live',
    'lock-system-timeout? unknown',
  ],
  'dropped, all done': ['200 live', '200 live', 'lock-system-timeout? live', '200 live'],
}
const rows = Object.entries(grid) as [PinFault, (typeof grid)[PinFault]][]

const noon = (day: number) => Date.UTC(2026, 5, day, 12)
const today = { startDate: '2026-06-01', endDate: '2026-06-03' }
const longer = { ...today, endDate: '2026-06-05' }
const later = { startDate: '2026-06-10', endDate: '2026-06-12' }
let house: HouseWithPins

before(async () => {
  house = await houseWithPins()
})
// The cloud may be asked so often in a minute.
afterEach(() => {
  healPins(house)
  house.clock.advance(61_000)
})
after(() => house.stop())

const verb = (id: string, name: string, body: object) =>
  house.ask('POST', `/api/v2/access/keys/${id}/actions/${name}`, { body })

/** The same request until it is done, as whoever was told to look before he repeats. */
const done = (stay: string, body: Record<string, unknown>) =>
  until(
    'a key',
    () => house.reconcile(stay, body),
    ({ status }) => status === 200,
  )

async function live(stay: string): Promise<string> {
  const { status, body, text } = await house.reconcile(stay, today)
  assert.equal(status, 200, text)
  return String(body.data.id)
}

describe('a PIN that is made', () => {
  for (const [fault, [cell]] of rows)
    it(`${fault}: ${cell}`, async () => {
      const [stay, codes] = [newStay(), knownCodes(house)]
      pinFaults[fault](house, 'add')
      const reply = await house.reconcile(stay, today)
      assert.equal(await pinCell(house, stay, reply), cell, reply.text)
      await expectTrueAtDoors(house, stay, [noon(2)])
      healPins(house)
      const again = await done(stay, today)
      const { id } = await expectOneCode(house, stay, '301', { before: codes, at: noon(2) })
      assert.deepEqual([again.body.data.id, (await done(stay, today)).body.data.id], [id, id])
      await expectTrueAtDoors(house, stay, [noon(2)])
    })

  for (const [fault, [cell]] of rows.filter(([, [create]]) => create.includes('?')))
    it(`${fault}: nobody asks again, and it is found out`, async () => {
      const [stay, codes] = [newStay(), knownCodes(house)]
      pinFaults[fault](house, 'add')
      assert.equal(await pinCell(house, stay, await house.reconcile(stay, today)), cell)
      healPins(house)
      house.clock.advance(40_000)
      const [key] = await until(
        'an end of the doubt',
        () => pinKeys(house, stay),
        ([row]) => row?.status !== 'unknown',
      )
      const opening = [...knownCodes(house)].filter((pin) => !codes.has(pin))
      assert.deepEqual(opening, key!.status === 'live' ? [key!.pin] : [])
      assert.equal(key!.mayOpen, key!.status === 'live')
    })
})

describe('a PIN that is extended', () => {
  for (const [fault, [, , cell]] of rows)
    it(`${fault}: ${cell}`, async () => {
      const [stay, codes] = [newStay(), knownCodes(house)]
      const id = await live(stay)
      pinFaults[fault](house, 'change')
      const reply = await verb(id, 'extend', { endDate: longer.endDate })
      assert.equal(await pinCell(house, stay, reply), cell, reply.text)
      await expectTrueAtDoors(house, stay, [noon(2), noon(4)])
      healPins(house)
      assert.equal((await done(stay, longer)).body.data.id, id)
      await expectOneCode(house, stay, '301', { before: codes, at: noon(4) })
      await expectTrueAtDoors(house, stay, [noon(2), noon(4)])
    })
})

describe('a PIN that is moved', () => {
  for (const [fault, [, , , cell]] of rows)
    it(`${fault}: ${cell}`, async () => {
      const [stay, codes] = [newStay(), knownCodes(house)]
      const id = await live(stay)
      pinFaults[fault](house, 'add')
      const reply = await verb(id, 'move', { newUnitName: '302' })
      assert.equal(await pinCell(house, stay, reply), cell, reply.text)
      await expectTrueAtDoors(house, stay, [noon(2)])
      healPins(house)
      await done(stay, { ...today, unitName: '302' })
      await expectOneCode(house, stay, '302', { before: codes, at: noon(2) })
      await expectTrueAtDoors(house, stay, [noon(2)])
    })
})

describe('a PIN that was held', () => {
  const held = new Map<PinFault, { stay: string; pin: string }>()
  before(async () => {
    for (const [fault] of rows) {
      const stay = newStay()
      const { status, body, text } = await house.reconcile(stay, later)
      assert.equal(status, 200, text)
      held.set(fault, { stay, pin: body.data.attributes.pin })
    }
    house.clock.set(Date.UTC(2026, 5, 9, 8))
  })

  for (const [fault, [, cell]] of rows)
    it(`${fault}: ${cell}`, async () => {
      const { stay, pin } = held.get(fault)!
      const codes = knownCodes(house)
      pinFaults[fault](house, 'add')
      const reply = await house.reconcile(stay, later)
      assert.equal(await pinCell(house, stay, reply), cell, reply.text)
      await expectTrueAtDoors(house, stay, [noon(11)])
      healPins(house)
      await done(stay, later)
      const key = await expectOneCode(house, stay, '301', { before: codes, at: noon(11) })
      assert.equal(key.pin, pin)
    })
})
