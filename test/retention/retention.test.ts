import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { idle, until, withDoors } from '../access/house-with-doors.ts'
import { startAppliance, type TestAppliance } from '../appliance.ts'

const day = 86_400_000

/** A stay that a guest has had, with all that a stay can have. */
interface Past {
  reservation: string
  /** A reservation that never had a stay. */
  empty: string
  stay: string
  profile: string
  key: string
}

let house: TestAppliance
let past: Past

const get = (path: string) => house.ask('GET', path)
const attributes = async (path: string) => (await get(path)).body.data?.attributes
const rowsOf = (sql: string) => {
  const db = new Database(join(house.data, 'nightporter.db'), { readonly: true })
  const rows = db.prepare(sql).pluck().all()
  db.close()
  return rows
}

async function aPast(): Promise<Past> {
  const doors = await withDoors(house, house.data, house.clock.now)
  const [unit] = (await get('/api/v2/units?filter[name]=101')).body.data
  const [type] = (await get('/api/v2/unit-types')).body.data
  const profiles = [
    {
      firstName: 'Ana',
      lastName: 'Moreira',
      emails: [{ address: 'ana@example.com' }],
      phoneNumbers: [{ number: '+351 912 345 678' }],
      birthDate: '1980-01-01',
      externalId: 'G-1',
    },
  ]
  const stays = [
    {
      startDate: '2026-06-01',
      endDate: '2026-06-02',
      status: 'Confirmed',
      personCount: { adults: 1 },
      reservationIds: [{ type: 'Confirmation', value: 'OLD-1' }],
      units: [{ unitTypeId: unit?.relationships.unitType.data.id ?? type.id, unitId: unit.id }],
      profiles,
      externalId: 'OLD-STAY',
      guestComment: 'Allergic to feathers',
      amount: { currency: 'EUR', amountWithTax: 50 },
    },
  ]
  const made = await house.ask('POST', '/api/v2/reservations', {
    body: { externalId: 'OLD', comment: 'Ana is a friend of the owner', stays },
  })
  assert.equal(made.status, 201, made.text)
  const reservation = made.body.data.id
  const [stay] = (await get(`/api/v2/reservations/${reservation}/stays`)).body.data
  const key = await doors.issue('101', { externalId: 'OLD-STAY', endDate: '2026-06-02' })
  assert.equal(key.status, 201, key.text)
  await idle(doors)
  const set = (status: string) =>
    house.ask('PATCH', `/api/v2/reservations/${reservation}/stays/${stay.id}`, { body: { status } })
  const cash = { currency: 'EUR', amount: 5_000, brand: 'Cash' }
  const actions = `/api/v2/reservations/${reservation}/stays/${stay.id}/actions`
  const paid = await house.ask('POST', `${actions}/record-payment`, { body: cash })
  // Two payments are given back, and the third is not.
  let refundOf = paid.body.data?.id
  for (const reason of ['Wrong card', 'Wrong card again']) {
    const back = await house.ask('POST', `${actions}/record-refund`, { body: { ...cash, refundOf, reason } })
    assert.equal(back.status, 201, back.text)
    refundOf = (await house.ask('POST', `${actions}/record-payment`, { body: cash })).body.data.id
  }
  for (const status of ['InHouse', 'CheckedOut']) {
    const reply = await set(status)
    assert.equal(reply.status, 204, reply.text)
  }
  const empty = await house.ask('POST', '/api/v2/reservations', { body: { comment: 'Ana calls again' } })
  assert.equal(empty.status, 201, empty.text)
  return {
    reservation: `/api/v2/reservations/${reservation}`,
    empty: `/api/v2/reservations/${empty.body.data.id}`,
    stay: `/api/v2/reservations/${reservation}/stays/${stay.id}`,
    profile: `/api/v2/profiles/${stay.attributes.profiles[0].id}`,
    key: `/api/v2/access/keys/${key.body.data.id}`,
  }
}

/** What is old goes with the start. */
async function later(days: number): Promise<void> {
  house.clock.advance(days * day)
  await house.restart()
}

