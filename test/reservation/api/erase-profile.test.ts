import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { type HouseWithPms, openHouseWithPms } from '../../pms/adapters/scripted-adapter.ts'
import { keptConflict } from '../../pms/sync/kept-conflict.ts'
import { keptMessage } from '../../pms/sync/kept-message.ts'
import { refused } from './house.ts'
import { configure, whole } from './registering.ts'

let house: HouseWithPms
before(async () => {
  house = await openHouseWithPms()
})
after(() => house.stop())

const person = {
  firstName: 'Wendeline',
  lastName: 'Zwiebelhuber',
  birthDate: '1980-02-03',
  emails: [{ address: 'wendeline@zwiebelhuber.example', type: 'Private', primary: true }],
  phoneNumbers: [{ number: '+351 912 345 999', type: 'Mobile' }],
}
const traces = /wendeline|zwiebelhuber|912 ?345 ?999|onion soup|U7731905/i

/** Every text of the database in which the guest is still to be found, as table and column. */
function found(): string[] {
  const db = new Database(join(house.data, 'nightporter.db'), { readonly: true })
  try {
    const tables = db
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE '%VIRTUAL%'")
      .pluck()
      .all() as string[]
    return tables.flatMap((table) =>
      (db.prepare(`SELECT * FROM "${table}"`).all() as Record<string, unknown>[]).flatMap((row) =>
        Object.entries(row)
          .filter(([, value]) =>
            traces.test(Buffer.isBuffer(value) ? value.toString('latin1') : String(value)),
          )
          .map(([column]) => `${table}.${column}`),
      ),
    )
  } finally {
    db.close()
  }
}

let guests = 0
let shares = 0

async function guest() {
  const body = { ...person, firstName: `Wendeline ${'ABC'[guests++]}`, birthDate: `198${guests}-02-03` }
  const headers = { 'Idempotency-Key': `guest-${guests}` }
  const made = await house.ask('POST', '/api/v2/profiles', { body, headers })
  assert.equal(made.status, 201, made.text)
  const { id } = made.body.data
  const stay = await house.stay({
    profiles: [{ id, role: 'PrimaryGuest' }],
    comment: 'Brings her own onion soup',
    guestComment: 'For Ms Zwiebelhuber',
  })
  await house.ask('PATCH', stay.reservation, { body: { comment: 'Zwiebelhuber party' } })
  await configure(house, { registrationFields: ['lastName'] })
  const registered = await house.ask('PUT', `/api/v2/stays/${stay.id}/registrations/${id}`, { body: whole })
  assert.equal(registered.status, 204, registered.text)
  await configure(house, { registrationFields: [] })
  const waived = { registrationWaiver: 'Her onion soup boils over' }
  assert.equal((await house.ask('PATCH', stay.path, { body: waived })).status, 204)
  return { ...stay, id, body, headers, erase: `/api/v2/profiles/${id}/actions/erase` }
}

async function regular(): Promise<{ id: string }> {
  const body = { ...person, firstName: 'Wendeline R', birthDate: '1979-02-03' }
  return (await house.ask('POST', '/api/v2/profiles', { body })).body.data
}

/** What synchronisation keeps of a guest: agreed on, on its way, in conflict, put aside. */
function sharedWithPms(reservation: string, stayId: string, firstName: string): void {
  const { data, configurationId } = house
  const reservationId = reservation.split('/').at(-1)!
  const guest = { role: 'PrimaryGuest', ...person, firstName }
  const shared = JSON.stringify({ externalId: 'R-1', comment: 'onion soup', stays: [{ guests: [guest] }] })
  const conflict = keptConflict(data, { configurationId, reservationId, stayId })
  const message = keptMessage(data, configurationId)
  const blob = (uuid: string) => Buffer.from(uuid.replaceAll('-', ''), 'hex')
  const rid = 900 + shares++
  const db = new Database(join(data, 'nightporter.db'))
  db.prepare(
    `INSERT INTO sync_record (rid, id, createdAt, updatedAt, revision, integrationId, reservationId, state, base)
     VALUES (${rid}, randomblob(16), ${house.clock.now()}, 0, 1, ?, ?, 'Synced', ?)`,
  ).run(configurationId, reservationId, shared)
  db.prepare(
    `INSERT INTO sync_offer (rid, id, createdAt, updatedAt, revision, configurationId, reservationId, marks, since, offer,
       attempts, notBefore)
     VALUES (${rid}, randomblob(16), ${house.clock.now()}, 0, 1, (SELECT rid FROM pms_configuration WHERE id = ?), ?, 1, 0, ?, 0, 0)`,
  ).run(blob(configurationId), reservationId, shared)
  const sentence = `${firstName} Zwiebelhuber has another number.`
  db.prepare('UPDATE sync_conflict SET sentence = ? WHERE id = ?').run(sentence, blob(conflict))
  db.prepare('UPDATE quarantined_message SET payload = ? WHERE id = ?').run(shared, blob(message))
  db.close()
}

