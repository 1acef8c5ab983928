import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { it, type TestContext } from 'node:test'
import Database from 'better-sqlite3'
import { type HouseWithDoors, houseWithDoors, serve } from '../access/house-with-doors.ts'
import { type HouseWithPins, houseWithPins } from '../access/house-with-pins.ts'
import { startAppliance, type TestAppliance } from '../appliance.ts'
import { restoreCopy, storeCopy } from './recovery.ts'

const hour = 3_600_000
const newNumbers = 1 << 20

async function doors(t: TestContext): Promise<HouseWithDoors> {
  const house = await houseWithDoors()
  t.after(() => house.stop())
  return house
}

/** Numbers that no answer shows. */
function row(house: TestAppliance, keyId: string): { lockSequence: number; credential: number } {
  const db = new Database(join(house.data, 'nightporter.db'), { readonly: true })
  try {
    const id = Buffer.from(keyId.replaceAll('-', ''), 'hex')
    return db.prepare('SELECT lockSequence, credential FROM key WHERE id = ?').get(id) as never
  } finally {
    db.close()
  }
}

const check = '/api/config/v1/units-to-check'
const toCheck = async (house: TestAppliance) => (await house.ask('GET', `${check}?page[size]=100`)).body.data

it('makes keys that are newer at their doors than any key that was made and is not known', async (t) => {
  const house = await doors(t)
  const known = await serve(house, '101')
  const copy = storeCopy(t, house)
  const unknown = await serve(house, '101')
  assert.match(house.present(unknown.card, '101'), /^opened/)
  assert.equal(house.present(known.card, '101'), 'superseded')
  const lost = row(house, unknown.id)

  await restoreCopy(house, copy)
  const made = await serve(house, '101')
  const now = row(house, made.id)
  assert.ok(now.lockSequence > lost.lockSequence && now.credential > lost.credential)
  assert.match(house.present(made.card, '101'), /^opened/)
  assert.equal(house.present(unknown.card, '101'), 'superseded')
})

it('assigns no number twice when one backup is restored twice', async (t) => {
  const house = await doors(t)
  const copy = storeCopy(t, house)
  const seen: number[] = []
  for (const unitName of ['101', '102', '103']) {
    await restoreCopy(house, copy)
    house.clock.advance(hour)
    const { id } = await serve(house, '101')
    const other = await serve(house, unitName, { original: null })
    seen.push(row(house, id).lockSequence, row(house, other.id).credential, row(house, id).credential)
  }
  const [first, second, third] = [seen.slice(0, 3), seen.slice(3, 6), seen.slice(6)]
  for (const index of [0, 1, 2]) assert.ok(first[index]! < second[index]! && second[index]! < third[index]!)
})

it('lists each unit that may have unknown keys, until somebody has dealt with it', async (t) => {
  const house = await doors(t)
  const copy = storeCopy(t, house)
  const takenAt = new Date(house.clock.now()).toISOString()
  assert.deepEqual(await toCheck(house), [])
  house.clock.advance(5 * hour)
  const unknown = await serve(house, '101')
  await restoreCopy(house, copy)

  const list = await toCheck(house)
  const units = list.map(({ attributes }: { attributes: { unitName: string } }) => attributes.unitName)
  assert.ok(units.length > 10 && units.includes('101') && units.includes('102'))
  assert.deepEqual(list[0].attributes.keysFrom, takenAt)
  assert.ok(list[0].attributes.keysUntil > takenAt)
  const { checks } = (await house.ask('GET', '/api/v2/status')).body.data.attributes
  assert.deepEqual(
    [checks['keys:unknown'][0].observedValue, checks['keys:unknown'][0].status],
    [units.length, 'warn'],
  )
  assert.match(house.appliance.notes.join(' '), new RegExp(`check ${units.length} rooms`))

  // The lock of 101 refuses what is older as soon as it has seen the new key.
  const { id, card } = await serve(house, '101')
  assert.equal((await toCheck(house)).length, units.length, 'nobody was at the door yet')
  assert.match(house.present(card, '101'), /^opened/)
  assert.equal((await house.ask('POST', `/api/v2/access/keys/${id}/actions/seen-at-door`)).status, 200)
  assert.equal(house.present(unknown.card, '101'), 'superseded')
  const left = await toCheck(house)
  assert.deepEqual(
    left.map(({ attributes }: { attributes: { unitName: string } }) => attributes.unitName),
    units.filter((name: string) => name !== '101'),
  )

  // Of another somebody says that he looked after it; that is for the desk, and not for a kiosk.
  const { body } = await house.ask('POST', '/api/config/v1/tokens', {
    body: { name: 'desk', role: 'frontdesk' },
  })
  const kiosk = await house.ask('POST', '/api/config/v1/tokens', { body: { name: 'kiosk', role: 'kiosk' } })
  const [{ id: unit }] = left
  assert.equal((await house.ask('DELETE', `${check}/${unit}`, { token: kiosk.body.meta.token })).status, 403)
  assert.equal((await house.ask('DELETE', `${check}/${unit}`, { token: body.meta.token })).status, 204)
  assert.equal((await toCheck(house)).length, units.length - 2)
  await house.restart()
  assert.equal((await toCheck(house)).length, units.length - 2)
})

