import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import type { Reply } from '../appliance.ts'
import { type Guest, type GuestsOfUnits, guestsOfUnits } from './guests-of-units.ts'
import { until } from './house-with-doors.ts'
import { type HouseWithPins, houseWithPins } from './house-with-pins.ts'

let house: HouseWithPins
let guests: GuestsOfUnits
let units: Map<string, { unitId: string; unitTypeId: string }>
before(async () => {
  house = await houseWithPins()
  guests = await guestsOfUnits(house.ask)
  const { body } = await house.ask('GET', '/api/v2/units?page[size]=100')
  units = new Map(
    body.data.map(({ id, attributes }: { id: string; attributes: { name: string; unitTypeId: string } }) => [
      attributes.name,
      { unitId: id, unitTypeId: attributes.unitTypeId },
    ]),
  )
})
after(() => house.stop())

let numbers = 0
const another = () => `KEY-${++numbers}`
const codeOf = ({ status, body }: Reply) => (status < 400 ? `${status}` : `${status} ${body.errors[0].code}`)

/** A PIN for a name whose stay is not known yet. */
async function early(externalId: string, more: Record<string, unknown> = {}) {
  const { status, body, text } = await house.reconcile(externalId, more)
  assert.equal(status, 200, text)
  assert.equal(body.data.attributes.stayId, null)
  return { id: String(body.data.id), pin: String(body.data.attributes.pin) }
}

const stayOf = (unitName: string, more: object = {}) => ({
  status: 'Confirmed',
  reservationIds: [],
  startDate: '2026-06-01',
  endDate: '2026-06-03',
  personCount: { adults: 1, children: 0 },
  units: [units.get(unitName)],
  ...more,
})

/** A stay with this name, by its path and id. */
async function booked(unitName: string, externalId: string, more: object = {}): Promise<Guest> {
  const stays = [stayOf(unitName, { externalId, ...more })]
  const made = await house.ask('POST', '/api/v2/reservations', { body: { stays } })
  assert.equal(made.status, 201, made.text)
  const reservation = `/api/v2/reservations/${made.body.data.id}`
  const [{ id }] = (await house.ask('GET', reservation)).body.data.attributes.stays
  return { id, path: `${reservation}/stays/${id}`, externalId, reservation }
}

async function leaves(guest: Guest, status = 'CheckedOut') {
  await guests.become(guest, status)
}

/** The key opens its door no more, and the store says so. */
async function expectDead(unitName: string, { id, pin }: { id: string; pin: string }): Promise<void> {
  await until(
    'the end at the door',
    () => house.opens(unitName, pin),
    (opens) => !opens,
  )
  const { mayOpen } = await until(
    'the proof',
    () => house.key(id),
    ({ proof }) => proof !== null,
  )
  assert.equal(mayOpen, false)
}

const keysOfStay = async (id: string) =>
  (await house.ask('GET', `/api/v2/access/keys?filter[stayId]=${id}`)).body.data.map(
    (each: { id: string }) => each.id,
  )

