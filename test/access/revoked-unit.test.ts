import assert from 'node:assert/strict'
import { copyFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { opening } from '../../drivers/industry-standard/simulator/lock-pc.ts'
import { makeBackup } from '../../src/backup/archive/make-backup.ts'
import { restoreBackup } from '../../src/backup/restore/restore.ts'
import { startAppliance, type TestAppliance } from '../appliance.ts'
import { copyingTo, folderFor, identity, withKey } from '../backup/recovery.ts'
import fc from '../seed.ts'
import { passTime } from '../test-clock.ts'
import { type GuestsOfUnits, guestsOfUnits } from './guests-of-units.ts'
import { until } from './house-with-doors.ts'
import { type LockPcDesk, lockPcDesk } from './lock-pc-desk.ts'
import { sockets } from './sockets.ts'

const rooms = ['101', '102', '103', '104', '105', '106']
const now = '202606011900'

/** A lock PC whose CO checks a room out with everybody in it, and whose line can be cut. */
async function atLockPc(house: TestAppliance) {
  const plugs = sockets()
  const wires = new Set<Socket>()
  let isCut = false
  const line: Pick<typeof plugs, 'plugIn'> = {
    plugIn: (play) =>
      plugs.plugIn(async (wire) => {
        if (isCut) return void wire.destroy()
        wires.add(wire)
        await play(wire)
      }),
  }
  const found = await lockPcDesk(house, line, { rooms, provider: { maxExtraUnits: 3 } })
  return {
    ...found,
    plugs,
    cut() {
      isCut = true
      for (const wire of wires) wire.destroy()
    },
    join() {
      isCut = false
    },
  }
}

let house: TestAppliance
let guests: GuestsOfUnits
let at: LockPcDesk & { plugs: ReturnType<typeof sockets>; cut(): void; join(): void }

before(async () => {
  house = await startAppliance()
  at = await atLockPc(house)
  guests = await guestsOfUnits(house.ask)
})
after(async () => {
  await house.stop()
  at.plugs.close()
})

async function cardFor(unitName: string, more: object = {}): Promise<string> {
  const dates = { startDate: '2026-06-01', endDate: '2026-06-03' }
  const body = { type: 'keyCard', unitName, original: true, ...dates, ...more }
  const made = await until(
    'a card',
    () => house.ask('POST', `/api/v2/access/controllers/${at.desk}/key`, { body }),
    ({ status }) => status === 201,
  )
  return made.body.data.id
}
const keyOf = async (id: string) => (await house.ask('GET', `/api/v2/access/keys/${id}`)).body.data.attributes
const checkOutsOf = (...names: string[]) =>
  at.pc.requests.filter((text) => names.some((name) => text === `CO|0|${name}`)).length
const listed = async () =>
  (await house.ask('GET', '/api/v2/access/units-with-older-keys')).body.data.flatMap(
    ({ attributes }: { attributes: { keys: { keyId: string }[] } }) =>
      attributes.keys.map(({ keyId }) => keyId),
  )
const turns = () => passTime(40_000)
const toldOf = (id: string, ...names: string[]) =>
  until(
    'the check-out at the lock PC',
    async () => [checkOutsOf(...names), (await keyOf(id)).status] as const,
    ([count]) => count > 0,
  )

async function guestIn(unitName: string) {
  const guest = await guests.booked(unitName, 1, 3)
  await guests.become(guest, 'InHouse')
  return guest
}

/** The desk of the vendor makes a card, which is stored nowhere here. */
function vendorsCard(name: string): string {
  const room = at.pc.rooms.get(name)!
  room.issue++
  room.isCheckedIn = true
  const uid = `04FF${name}`
  const opens = { rooms: [{ name, issue: room.issue }], copy: 0, opensOnce: false, granted: '', denied: '' }
  const holds = { ...opens, start: '202606010000', expiry: '202606031200', operator: 'X' }
  at.pc.cards.set(uid, { uid, holds })
  return uid
}

describe('a revocation that ends every card of a unit', () => {
  it('waits while a guest is in house there, and is sent when the guest has left', async () => {
    const left = await guestIn('101')
    const old = await cardFor('101', { externalId: left.externalId })
    at.cut()
    await guests.become(left, 'CheckedOut')
    const next = await guestIn('101')
    const uid = vendorsCard('101')
    at.join()
    await turns()
    assert.equal(checkOutsOf('101'), 0)
    assert.deepEqual(opening(at.pc, '101', now), [uid])
    const { status, mayOpen } = await keyOf(old)
    assert.deepEqual([status, mayOpen], ['revocationPending', true])
    assert.ok((await listed()).includes(old))
    await guests.become(next, 'CheckedOut')
    await toldOf(old, '101')
  })

  it('waits for the guest of an extra unit', async () => {
    const id = await cardFor('102', { extraUnits: ['103'] })
    const guest = await guestIn('103')
    assert.equal((await house.ask('DELETE', `/api/v2/access/keys/${id}`)).status, 204)
    await turns()
    assert.equal(checkOutsOf('102', '103'), 0)
    await guests.become(guest, 'CheckedOut')
    await toldOf(id, '102', '103')
  })

  it('waits for the guest of the unit to which a further door leads', async () => {
    const [{ id: unitId }] = (await house.ask('GET', '/api/v2/units?filter[name]=103')).body.data
    at.pc.rooms.set('103B', { ...at.pc.rooms.get('103')! })
    const door = { name: 'Suite 103 B', code: '103B', providerId: at.providerId, unitId }
    assert.equal((await house.ask('POST', '/api/v2/access/units', { body: door })).status, 201)
    const id = await cardFor('Suite 103 B')
    const guest = await guestIn('103')
    assert.equal((await house.ask('DELETE', `/api/v2/access/keys/${id}`)).status, 204)
    await turns()
    assert.equal(checkOutsOf('103B'), 0)
    await guests.become(guest, 'CheckedOut')
    await toldOf(id, '103B')
  })

  it('waits for the guest whose own card is lost', async () => {
    const guest = await guestIn('104')
    const id = await cardFor('104', { externalId: guest.externalId })
    await house.ask('POST', `/api/v2/access/keys/${id}/actions/block`)
    await turns()
    assert.equal(checkOutsOf('104'), 0)
    assert.ok((await listed()).includes(id))
    await guests.become(guest, 'CheckedOut')
    await toldOf(id, '104')
  })

  it('waits for the guest of a unit that was renamed', async () => {
    const id = await cardFor('105')
    const [unit] = (await house.ask('GET', '/api/v2/units?filter[name]=105')).body.data
    await house.ask('PATCH', `/api/v2/units/${unit.id}`, { body: { name: 'Room 105' } })
    guests = await guestsOfUnits(house.ask)
    const guest = await guestIn('Room 105')
    assert.equal((await house.ask('DELETE', `/api/v2/access/keys/${id}`)).status, 204)
    await turns()
    assert.equal(checkOutsOf('105'), 0)
    await guests.become(guest, 'CheckedOut')
    await toldOf(id, '105')
  })

  it('waits for no guest of another unit', async () => {
    const id = await cardFor('106')
    const guest = await guestIn('104')
    assert.equal((await house.ask('DELETE', `/api/v2/access/keys/${id}`)).status, 204)
    await toldOf(id, '106')
    await guests.become(guest, 'CheckedOut')
  })

  it('is sent exactly when every unit of the key is vacant', async () => {
    const some = fc.uniqueArray(fc.constantFrom('101', '102', '103', '104'), { minLength: 1, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(some, some, async ([main, ...extraUnits], taken) => {
        const units = [main!, ...extraUnits]
        const id = await cardFor(main!, { extraUnits, externalId: 'NO-STAY' })
        const inHouse = await Promise.all(taken.map((name) => guests.booked(name, 1, 3)))
        for (const each of inHouse) await guests.become(each, 'InHouse')
        const before = checkOutsOf(...units)
        await house.ask('DELETE', `/api/v2/access/keys/${id}`)
        const isVacant = !units.some((name) => taken.includes(name))
        if (!isVacant) await turns()
        assert.equal(isVacant || checkOutsOf(...units) === before, true, `${units} while ${taken}`)
        for (const each of inHouse) await guests.become(each, 'CheckedOut')
        await until(
          'the check-out at the lock PC',
          async () => checkOutsOf(...units),
          (count) => count > before,
        )
      }),
      { numRuns: 5 },
    )
  })
})

it('a revocation that waited when a backup was made ends no card that was made since', async (test) => {
  const stick = folderFor(test)
  const backup = copyingTo(stick)
  const first = await startAppliance({ backup })
  const line = await atLockPc(first)
  test.after(() => line.plugs.close())
  withKey(first.data)
  const booking = await guestsOfUnits(first.ask)
  const make = (externalId: string) =>
    first.ask('POST', `/api/v2/access/controllers/${line.desk}/key`, {
      body: {
        type: 'keyCard',
        original: true,
        unitName: '101',
        startDate: '2026-06-01',
        endDate: '2026-06-03',
        externalId,
      },
    })
  const left = await booking.booked('101', 1, 2)
  await booking.become(left, 'InHouse')
  assert.equal((await make(left.externalId)).status, 201)
  line.cut()
  await booking.become(left, 'CheckedOut')
  const made = await makeBackup({
    data: first.data,
    folder: stick,
    now: first.clock.now(),
    version: '1.0.0',
    reason: 'asked',
  })
  const alone = folderFor(test)
  copyFileSync(join(stick, made.name), join(alone, made.name))
  line.join()
  const next = await booking.booked('101', 1, 3)
  await booking.become(next, 'InHouse')
  const card = await until(
    'the card of the next guest',
    () => make(next.externalId),
    ({ status }) => status === 201,
  )
  const { uid } = card.body.data.attributes
  await first.stop()
  const data = folderFor(test)
  await restoreBackup(data, join(alone, made.name), identity)
  const sent = line.pc.requests.length
  const box = await startAppliance({ data, now: first.clock.now() + 300_000 })
  test.after(() => box.stop())
  const asked = () => line.pc.requests.slice(sent).filter((text) => text.startsWith('CO'))
  await turns()
  assert.deepEqual([asked(), opening(line.pc, '101', now)], [[], [uid]])
  const toCheck = (await box.ask('GET', '/api/config/v1/units-to-check?filter[unitName]=101')).body.data
  const found = toCheck.find(
    ({ attributes }: { attributes: { providerId: string } }) => attributes.providerId === line.providerId,
  )
  assert.equal((await box.ask('DELETE', `/api/config/v1/units-to-check/${found.id}`)).status, 204)
  await until(
    'the revocation',
    async () => asked(),
    (list) => list.length > 0,
  )
})