describe('an old row', () => {
  before(async () => {
    house = await startAppliance()
    past = await aPast()
  })
  after(() => house.stop())

  it('is kept until its time', async () => {
    await later(1_000)
    await until(
      'the key that is over',
      () => get(past.key),
      ({ status }) => status === 404,
    )
    assert.equal((await attributes(past.profile)).lastName, 'Moreira')
    assert.equal((await attributes(past.stay)).guestComment, 'Allergic to feathers')
  })

  it('loses its personal data, without a message to a PMS', async () => {
    await later(100)
    const profile = await until(
      'an anonymised profile',
      () => attributes(past.profile),
      ({ lastName }) => lastName !== 'Moreira',
    )
    assert.partialDeepStrictEqual(profile, {
      firstName: 'Erased',
      lastName: 'Guest',
      normalizedName: 'ERASED GUEST',
      emails: null,
      phoneNumbers: null,
      birthDate: null,
      externalId: null,
    })
    assert.equal((await get('/api/v2/profiles?filter[lastName][like]=orei')).body.data.length, 0)
    await until(
      'no comments',
      async () => [
        (await attributes(past.stay)).guestComment,
        (await attributes(past.reservation)).comment,
        (await attributes(past.empty)).comment,
      ],
      (comments) => comments.every((each) => each === null),
    )
    const id = past.profile.split('/').at(-1)
    assert.deepEqual(rowsOf(`SELECT type FROM journal WHERE subject = 'profiles/${id}'`), [
      'profile.anonymized',
    ])
    assert.equal((await attributes(past.stay)).profiles.length, 1, 'counts stay right')
  })

  it('is deleted with all its parts', async () => {
    await later(3_650)
    await until(
      'no reservation',
      () => get(past.reservation),
      ({ status }) => status === 404,
    )
    await until(
      'no profile',
      () => get(past.profile),
      ({ status }) => status === 404,
    )
    assert.deepEqual(rowsOf("SELECT count(*) FROM key WHERE externalId = 'OLD-STAY'"), [0])
    assert.deepEqual(rowsOf("SELECT count(*) FROM stay WHERE externalId = 'OLD-STAY'"), [0])
  })
})

describe('a reason in the audit log', () => {
  before(async () => {
    house = await startAppliance()
  })
  after(() => house.stop())

  it('is erased when personal data are', async () => {
    const [settings] = (await get('/api/config/v1/settings')).body.data
    const set = await house.ask('PATCH', settings.links.self, { body: { personalDataDays: 30 } })
    assert.ok(set.status < 300, set.text)
    const db = new Database(join(house.data, 'nightporter.db'))
    db.prepare(
      `INSERT INTO journal (at, type, subject, data, actor)
       VALUES (?, 'key.override-used', 'access/keys/1', '{"reason":"Ana is locked out"}', 'desk')`,
    ).run(house.clock.now())
    db.close()
    const reasons = () => rowsOf("SELECT data FROM journal WHERE type = 'key.override-used'")
    await later(29)
    assert.deepEqual(reasons(), ['{"reason":"Ana is locked out"}'])
    await later(2)
    const isErased = (found: unknown[]) => found[0] === '{"reason":null}'
    await until('no reason', async () => reasons(), isErased)
  })
})

describe('a row that cannot be deleted', () => {
  before(async () => {
    house = await startAppliance()
  })
  after(() => house.stop())

  const guests = () => rowsOf("SELECT firstName FROM profile WHERE firstName LIKE 'Old%' ORDER BY rid")
  const inDatabase = (sql: string) => {
    const db = new Database(join(house.data, 'nightporter.db'))
    db.exec(sql)
    db.close()
  }
  const found = async () => {
    const { checks } = (await get('/api/v2/status')).body.data.attributes
    return (checks['storage:retention'] ?? []).map((each: Record<string, unknown>) => [
      each.componentName,
      each.observedValue,
      each.status,
      String(each.output).includes('not be deleted: 1 (retention/profiles)'),
    ])
  }

  it('does not keep the others, is in the status, and is deleted when it can be', async () => {
    await house.during(house.appliance.close())
    inDatabase(`WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 60)
      INSERT INTO profile (rid, id, createdAt, updatedAt, revision, firstName, lastName)
      SELECT 100000 + i, randomblob(16), 0, 0, 1, 'Old' || i, 'Guest' FROM n`)
    inDatabase('UPDATE profile SET emails = \'[{"address":\' WHERE rid = 100007')
    await house.restart()
    await until('the others', guests, (names) => names.join() === 'Old7')
    await until('the status', found, (checks) => checks.length > 0)
    assert.deepEqual(await found(), [['retention/profiles', 1, 'warn', true]])
    inDatabase('UPDATE profile SET emails = NULL WHERE rid = 100007')
    house.clock.advance(3_600_000)
    await until('the row', guests, (names) => names.join() !== 'Old7')
    await until('the status', found, (checks) => checks.length === 0)
  })
})

describe('stored answers and tombstones', () => {
  before(async () => {
    house = await startAppliance()
  })
  after(() => house.stop())

  it('are kept for a day, and deleted within the next hour', async () => {
    const headers = { 'Idempotency-Key': 'once' }
    const body = { code: 'ONCE', name: 'Once' }
    const made = await house.ask('POST', '/api/v2/unit-types', { body, headers })
    await house.ask('DELETE', `/api/v2/unit-types/${made.body.data.id}`)
    const kept = () => [
      ...rowsOf("SELECT count(*) FROM idempotency WHERE key LIKE '%:once'"),
      ...rowsOf("SELECT count(*) FROM tombstone WHERE type = 'unit-type'"),
    ]
    assert.deepEqual(kept(), [1, 1])
    await later(0.99)
    await house.ask('POST', '/api/v2/amenities', { body: { code: 'TURN', name: 'Its turn' } })
    assert.deepEqual(kept(), [1, 1])
    house.clock.advance(3_600_000)
    await until(
      'nothing kept',
      async () => kept(),
      ([answers, places]) => answers === 0 && places === 0,
    )
  })
})