describe('a key that is made before its stay is known', () => {
  /** How the stay becomes known. */
  const arrivals: [how: string, arrive: (externalId: string) => Promise<Guest>][] = [
    ['is created', (externalId) => booked('301', externalId)],
    [
      'is imported',
      async (externalId) => {
        const data = [{ externalId, stays: [stayOf('301', { externalId })] }]
        const { body } = await house.ask('POST', '/api/config/v1/imports', { body: { data } })
        const reservation = `/api/v2/reservations/${body.meta.rows[0].id}`
        const [{ id }] = (await house.ask('GET', reservation)).body.data.attributes.stays
        return { id, path: `${reservation}/stays/${id}`, externalId, reservation }
      },
    ],
    [
      'gets the name later',
      async (externalId) => {
        const guest = await booked('301', another())
        assert.equal((await house.ask('PATCH', guest.path, { body: { externalId } })).status, 204)
        return { ...guest, externalId }
      },
    ],
  ]
  const endings: [how: string, end: (guest: Guest) => Promise<void>][] = [
    ['a check-out', async (guest) => leaves(guest)],
    ['a cancellation', async () => {}],
  ]
  for (const [how, arrive] of arrivals)
    for (const [name, end] of endings)
      it(`is the key of a stay that ${how}, and ends with ${name}`, async () => {
        const externalId = another()
        const key = await early(externalId)
        assert.ok(house.opens('301', key.pin))
        const guest = await arrive(externalId)
        assert.equal((await house.key(key.id)).stayId, guest.id)
        assert.deepEqual(await keysOfStay(guest.id), [key.id])
        for (const name of [externalId, guest.id]) {
          const again = await house.reconcile(name)
          assert.deepEqual([again.status, again.body.data.id], [200, key.id], again.text)
        }
        if (name === 'a cancellation') await guests.become(guest, 'Canceled')
        else {
          await guests.become(guest, 'InHouse')
          await end(guest)
        }
        await expectDead('301', key)
        assert.equal(codeOf(await house.reconcile(externalId)), '404 key-gone')
        assert.equal(codeOf(await house.make({ externalId })), '404 key-gone')
      })

  it('ends when a file cancels its stay, with update=true only', async () => {
    const externalId = another()
    const key = await early(externalId)
    const send = async (status: string, query = '') => {
      const data = [{ externalId, stays: [stayOf('301', { externalId, status })] }]
      return (await house.ask('POST', `/api/config/v1/imports${query}`, { body: { data } })).body.meta
    }
    assert.equal((await send('Confirmed')).accepted, 1)
    assert.equal((await send('Canceled')).differing, 1)
    assert.equal((await house.key(key.id)).status, 'live')
    assert.ok(house.opens('301', key.pin))
    assert.equal((await send('Canceled', '?update=true')).accepted, 1)
    await expectDead('301', key)
    assert.equal(codeOf(await house.make({ externalId })), '404 key-gone')
  })

  it('ends where the stay is over when it becomes known, but not for a number that is given again', async () => {
    const over = another()
    const key = await early(over)
    const again = another()
    const later = await early(again)
    const past = { status: 'CheckedOut', startDate: '2026-05-01', endDate: '2026-05-03' }
    const data = [
      { externalId: over, stays: [stayOf('301', { externalId: over, status: 'CheckedOut' })] },
      { externalId: again, stays: [stayOf('301', { externalId: again, ...past })] },
    ]
    const { body } = await house.ask('POST', '/api/config/v1/imports', { body: { data } })
    assert.equal(body.meta.accepted, 2)
    await expectDead('301', key)
    const { stayId, status } = await house.key(later.id)
    assert.deepEqual([stayId, status], [null, 'live'])
    const ended = await house.ask('DELETE', `/api/v2/access/keys/${later.id}`)
    assert.equal(ended.status, 204)
    await expectDead('301', later)
  })

  it('is one that is not due, too', async () => {
    const externalId = another()
    const dates = { startDate: '2026-06-10', endDate: '2026-06-12' }
    const key = await early(externalId, dates)
    assert.equal((await house.key(key.id)).status, 'virtual')
    const guest = await booked('301', externalId, dates)
    assert.deepEqual(await keysOfStay(guest.id), [key.id])
    await guests.become(guest, 'Canceled')
    assert.equal((await house.key(key.id)).status, 'removed')
  })

  it('becomes the key of its stay at the next start, if a release before did not link it', async () => {
    const externalId = another()
    const guest = await booked('301', externalId)
    const key = await house.reconcile(externalId)
    const db = new Database(join(house.data, 'nightporter.db'))
    db.prepare('UPDATE key SET stayId = NULL WHERE externalId = ?').run(externalId)
    db.close()
    await house.restart()
    assert.deepEqual(await keysOfStay(guest.id), [key.body.data.id])
    await guests.become(guest, 'Canceled')
    await expectDead('301', { id: key.body.data.id, pin: key.body.data.attributes.pin })
  })
})