it('lists only units whose key was being made, where segments know all others', async (t) => {
  const house = await doors(t)
  const copy = storeCopy(t, house)
  const takenAt = house.clock.now()
  const id = '018f2a3c-0000-7000-8000-000000000103'
  const { providerId } = house
  const dates = { startDate: '2026-06-01', endDate: '2026-06-03' }
  const made = { id, providerId, unitName: '103', lock: '103', keyType: 'keyCard', original: true, ...dates }
  const segments = { takenAt, until: takenAt + hour, keys: [{ ...made, status: 'pendingWrite' }] }
  const beside = () => writeFileSync(join(house.data, 'restored-keys.json'), JSON.stringify(segments))
  const names = async () =>
    (await toCheck(house)).map(({ attributes }: { attributes: { unitName: string } }) => attributes.unitName)
  await restoreCopy(house, copy, beside)
  assert.deepEqual(await names(), ['103'])
  assert.equal((await house.key(id)).status, 'unknown')
  // A day later it is not certain that the medium was there to the end.
  house.clock.advance(25 * hour)
  await restoreCopy(house, copy, beside)
  assert.ok((await names()).length > 10)
})

it('reports no key dead whose card was in progress at the time of the backup', async (t) => {
  const house = await doors(t)
  const { id, card } = await serve(house, '101')
  const copy = storeCopy(t, house)
  const ends = { asked: 'unknown', writing: 'unknown', presented: 'live', recalled: 'blocked' }
  for (const [step, status] of Object.entries(ends)) {
    await restoreCopy(house, copy, (path) => {
      const db = new Database(path)
      db.function('fold', (text: unknown) => text as string)
      db.prepare('UPDATE card_run SET step = ?, ending = NULL, endedAt = NULL').run(step)
      const before = step === 'asked' || step === 'writing' ? 'pendingWrite' : 'live'
      db.prepare('UPDATE key SET status = ?').run(before)
      db.close()
    })
    const key = await house.key(id)
    assert.deepEqual([key.status, key.mayOpen, key.proof], [status, true, null], step)
  }
  assert.match(house.present(card, '101'), /^opened/)
})

it('does not report a PIN as never made that may have been sent to the lock since', async (t) => {
  const house: HouseWithPins = await houseWithPins()
  t.after(() => house.stop())
  const held = await house.make({ startDate: '2026-06-06', endDate: '2026-06-08', externalId: 'later-guest' })
  assert.equal(held.status, 201, held.text)
  const { id, attributes } = held.body.data
  assert.equal(attributes.status, 'virtual')
  const copy = storeCopy(t, house)
  await restoreCopy(house, copy)
  assert.equal((await house.key(id)).status, 'virtual', 'its time has not come')
  house.clock.advance(4 * 24 * hour)
  await restoreCopy(house, copy)
  const key = await house.key(id)
  assert.notEqual(key.status, 'virtual')
  assert.notEqual(key.proof, 'never-made')
})

it('continues the journal after all published numbers, and tells clients with later cursors', async (t) => {
  const house = await doors(t)
  const copy = storeCopy(t, house)
  const takenAt = new Date(house.clock.now()).toISOString()
  const events = (after: number) =>
    house.ask('GET', `/api/v2/events?filter[sequence][gt]=${after}&page[size]=1000`)
  const sequence = async () => {
    for (let at = 0; ; ) {
      const { meta, data } = (await events(at)).body
      if (data.length === 0) return Number(meta.sequence)
      at = Number(meta.sequence)
    }
  }
  const known = await sequence()
  await serve(house, '101')
  const heard = await sequence()
  assert.ok(heard > known)

  await restoreCopy(house, copy)
  const gone = await events(heard)
  assert.deepEqual([gone.status, gone.body.errors[0].code], [410, 'events-gone'])
  const next = await events(known)
  const [first] = next.body.data
  assert.equal(first.attributes.event.type, 'system.restored')
  assert.ok(Number(first.attributes.sequence) >= known + newNumbers)
  assert.equal(first.attributes.event.data.takenAt, takenAt)
  const newest = await sequence()
  assert.equal((await events(newest)).status, 200)
  await house.restart()
  const again = await house.ask('GET', '/api/v2/events?filter[type]=system.restored')
  assert.equal(again.body.data.length, 1, 'it is settled once')
})

it('asks each PMS for all data, and repeats the changes that were not acknowledged', async (t) => {
  const house = await startAppliance()
  t.after(() => house.stop())
  const copy = storeCopy(t, house)
  const link = (path: string) => {
    const db = new Database(path)
    t.after(() => db.close())
    return db
  }
  link(copy)
    .prepare(
      `INSERT INTO sync_link (id, createdAt, updatedAt, revision, configurationId, pullCursor, tailedTo, publishedTo, isConnected, lends, forgotten)
        VALUES (zeroblob(16), 0, 0, 1, 1, 'somewhere', 3, 2, 0, 0, 0)`,
    )
    .run()
  await restoreCopy(house, copy)
  const now = link(join(house.data, 'nightporter.db')).prepare(
    'SELECT pullCursor, tailedTo, publishedTo FROM sync_link',
  )
  assert.deepEqual(now.get(), { pullCursor: null, tailedTo: 3, publishedTo: 2 })
})
