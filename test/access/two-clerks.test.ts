import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { guestFound } from '../guest-found.ts'
import { sampleStay, until } from './house-with-doors.ts'
import { type HouseWithPins, houseWithPins } from './house-with-pins.ts'

let house: HouseWithPins

before(async () => {
  house = await houseWithPins()
})
after(() => house.stop())

const act = (id: string, verb: string, body: object) =>
  house.ask('POST', `/api/v2/access/keys/${id}/actions/${verb}`, { body })

/** Answers the next call of this name only when the function that it returns is called. */
async function held(at: string, begin: () => void): Promise<() => void> {
  house.cloud.misbehaviours.push({ at, does: 'pass', code: 'held' })
  begin()
  await until(
    'the call',
    () => house.cloud.held.length,
    (count) => count > 0,
  )
  return () => house.cloud.held.shift()?.()
}

const day = Date.UTC(2026, 5, 2)

/** The PIN opens this unit, and no longer the other one. */
async function opensOnly(pin: unknown, unitName: string, other: string): Promise<void> {
  await until(
    'the revocation',
    () => house.opens(other, pin, day),
    (opens) => !opens,
  )
  assert.ok(house.opens(unitName, pin, day))
}

describe('a PIN that two people change at once', () => {
  it('stays in the unit to which one has moved it while the other extends it', async () => {
    const { id, attributes } = (await house.make({ externalId: 'CLERKS-1' })).body.data
    let moving: ReturnType<typeof act> | undefined
    const release = await held('add', () => {
      moving = act(id, 'move', { newUnitName: '302' })
    })
    const extending = act(id, 'extend', { endDate: '2026-06-05' })
    await house.ask('GET', '/api/v2/access/keys')
    release()
    assert.equal((await moving)?.status, 200)
    const { status, body, text } = await extending
    assert.equal(status, 200, text)
    const { unitName, endDate } = body.data.attributes
    assert.deepEqual([unitName, endDate], ['302', '2026-06-05'])
    await opensOnly(attributes.pin, '302', '301')
  })

  it('gets no other digits in the unit from which it is moved', async () => {
    const { id, attributes } = (await house.make({ externalId: 'CLERKS-6' })).body.data
    let moving: ReturnType<typeof act> | undefined
    const release = await held('add', () => {
      moving = act(id, 'move', { newUnitName: '302' })
    })
    const again = act(id, 'reencode', {})
    await house.ask('GET', '/api/v2/access/keys')
    release()
    assert.equal((await moving)?.status, 200)
    const { status, body, text } = await again
    assert.deepEqual([status, body.errors?.[0].code], [409, 'key-status-transition'], text)
    await opensOnly(attributes.pin, '302', '301')
  })
})

describe('a PIN that is due', () => {
  it('goes to the unit that it was given while the lock system was busy', async () => {
    const [settings] = (await house.ask('GET', '/api/config/v1/settings')).body.data
    const path = `/api/config/v1/settings/${settings.id}`
    assert.equal((await house.ask('PATCH', path, { body: { autoMaterialize: true } })).status, 204)
    const due = { externalId: 'CLERKS-2', startDate: '2026-06-09', endDate: '2026-06-11' }
    const { id, attributes } = (await house.make(due)).body.data
    assert.equal(attributes.status, 'virtual')
    const other = await house.make({ externalId: 'CLERKS-3' })
    let making: ReturnType<typeof house.make> | undefined
    const release = await held('add', () => {
      making = house.make({ externalId: 'CLERKS-4', unitName: '302' })
    })
    const moving = house.reconcile('CLERKS-2', { ...due, unitName: '302' })
    house.clock.set(Date.UTC(2026, 5, 8, 12))
    // This starts the background work, which finds the PIN due in its former unit.
    await house.ask('DELETE', `/api/v2/access/keys/${other.body.data.id}`)
    await house.ask('GET', '/api/v2/access/keys')
    release()
    await making
    const moved = await moving
    assert.equal(moved.status, 200, moved.text)
    const { status, unitName } = await house.key(id)
    assert.deepEqual([status, unitName], ['live', '302'])
    const there = Date.UTC(2026, 5, 10)
    await house.reconcile('CLERKS-2', { ...due, unitName: '302' })
    assert.deepEqual(
      ['301', '302'].map((unit) => house.opens(unit, attributes.pin, there)),
      [false, true],
    )
  })
})

describe('a kiosk that waits for a PIN', () => {
  it('gets none for the unit from which its stay was moved meanwhile', async () => {
    const { path, externalId } = await sampleStay(house, 1001, 'Confirmed')
    const units = async (name: string) => {
      const [{ id, attributes }] = (await house.ask('GET', `/api/v2/units?filter[name]=${name}`)).body.data
      return { units: [{ unitId: id, unitTypeId: attributes.unitTypeId }] }
    }
    const { startDate, endDate } = (await house.ask('GET', path)).body.data.attributes
    house.clock.set(Date.parse(`${startDate}T16:00:00Z`))
    const given = await house.ask('PATCH', path, { body: await units('301') })
    assert.equal(given.status, 204, given.text)
    assert.equal((await house.ask('PATCH', path, { body: { status: 'InHouse' } })).status, 204)
    const kiosk = await house.ask('POST', '/api/config/v1/tokens', { body: { name: 'Kiosk', role: 'kiosk' } })
    await guestFound(house.ask, kiosk.body.meta.token, path.split('/').at(-1)!)
    const other = { startDate, endDate }
    let making: ReturnType<typeof house.make> | undefined
    const release = await held('add', () => {
      making = house.make({ ...other, externalId: 'CLERKS-5', unitName: '302' })
    })
    const waiting = house.make({ ...other, externalId }, { token: kiosk.body.meta.token })
    const moved = await house.ask('PATCH', path, { body: await units('302') })
    release()
    assert.equal(moved.status, 204, moved.text)
    // The guest moved in while the PIN of another name was made.
    assert.equal((await making)?.status, 409)
    const { status, body, text } = await waiting
    const [{ code, source }] = body.errors
    assert.deepEqual([status, code, source.pointer], [403, 'kiosk-scope', '/data/attributes/unitName'], text)
    const keys = await house.ask('GET', `/api/v2/access/keys?filter[externalId]=${externalId}`)
    assert.deepEqual(keys.body.data, [])
  })
})