describe('the name of a stay', () => {
  it('that is used again after a cancellation gets another key with other digits', async () => {
    const externalId = another()
    const canceled = await booked('301', externalId)
    const first = (await house.reconcile(externalId)).body.data
    await guests.become(canceled, 'Canceled')
    await expectDead('301', { id: first.id, pin: first.attributes.pin })
    const guest = await booked('301', externalId)
    const second = await house.reconcile(externalId)
    assert.equal(second.status, 200, second.text)
    assert.notEqual(second.body.data.id, first.id)
    assert.notEqual(second.body.data.attributes.pin, first.attributes.pin)
    assert.equal(second.body.data.attributes.stayId, guest.id)
    assert.equal((await house.key(first.id)).stayId, canceled.id)
    await guests.become(guest, 'Canceled')
  })

  it('that two stays have is refused, and each is named by its id', async () => {
    const externalId = another()
    const here = await booked('301', externalId)
    const there = await booked('302', externalId, {
      startDate: '2026-06-05',
      endDate: '2026-06-07',
    })
    for (const unitName of ['302', '301']) {
      const own = await house.reconcile(externalId, { unitName })
      assert.equal(own.body.data.attributes.stayId, (unitName === '301' ? here : there).id)
    }
    const refused = await house.reconcile(externalId, { unitName: '303' })
    assert.equal(codeOf(refused), '409 external-id-conflict', refused.text)
    assert.deepEqual([...refused.body.errors[0].meta.stayIds].sort(), [here.id, there.id].sort())
    const own = await house.reconcile(here.id)
    assert.equal(own.body.data.attributes.stayId, here.id)
    await guests.become(there, 'Canceled')
    const only = await house.reconcile(externalId)
    assert.deepEqual([only.status, only.body.data.id], [200, own.body.data.id])
    await guests.become(here, 'Canceled')
  })

  it('that it has lost still finds its key', async () => {
    const externalId = another()
    const guest = await booked('301', externalId)
    const key = (await house.reconcile(externalId)).body.data
    assert.equal((await house.ask('PATCH', guest.path, { body: { externalId: another() } })).status, 204)
    const again = await house.reconcile(externalId)
    assert.deepEqual([again.status, again.body.data.id], [200, key.id])
    await guests.become(guest, 'Canceled')
    assert.equal(codeOf(await house.reconcile(externalId)), '404 key-gone')
  })
})

/** A guest in house whose stay has lost the name by which its key was ordered. */
async function renamedInHouse() {
  const externalId = another()
  const guest = await booked('301', externalId)
  await guests.become(guest, 'InHouse')
  const own = (await house.reconcile(externalId)).body.data
  assert.equal((await house.ask('PATCH', guest.path, { body: { externalId: another() } })).status, 204)
  return { externalId, guest, own }
}

describe('a number that is given again before its stay is known', () => {
  it('is that of another guest at another time, whose digits open nothing of the one before', async () => {
    const { externalId, guest: first, own } = await renamedInHouse()
    const next = await house.reconcile(externalId, { startDate: '2026-06-10', endDate: '2026-06-12' })
    assert.equal(next.status, 200, next.text)
    assert.notEqual(next.body.data.id, own.id)
    assert.equal(next.body.data.attributes.stayId, null)
    assert.notEqual(next.body.data.attributes.pin, own.attributes.pin)
    assert.ok(house.opens('301', own.attributes.pin))
    // Its last night is the day on which a longer stay asks for more.
    const longer = await house.reconcile(externalId, { startDate: '2026-06-03', endDate: '2026-06-05' })
    assert.equal(longer.body.data?.id, own.id, longer.text)
    assert.equal((await house.ask('DELETE', `/api/v2/access/keys/${next.body.data.id}`)).status, 204)
    await leaves(first)
  })
})

describe('a key without a name', () => {
  const nameless = { externalId: undefined, original: true }

  it('for the unit of a guest is the key of that guest', async () => {
    const guest = await booked('302', another())
    await guests.become(guest, 'InHouse')
    const meta = { confirm: true, reason: 'In a hurry' }
    const made = await house.make({ ...nameless, unitName: '302', meta })
    assert.equal(made.status, 201, made.text)
    assert.equal(made.body.data.attributes.stayId, guest.id)
    await leaves(guest)
    await expectDead('302', { id: made.body.data.id, pin: made.body.data.attributes.pin })
  })

  it('that was made since the guest before left is the key of the next one; an older one ends', async () => {
    const first = await booked('302', another(), { endDate: '2026-06-02' })
    const older = await house.make({ ...nameless, unitName: '302', endDate: '2026-06-09' })
    await guests.become(first, 'InHouse')
    const db = new Database(join(house.data, 'nightporter.db'))
    // Nobody is behind the door for the books: the key was made in a way that no rule has seen.
    db.prepare("UPDATE key SET stayId = NULL WHERE unitName = '302'").run()
    db.close()
    await house.restart()
    house.clock.advance(60_000)
    await leaves(first)
    house.clock.advance(60_000)
    const newer = await house.make({ ...nameless, unitName: '302', endDate: '2026-06-08' })
    assert.equal(newer.body.data.attributes.stayId, null)
    const next = await booked('302', another(), { endDate: '2026-06-09' })
    await guests.become(next, 'InHouse')
    assert.equal((await house.key(newer.body.data.id)).stayId, next.id)
    await expectDead('302', { id: older.body.data.id, pin: older.body.data.attributes.pin })
    assert.ok(house.opens('302', newer.body.data.attributes.pin))
    await leaves(next)
    await expectDead('302', { id: newer.body.data.id, pin: newer.body.data.attributes.pin })
  })

  it('is not that of a guest who comes later under another name', async () => {
    const dates = { startDate: '2026-06-02', endDate: '2026-06-04' }
    const waiting = await early(another(), { unitName: '302', ...dates })
    const guest = await booked('302', another())
    await guests.become(guest, 'InHouse')
    assert.equal((await house.key(waiting.id)).stayId, null)
    await leaves(guest)
    assert.equal((await house.key(waiting.id)).status, 'live')
    assert.equal((await house.ask('DELETE', `/api/v2/access/keys/${waiting.id}`)).status, 204)
  })
})

