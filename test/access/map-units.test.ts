import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { lockByPattern, mapUnits } from '../../src/access/providers/map-units.ts'
import { type HouseWithDoors, houseWithDoors } from './house-with-doors.ts'

const anyCode = () => null
const map = (names: string[], known: Record<string, string>, pattern: string, problem = anyCode) =>
  mapUnits(
    names,
    { known: new Map(Object.entries(known)), mappings: 0 },
    (name) => lockByPattern(pattern, name),
    problem,
  )

describe('The locks of units by their names', () => {
  it('have the names of the units, or what the pattern makes of them', () => {
    assert.deepEqual(map(['101', '102'], {}, '{name}').mapped, [
      { unitName: '101', externalCode: '101' },
      { unitName: '102', externalCode: '102' },
    ])
    assert.deepEqual(map(['A-101'], {}, 'Room {digits}').mapped, [
      { unitName: 'A-101', externalCode: 'Room 101' },
    ])
    assert.deepEqual(map(['$& $1'], {}, '{name}').mapped, [{ unitName: '$& $1', externalCode: '$& $1' }])
  })

  it('are those that the lock system told, where one has the name', () => {
    assert.deepEqual(map(['101'], { 'Room 101': '532323' }, 'Room {name}').mapped, [
      { unitName: '101', externalCode: '532323' },
    ])
  })

  it('stay what they are, and are never given to two units', () => {
    const found = map(['101', 'A-101', 'B-101', '102'], { '101': '7', '102': '8' }, '{digits}')
    assert.deepEqual(found, {
      mapped: [],
      kept: [
        { unitName: '101', externalCode: '7' },
        { unitName: '102', externalCode: '8' },
      ],
      unmapped: ['A-101', 'B-101'].map((unitName) => ({
        unitName,
        reason: 'Its lock would be 7, which is the lock of 101.',
      })),
    })
    assert.deepEqual(map(['A-1', 'B-1'], {}, '{digits}').unmapped, [
      { unitName: 'B-1', reason: 'Its lock would be 1, which is the lock of A-1.' },
    ])
  })
})

describe('POST map-units', () => {
  let house: HouseWithDoors
  let path: string
  before(async () => {
    house = await houseWithDoors()
    path = `/api/config/v1/access-providers/${house.providerId}`
    for (const name of ['N-901', 'Annex'])
      assert.equal((await house.ask('POST', '/api/v2/units', { body: { name } })).status, 201)
  })
  after(() => house.stop())

  const post = (body: object, how = '') => house.ask('POST', `${path}/actions/map-units${how}`, { body })
  const mapping = async () => (await house.ask('GET', path)).body.data.attributes.unitMapping
  const reason = 'A lock code is a whole number from 1 to 4294967295, without leading zeros'

  it('shows what it would fill, and fills nothing, when it is tried', async () => {
    const before = await mapping()
    const { status, body, text } = await post({ pattern: '{digits}' }, '?dryRun=true')
    assert.equal(status, 200, text)
    assert.deepEqual(body.meta.mapped, [{ unitName: 'N-901', externalCode: '901' }])
    assert.equal(body.meta.kept.length, 40)
    assert.equal(body.meta.unmapped.length, 1)
    assert.equal(body.meta.unmapped[0].unitName, 'Annex')
    assert.ok(body.meta.unmapped[0].reason.startsWith(reason), body.meta.unmapped[0].reason)
    assert.deepEqual(await mapping(), before)
  })

  it('fills the mapping, and the unit gets keys', async () => {
    assert.equal((await house.issue('N-901')).body.errors[0].code, 'unit-unknown')
    assert.equal((await post({ pattern: '{digits}' })).status, 200)
    assert.deepEqual((await mapping()).at(-1), { unitName: 'N-901', externalCode: '901' })
    assert.equal((await house.issue('N-901')).status, 201)
    const again = (await post({})).body.meta
    assert.deepEqual([again.mapped.length, again.kept.length, again.unmapped.length], [0, 41, 1])
  })

  it('maps single units to the locks that are named, and says which cannot be', async () => {
    for (const name of ['Tower', 'Cellar'])
      assert.equal((await house.ask('POST', '/api/v2/units', { body: { name } })).status, 201)
    const locks = [
      { unitName: 'Tower', lock: '7001' },
      { unitName: 'Cellar', lock: '101' },
      { unitName: 'Annex', lock: 'Annex' },
      { unitName: '101', lock: '7002' },
    ]
    const { status, body, text } = await post({ locks })
    assert.equal(status, 200, text)
    assert.deepEqual(body.meta.mapped, [{ unitName: 'Tower', externalCode: '7001' }])
    assert.deepEqual(body.meta.kept, [{ unitName: '101', externalCode: '101' }])
    assert.deepEqual(
      body.meta.unmapped.map(({ unitName }: { unitName: string }) => unitName),
      ['Annex', 'Cellar'],
    )
    assert.equal(body.meta.unmapped[1].reason, 'Its lock would be 101, which is the lock of 101.')
    assert.deepEqual((await mapping()).at(-1), { unitName: 'Tower', externalCode: '7001' })
    const unknown = await post({ locks: [{ unitName: 'Moon', lock: '7003' }] })
    assert.deepEqual(
      [unknown.status, unknown.body.errors[0].source.pointer],
      [422, '/data/attributes/locks/0/unitName'],
    )
  })

  it('refuses a pattern that makes one name for all, a stale revision and an unknown provider', async () => {
    const refused = async (reply: Promise<{ status: number; body: { errors: { code: string }[] } }>) => {
      const { status, body } = await reply
      return [status, body.errors[0]!.code]
    }
    assert.deepEqual(await refused(post({ pattern: 'Room' })), [422, 'validation-failed'])
    const headers = { 'If-Match': '"1"' }
    assert.equal((await house.ask('POST', '/api/v2/units', { body: { name: '990' } })).status, 201)
    const stale = house.ask('POST', `${path}/actions/map-units`, { body: {}, headers })
    assert.deepEqual(await refused(stale), [412, 'revision-mismatch'])
    const nobody = path.replace(house.providerId, '0197c0de-0000-7000-8000-000000000000')
    assert.deepEqual(await refused(house.ask('POST', `${nobody}/actions/map-units`, { body: {} })), [
      404,
      'not-found',
    ])
  })

  it('is no right of a kiosk', async () => {
    const token = await house.ask('POST', '/api/config/v1/tokens', { body: { name: 'K', role: 'kiosk' } })
    const { status } = await house.ask('POST', `${path}/actions/map-units`, {
      body: {},
      token: token.body.meta.token,
    })
    assert.equal(status, 403)
  })
})
