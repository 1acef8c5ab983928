import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { eventually, type LinkedHouse, openLinkedHouse } from './linked-house.ts'
import { reported } from './played-pms.ts'

let house: LinkedHouse
before(async () => {
  house = await openLinkedHouse()
  await house.synchronise('pull')
})
after(() => house.stop())

const accept = async (from: string) => {
  const [{ id }] = (await house.ask('GET', '/api/config/v1/settings')).body.data
  const body = { acceptHousekeepingFrom: from }
  assert.equal((await house.ask('PATCH', `/api/config/v1/settings/${id}`, { body })).status, 204)
}
let revisions = 0
const say = async (unitName: string, status: string, revision = ++revisions) => {
  house.pms.send({ is: 'housekeeping', unitName, revision, status })
  return house.synchronise('pull')
}

/** A unit of its own, which is clean. */
async function unit() {
  const { unitId } = await house.rooms(1)
  const path = `/api/v2/units/${unitId}`
  const { name } = await house.attributes(path)
  return { unitId, name: String(name), status: async () => (await house.attributes(path)).status }
}

describe('What a PMS says of housekeeping', () => {
  it('is not obeyed unless the house has said so', async () => {
    const { name, status } = await unit()
    const counts = await say(name, 'Dirty')
    assert.deepEqual([counts.ignored, counts.quarantined], [1, 0])
    assert.equal(await status(), 'Clean')
  })

  for (const from of ['Pms', 'Both']) {
    it(`is obeyed where it is accepted from ${from}`, async () => {
      await accept(from)
      const { unitId, name, status } = await unit()
      assert.equal((await say(name, 'Dirty')).applied, 1)
      assert.equal(await status(), 'Dirty')
      assert.ok(house.journal(`units/${unitId}`).some(({ type }) => type === 'unit.status-changed'))
    })
  }

  it('overwrites nothing newer: what comes late, or twice, is passed over', async () => {
    await accept('Both')
    const { unitId, name, status } = await unit()
    assert.equal((await say(name, 'Dirty', 1_000)).applied, 1)
    assert.equal((await say(name, 'Clean', 999)).ignored, 1)
    assert.equal(await status(), 'Dirty')
    const reply = await house.ask('PATCH', `/api/v2/units/${unitId}`, { body: { status: 'Clean' } })
    assert.equal(reply.status, 204, reply.text)
    assert.equal((await say(name, 'Dirty', 1_000)).ignored, 1)
    assert.equal(await status(), 'Clean')
    assert.equal((await say(name, 'Dirty', 1_001)).applied, 1)
    assert.equal(await status(), 'Dirty')
  })

  it('that was quarantined is not obeyed when something newer has come meanwhile', async () => {
    await accept('Both')
    const { unitTypeId } = await house.rooms(1)
    assert.equal((await say('LATER', 'Dirty', 2_000)).quarantined, 1)
    const id = await house.make('units', { name: 'LATER-ON', status: 'Clean', unitTypeId })
    assert.equal((await say('LATER-ON', 'Inspected', 2_001)).applied, 1)
    house.pms.send({ is: 'housekeeping', unitName: 'LATER', revision: 2_002, status: 'Clean' })
    const renamed = await house.ask('PATCH', `/api/v2/units/${id}`, { body: { name: 'LATER' } })
    assert.equal(renamed.status, 204, renamed.text)
    await house.synchronise('pull')
    const quarantined = async () =>
      (await house.quarantined()).filter(({ attributes }) => String(attributes.payload).includes('"LATER"'))
    await eventually('an empty quarantine', async () => (await quarantined()).length === 0)
    assert.equal((await house.attributes(`/api/v2/units/${id}`)).status, 'Clean')
  })

  const bad: [what: string, unitName: string | null, status: string, reason: RegExp][] = [
    ['a unit that is not there', '9999', 'Dirty', /no unit 9999/],
    ['a word that is no status', null, 'Sparkling', /Sparkling is not a unit status/],
    ['a step that nobody may take', null, 'Cleaning', /cannot become Cleaning/],
  ]
  for (const [what, unitName, status, reason] of bad) {
    it(`is quarantined where it names ${what}`, async () => {
      await accept('Both')
      const own = await unit()
      assert.equal((await say(unitName ?? own.name, status)).quarantined, 1)
      const reasons = (await house.quarantined()).map(({ attributes }) => String(attributes.reason))
      assert.ok(
        reasons.some((each) => reason.test(each)),
        reasons.join(),
      )
      assert.equal(await own.status(), 'Clean')
    })
  }
})

describe('A unit’s status', () => {
  const all = async (): Promise<[string, string][]> => {
    const { body } = await house.ask('GET', '/api/v2/units?page[size]=100&sort=name')
    return body.data.map(({ attributes }: { attributes: { name: string; status: string } }) => [
      attributes.name,
      attributes.status,
    ])
  }

  it('stays as it is through whatever a PMS tells of reservations', async () => {
    await accept('Local')
    const own = await unit()
    const { code } = await house.attributes(
      `/api/v2/unit-types/${(await house.attributes(`/api/v2/units/${own.unitId}`)).unitTypeId}`,
    )
    const before = await all()
    const units = [{ unitTypeCode: code, unitName: own.name }]
    house.pms.report('U1', reported('U1', { units }))
    await house.synchronise('pull')
    for (const status of ['Canceled', 'Confirmed', 'NoShow', 'Tentative', 'Confirmed', 'InHouse'] as const) {
      house.pms.report('U1', reported('U1', { units, status }))
      await house.synchronise('pull')
    }
    assert.deepEqual(await all(), before)
  })

  it('follows a guest who has left, wherever that was said: his unit is to be cleaned, and no other', async () => {
    const left = house.pms.value('U1')!
    const before = await all()
    house.pms.report('U1', { ...left, stays: [{ ...left.stays[0]!, status: 'CheckedOut' }] })
    await house.synchronise('pull')
    const changed = (await all()).filter(
      ([name, status]) => !before.some((each) => each[0] === name && each[1] === status),
    )
    assert.deepEqual(changed, [[left.stays[0]?.units?.[0]?.unitName, 'Dirty']])
  })

  it('is set from the PMS side by one file alone', () => {
    const folder = join(import.meta.dirname, '../../../src/pms')
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      name.endsWith('.ts'),
    )
    const setting = files.filter((name) => {
      const text = readFileSync(join(folder, name), 'utf8')
      return /update-unit\.ts|\b(patch|insert|remove)\(unit,/.test(text)
    })
    assert.deepEqual(setting, ['sync/inbound/housekeeping.ts'])
  })
})