describe('a key with the name of another stay', () => {
  it('ends where a guest moves in, and its digits are not given to that guest', async () => {
    const stranger = await early(another(), { unitName: '302' })
    const guest = await booked('302', another())
    await guests.become(guest, 'InHouse')
    const own = await house.reconcile(guest.externalId, { unitName: '302' })
    assert.equal(own.status, 200, own.text)
    assert.notEqual(own.body.data.attributes.pin, stranger.pin)
    await expectDead('302', stranger)
    await leaves(guest)
    await expectDead('302', { id: own.body.data.id, pin: own.body.data.attributes.pin })
  })

  it('that is being made when a guest moves in is not given to anybody', async () => {
    house.cloud.misbehaviours.push({ at: 'add', does: 'pass', code: 'held' })
    const making = house.make({ externalId: another(), unitName: '302' })
    await until(
      'the request',
      () => house.cloud.held.length,
      (held) => held === 1,
    )
    const guest = await booked('302', another())
    await guests.become(guest, 'InHouse')
    for (const release of house.cloud.held.splice(0)) release()
    assert.equal(codeOf(await making), '409 stay-status-transition')
    await leaves(guest)
  })

  it('is the key of the one that has its unit, as soon as that one is known', async () => {
    const externalId = another()
    const later = await booked('302', externalId, { startDate: '2026-06-05', endDate: '2026-06-07' })
    const key = (await house.reconcile(externalId)).body.data
    assert.equal(key.attributes.stayId, later.id)
    const own = await booked('301', externalId)
    assert.equal((await house.key(key.id)).stayId, own.id)
    await guests.become(own, 'InHouse')
    await leaves(own)
    await expectDead('301', { id: key.id, pin: key.attributes.pin })
    await guests.become(later, 'Canceled')
  })

  it('is that of the one that gets its unit later', async () => {
    const externalId = another()
    const key = await early(externalId)
    const { unitTypeId } = units.get('301')!
    const own = await booked('301', externalId, { units: [{ unitTypeId }] })
    const other = await booked('302', externalId)
    assert.equal((await house.key(key.id)).stayId, own.id)
    const body = { units: [units.get('301')] }
    assert.equal((await house.ask('PATCH', own.path, { body })).status, 204)
    assert.equal((await house.key(key.id)).stayId, own.id)
    for (const each of [own, other]) await guests.become(each, 'Canceled')
    await expectDead('301', key)
  })

  it('is not changed in place of the key that was named', async () => {
    const externalId = another()
    const first = await booked('301', externalId)
    const own = (await house.reconcile(externalId)).body.data
    assert.equal((await house.ask('PATCH', first.path, { body: { externalId: another() } })).status, 204)
    const second = await booked('302', externalId)
    const others = (await house.reconcile(externalId, { unitName: '302' })).body.data
    assert.notEqual(others.id, own.id)
    const longer = { body: { endDate: '2026-06-04' } }
    const extended = await house.ask('POST', `/api/v2/access/keys/${own.id}/actions/extend`, longer)
    assert.deepEqual([extended.status, extended.body.data.id], [200, own.id], extended.text)
    assert.equal((await house.key(others.id)).endDate, '2026-06-03')
    for (const each of [first, second]) await guests.become(each, 'Canceled')
  })

  it('is not taken from a guest in house by the name that the stay had before', async () => {
    const { externalId, guest, own } = await renamedInHouse()
    const other = await house.reconcile(externalId, { unitName: '302' })
    assert.equal(other.status, 200, other.text)
    assert.equal(other.body.data.attributes.stayId, null)
    assert.ok(house.opens('301', own.attributes.pin))
    assert.equal((await house.ask('DELETE', `/api/v2/access/keys/${other.body.data.id}`)).status, 204)
    await leaves(guest)
  })
})

