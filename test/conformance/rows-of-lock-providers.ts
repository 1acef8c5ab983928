import assert from 'node:assert/strict'
import type { AccessHouse } from './access-house.ts'
import { nobody } from './facts.ts'
import type { Row } from './row.ts'

const one = '/access/providers/{configurationId}'
const capabilities = `GET ${one}/capabilities`
const extension = `GET ${one}/extensions/{extensionName}`
const ofCards = async ({ doors }: AccessHouse) => ({ configurationId: doors.providerId })
const ofNobody = async () => ({ configurationId: nobody })
const named = (extensionName: string) => async () => ({ extensionName })

/** Everything that a lock system can be asked for. */
const operations = [
  'create',
  'copy',
  'read',
  'erase',
  'update-dates',
  'update-unit',
  'revoke',
  'block',
  'one-shot',
  'move',
  'extend',
  'reencode',
  'list-units',
  'list-encoders',
  'remote-open',
]

/** What a lock system can do, and what it answers of its own. */
export const lockProviderRows: Row<AccessHouse>[] = [
  {
    of: capabilities,
    status: 200,
    when: 'of PIN locks',
    also: ({ body: { data } }, { configurationId }) => {
      assert.deepEqual([data.type, data.id], ['access-capabilities', configurationId])
      const { lockMode, keyTypes, driver, checkedAt, stale } = data.attributes
      assert.deepEqual([driver, lockMode, keyTypes, stale], ['ttlock', 'online', ['pinCode'], false])
      assert.equal(checkedAt, '2026-06-01T16:00:00.000Z')
      expectWhole(data.attributes)
      const { create, erase } = data.attributes.operations
      assert.deepEqual([create.supported, create.requiresMedium, erase.supported], [true, false, false])
      assert.deepEqual(data.attributes.limits.pinLength, { min: 4, max: 9 })
    },
  },
  {
    of: capabilities,
    status: 200,
    when: 'of locks that read cards',
    given: ofCards,
    also({ body: { data } }) {
      const { lockMode, keyTypes, limits } = data.attributes
      assert.deepEqual([lockMode, keyTypes], ['offline-data-on-card', ['keyCard']])
      assert.deepEqual([limits.maxExtraUnits, limits.maxCopies, limits.pinLength], [0, 10, null])
      expectWhole(data.attributes)
      const { create, move, revoke } = data.attributes.operations
      assert.deepEqual([create.requiresMedium, move.supported, revoke.supported], [true, false, false])
    },
  },
  { of: capabilities, status: 404, given: ofNobody, code: 'not-found' },
  { of: capabilities, status: 404, when: 'a controller', given: ofController, code: 'not-found' },

  {
    of: extension,
    status: 200,
    when: 'unit-list, as the cloud says it',
    isPlain: true,
    also({ body, headers }) {
      assert.match(headers.get('content-type') ?? '', /^application\/json/)
      assert.equal('data' in body, false)
      assert.deepEqual(
        body.list.map(({ lockId }: { lockId: number }) => lockId),
        [1001, 1002, 1003],
      )
    },
  },
  {
    of: extension,
    status: 200,
    when: 'encoder-list',
    isPlain: true,
    given: named('encoder-list'),
    also({ body }, { controllerId }) {
      assert.partialDeepStrictEqual(body.encoders, [{ id: controllerId, keyType: 'pinCode' }])
    },
  },
  {
    of: extension,
    status: 200,
    when: 'unit-sync',
    isPlain: true,
    given: named('unit-sync'),
    also: ({ body }) => assert.equal(typeof body, 'object'),
  },
  {
    of: extension,
    status: 200,
    when: 'unit-list of locks that read cards',
    isPlain: true,
    given: ofCards,
    also({ body }) {
      assert.ok(body.units.some(({ name }: { name: string }) => name === '101'))
    },
  },
  { of: extension, status: 404, given: ofNobody, code: 'not-found' },
  { of: extension, status: 404, given: named('teapots'), code: 'extension-not-implemented' },
  {
    of: extension,
    status: 404,
    when: 'what this lock system does not do',
    given: async ({ doors }) => ({ configurationId: doors.providerId, extensionName: 'unit-sync' }),
    code: 'extension-not-implemented',
  },
  {
    of: extension,
    status: 502,
    when: 'the cloud says no',
    given: async ({ pins }) => {
      pins.cloud.misbehaviours.push({ at: 'listLocks', does: 'refuse', code: '-3003' })
      return {}
    },
    also: ({ body }) => assert.equal(typeof body.meta.outcomeUnknown, 'boolean'),
  },
  {
    of: extension,
    status: 502,
    when: 'switched off',
    given: async ({ offProviderId }) => ({ configurationId: offProviderId }),
    code: 'lock-system-unreachable',
  },
]

/** Each operation is told of, whether it is there or not, and each extension can be asked. */
function expectWhole({
  operations: told,
  extensions,
  limits,
  events,
}: Record<string, Record<string, unknown> & unknown[]>) {
  assert.deepEqual(Object.keys(told ?? {}).sort(), [...operations].sort())
  for (const each of Object.values(told ?? {}))
    assert.deepEqual(Object.keys(each as object), ['supported', 'requiresMedium', 'idempotent', 'typicalMs'])
  assert.ok(extensions?.some((each) => (each as { name: string }).name === 'unit-list'))
  for (const name of ['maxExtraUnits', 'maxCopies', 'pinLength', 'dateGranularity', 'charset'])
    assert.ok(name in (limits ?? {}), name)
  assert.ok(Array.isArray(events))
}

async function ofController({ pins }: AccessHouse) {
  return { configurationId: pins.controllerId }
}