describe('Erasing a guest', () => {
  it('leaves nothing of her personal data anywhere', async () => {
    const { id, body, erase, path, reservation, headers } = await guest()
    sharedWithPms(reservation, path.split('/').at(-1)!, body.firstName)
    const kept = [
      'sync_record.base',
      'sync_offer.offer',
      'sync_conflict.sentence',
      'quarantined_message.payload',
      'registration.documentNumber',
      'stay.registrationWaiver',
    ]
    assert.deepEqual(
      kept.filter((each) => !found().includes(each)),
      [],
    )
    assert.equal((await house.ask('POST', `${erase}?dryRun=true`)).status, 200)
    assert.ok(found().length > 4)
    const erased = await house.ask('POST', erase)
    assert.equal(erased.status, 200, erased.text)
    assert.equal(erased.body.data.attributes.firstName, 'Erased')
    await house.during(house.clock.sleep(10_000))
    assert.deepEqual(found(), [])
    const profile = await house.attributes(`/api/v2/profiles/${id}`)
    assert.deepEqual([profile.firstName, profile.lastName, profile.emails], ['Erased', 'Guest', null])
    assert.equal((await house.attributes(path)).comment, null)
    assert.equal((await house.attributes(reservation)).comment, null)
    const searched = await house.ask('GET', '/api/v2/profiles?filter[lastName][like]=wiebelhub')
    assert.deepEqual(searched.body.data, [])
    assert.ok(house.journal(`profiles/${id}`).some(({ type }) => type === 'profile.anonymized'))
    const repeated = await house.ask('POST', '/api/v2/profiles', { body, headers })
    refused(repeated, 422, 'idempotency-key-reused')
    assert.deepEqual(found(), [])
    assert.equal((await house.ask('POST', erase)).status, 200)
  })

  it('finds a guest with one name whom one side has with a hyphen', async () => {
    const profile = { ...person, firstName: '-', birthDate: '1990-02-03' }
    const { path, reservation } = await house.stay({ profiles: [{ role: 'PrimaryGuest', ...profile }] })
    const [{ id }] = (await house.attributes(path)).profiles
    sharedWithPms(reservation, path.split('/').at(-1)!, '')
    const erased = await house.ask('POST', `/api/v2/profiles/${id}/actions/erase`)
    assert.equal(erased.status, 200, erased.text)
    await house.during(house.clock.sleep(10_000))
    assert.deepEqual(found(), [])
  })

  /** Messages that a PMS has sent of guests, and whether they name one who is only called Li, or nothing at all. */
  const messages: [payload: string, isOfLi: boolean][] = [
    ['{"firstName":"","lastName":"Li"}', true],
    ['{"comment":"for\\nLi, late"}', true],
    ['GI|RN101|G#77|GNLi|GF|', true],
    ['<Name>Li</Name>', true],
    ['{"firstName":"Lia","lastName":"Lind","city":"Lisbon"}', false],
    ['{"firstName":"Ana","lastName":"Melli-Costa","arrival":"2026-06-01"}', false],
  ]
  for (const [lastName, isKept] of [
    ['Li', (isOfLi: boolean) => !isOfLi],
    ['-', () => true],
  ] as const)
    it(`leaves the messages about other guests than one who is only called ${lastName}`, async () => {
      const body = { firstName: '', lastName, birthDate: '1991-02-03' }
      const { id } = (await house.ask('POST', '/api/v2/profiles', { body })).body.data
      const db = new Database(join(house.data, 'nightporter.db'))
      const payloads = () =>
        db.prepare("SELECT payload FROM quarantined_message WHERE payload <> '?'").pluck().all()
      const set = db.prepare('UPDATE quarantined_message SET payload = ? WHERE id = ?')
      for (const [payload] of messages) {
        const message = keptMessage(house.data, house.configurationId)
        set.run(payload, Buffer.from(message.replaceAll('-', ''), 'hex'))
      }
      const erased = await house.ask('POST', `/api/v2/profiles/${id}/actions/erase`)
      assert.equal(erased.status, 200, erased.text)
      assert.deepEqual(
        payloads(),
        messages.flatMap(([payload, isOfLi]) => (isKept(isOfLi) ? [payload] : [])),
      )
      db.exec('DELETE FROM quarantined_message')
      db.close()
    })

  it('waits until she has left, and until her key is dead', async () => {
    const { id, erase, path } = await guest()
    const assigned = await house.ask('POST', `${path}/unit-assignment`)
    assert.equal(assigned.status, 200, assigned.text)
    const { units, startDate, endDate } = assigned.body.data.attributes
    assert.equal((await house.ask('PATCH', path, { body: { status: 'InHouse' } })).status, 204)
    refused(await house.ask('POST', erase), 409, 'personal-data-needed')
    const [controller] = (await house.ask('GET', '/api/config/v1/access-controllers')).body.data
    const externalId = path.split('/').at(-1)
    const key = await house.ask('POST', `/api/v2/access/controllers/${controller.id}/key`, {
      body: { type: 'keyCard', unitName: units[0].unitName, original: true, startDate, endDate, externalId },
    })
    assert.equal(key.status, 201, key.text)
    assert.equal((await house.ask('PATCH', path, { body: { status: 'CheckedOut' } })).status, 204)
    const held = await house.ask('POST', erase)
    refused(held, 409, 'personal-data-needed')
    assert.equal(held.body.errors[0].meta.keyId, key.body.data.id)
    assert.equal((await house.attributes(`/api/v2/profiles/${id}`)).lastName, 'Zwiebelhuber')
  })

  it('asks every stay of a guest who has been here a thousand times', async () => {
    const profiles = [{ id: (await regular()).id, role: 'PrimaryGuest' }]
    const [type] = (await house.ask('GET', '/api/v2/unit-types?filter[name]=Double')).body.data
    const units = [{ unitTypeId: type.id }]
    const past = {
      startDate: '2024-05-01',
      endDate: '2024-05-02',
      status: 'CheckedOut',
      personCount: { adults: 1 },
      units,
      reservationIds: [],
      profiles,
    }
    const data = Array.from({ length: 52 }, (_, each) => ({
      externalId: `past-${each}`,
      stays: Array.from({ length: 20 }, () => past),
    }))
    const { body } = await house.ask('POST', '/api/config/v1/imports', { body: { data } })
    assert.equal(body.meta.accepted, 52, JSON.stringify(body.meta.rows[0]))
    const { path, reservation } = await house.stay({ profiles, comment: 'Brings her own onion soup' })
    await house.ask('PATCH', reservation, { body: { comment: 'Zwiebelhuber party' } })
    assert.equal((await house.ask('POST', `${path}/unit-assignment`)).status, 200)
    assert.equal((await house.ask('PATCH', path, { body: { status: 'InHouse' } })).status, 204)
    const erase = `/api/v2/profiles/${profiles[0]!.id}/actions/erase`
    refused(await house.ask('POST', erase), 409, 'personal-data-needed')
    assert.equal((await house.ask('PATCH', path, { body: { status: 'CheckedOut' } })).status, 204)
    assert.equal((await house.ask('POST', erase)).status, 200)
    assert.equal((await house.attributes(path)).comment, null)
    assert.equal((await house.attributes(reservation)).comment, null)
  })

  it('is for who holds its scope, and for the revision that was read', async () => {
    const { erase } = await guest()
    for (const role of ['frontdesk', 'kiosk', 'integrator', 'installer']) {
      const token = await house.tokenOf(role)
      refused(await house.ask('POST', erase, { token }), 403, 'scope-required')
    }
    const other = { headers: { 'If-Match': '"99"' } }
    refused(await house.ask('POST', erase, other), 412, 'revision-mismatch')
    const token = await house.tokenOf('auditor', ['privacy.erase'])
    assert.equal((await house.ask('POST', erase, { token })).status, 200)
  })
})