describe('a stay that goes on after its end', () => {
  const undone: [name: string, statuses: string[]][] = [
    ['a cancellation', ['Canceled', 'Confirmed']],
    ['a check-out', ['InHouse', 'CheckedOut', 'InHouse']],
    ['an undone check-in', ['InHouse', 'Confirmed', 'InHouse']],
  ]
  for (const [name, statuses] of undone)
    for (const isProven of [true, false])
      for (const request of ['PUT', 'POST'])
        it(`has its PIN again after ${name}, ${isProven ? 'proven at the lock' : 'at once'}, by ${request}`, async () => {
          const guest = await booked('301', another())
          const { externalId } = guest
          const ask = () => (request === 'PUT' ? house.reconcile(externalId) : house.make({ externalId }))
          const [first, ...others] = statuses as [string, ...string[]]
          if (first === 'InHouse') await guests.become(guest, first)
          const made = (await ask()).body.data
          for (const [at, status] of (first === 'InHouse' ? others : statuses).entries()) {
            await guests.become(guest, status)
            if (at === 0 && isProven) await expectDead('301', { id: made.id, pin: made.attributes.pin })
          }
          const again = await ask()
          assert.ok(again.status < 300, again.text)
          assert.equal(again.body.data.attributes.pin, made.attributes.pin)
          assert.equal((await house.key(again.body.data.id)).status, 'live')
          assert.ok(house.opens('301', made.attributes.pin))
          const status = (await house.ask('GET', guest.path)).body.data.attributes.status
          await guests.become(guest, status === 'InHouse' ? 'CheckedOut' : 'Canceled')
          await expectDead('301', { id: again.body.data.id, pin: made.attributes.pin })
        })

  it('has a virtual key again as it was', async () => {
    const dates = { startDate: '2026-06-10', endDate: '2026-06-12' }
    const guest = await booked('301', another(), dates)
    const held = (await house.reconcile(guest.externalId, dates)).body.data
    await guests.become(guest, 'Canceled')
    assert.equal((await house.key(held.id)).status, 'removed')
    await guests.become(guest, 'Confirmed')
    const { status, proof } = await house.key(held.id)
    assert.deepEqual([status, proof], ['virtual', null])
    assert.equal((await house.reconcile(guest.externalId, dates)).body.data.id, held.id)
    await guests.become(guest, 'Canceled')
  })

  it('has a key in doubt in doubt again, and the same request finds out', async () => {
    const guest = await booked('301', another())
    house.cloud.misbehaviours.push({ at: 'add', does: 'silence' })
    const lost = await house.make({ externalId: guest.externalId })
    const { keyId } = lost.body.errors[0].meta
    assert.equal((await house.key(keyId)).status, 'unknown')
    await guests.become(guest, 'Canceled')
    await guests.become(guest, 'Confirmed')
    assert.equal((await house.key(keyId)).status, 'unknown')
    const again = await house.reconcile(guest.externalId)
    assert.deepEqual([again.status, again.body.data.id], [200, keyId], again.text)
    assert.ok(house.opens('301', again.body.data.attributes.pin))
    await guests.become(guest, 'Canceled')
    await expectDead('301', { id: keyId, pin: again.body.data.attributes.pin })
  })

  it('has a key again that was deleted before, and none that was reported lost', async () => {
    const guest = await booked('301', another())
    const { externalId } = guest
    const first = (await house.reconcile(externalId)).body.data
    assert.equal((await house.ask('DELETE', `/api/v2/access/keys/${first.id}`)).status, 204)
    assert.equal(codeOf(await house.reconcile(externalId)), '404 key-gone')
    await guests.become(guest, 'Canceled')
    await guests.become(guest, 'Confirmed')
    const second = await house.reconcile(externalId)
    assert.equal(second.status, 200, second.text)
    assert.equal(second.body.data.attributes.pin, first.attributes.pin)
    const block = `/api/v2/access/keys/${second.body.data.id}/actions/block`
    assert.equal((await house.ask('POST', block)).status, 200)
    await guests.become(guest, 'Canceled')
    await guests.become(guest, 'Confirmed')
    assert.equal(codeOf(await house.reconcile(externalId)), '404 key-gone')
    await guests.become(guest, 'Canceled')
  })
})
