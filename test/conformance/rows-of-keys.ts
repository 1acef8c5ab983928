import assert from 'node:assert/strict'
import type { Reply } from '../appliance.ts'
import { type AccessHouse, aCard, aKey, blank, cardOf, due, foreign, later } from './access-house.ts'
import { another, nobody } from './facts.ts'
import type { Row } from './row.ts'

type AccessRow = Row<AccessHouse>

const one = '/access/controllers/{controllerId}/key'
const show = 'PUT /access/controllers/{controllerId}/shown-card'
const make = `POST ${one}`
const several = `POST ${one}s`
const atDesk = { ...aCard, unitName: '201' }
const held = { ...aKey, ...later, unitName: undefined, externalId: '{fresh}' }

/** The desk, with a card on it or without. */
const desk =
  (card: () => ReturnType<typeof blank> | null = blank) =>
  async ({ deskId, lay }: AccessHouse) => {
    lay(card())
    return { controllerId: deskId }
  }
const ofNobody = async () => ({ controllerId: nobody })
const switchedOff = async ({ offId }: AccessHouse) => ({ controllerId: offId })

const refused = (when: string, status: number, code: string, more: object, at?: string): AccessRow => ({
  of: make,
  status,
  code,
  when,
  body: { ...aKey, ...more },
  ...(at && { also: ({ body }) => assert.equal(body.errors[0].source.pointer, `/data/attributes/${at}`) }),
})

function attributesOf({ body }: Reply) {
  assert.equal(body.data.type, 'key')
  return body.data.attributes
}

/** Keys on a controller: what is made, read and erased there. */
export const keyRows: AccessRow[] = [
  {
    of: make,
    status: 201,
    when: 'a PIN in a bare body, its type a key type',
    body: { ...aKey, unitName: '302' },
    also(reply) {
      const { pin, keyType, isVirtual, validUntil, sequence, familyId, usage, status, startTime, id } =
        attributesOf(reply)
      assert.match(pin, /^[0-9]{6}$/)
      assert.deepEqual([keyType, isVirtual, status, usage, sequence], ['pinCode', false, 'live', 'Guest', 1])
      // No end time is check-out, not midnight.
      assert.deepEqual([validUntil, startTime, id], ['2026-06-03T10:00:00.000Z', null, undefined])
      assert.match(familyId, /^[0-9a-f-]{36}$/)
      assert.equal('controllerId' in reply.body.data.attributes, false)
      assert.equal('type' in reply.body.data.attributes, false)
    },
  },
  ...(['key', 'keys', 'pinCode'] as const).map(
    (type): AccessRow => ({
      of: make,
      status: 201,
      when: `an envelope of the type ${type}`,
      body: { data: { type, attributes: { unitName: '302', original: true, ...due } } },
      also: (reply) => assert.equal(attributesOf(reply).keyType, 'pinCode'),
    }),
  ),
  {
    of: make,
    status: 201,
    when: 'with everything that a key was read with',
    body: {
      ...aKey,
      unitName: '302',
      type: 'key',
      keyType: 'pinCode',
      providerId: '{configurationId}',
      id: '{nobody}',
      createdAt: '2020-01-01T00:00:00Z',
      updatedAt: '2020-01-01T00:00:00Z',
      authorizations: [],
      deAuthorizations: [],
      extraUnits: [],
      startTime: '15:00:00',
      endTime: '11:30',
    },
    also(reply) {
      const { startTime, endTime, validFrom, validUntil, createdAt } = attributesOf(reply)
      assert.deepEqual([startTime, endTime], ['15:00', '11:30'])
      // What has begun begins with this minute.
      assert.deepEqual([validFrom, validUntil], ['2026-06-01T16:00:00.000Z', '2026-06-03T10:30:00.000Z'])
      assert.notEqual(createdAt, '2020-01-01T00:00:00.000Z')
      assert.notEqual(reply.body.data.id, nobody)
    },
  },
  {
    of: make,
    status: 201,
    when: 'a held PIN, whose unit is to come',
    body: held,
    also(reply) {
      const { isVirtual, pin, unitName, status } = attributesOf(reply)
      assert.deepEqual([isVirtual, unitName, status], [true, null, 'virtual'])
      assert.match(pin, /^[0-9]{6}$/)
    },
  },
  {
    of: make,
    status: 201,
    when: 'a card, with what was read from it',
    given: desk(),
    body: atDesk,
    also(reply) {
      const { uid, keyType, verified, pin, cardFormat, authorizations } = attributesOf(reply)
      assert.match(uid, /^[0-9A-F]{8}$/)
      assert.deepEqual([keyType, verified, pin, cardFormat], ['keyCard', true, null, 'Mifare1K'])
      assert.deepEqual(authorizations, ['Entrance'])
    },
  },
  {
    of: make,
    status: 201,
    when: 'authorizations beside the default, less those taken away',
    given: desk(),
    body: { ...atDesk, authorizations: ['Pool', 'Garage'], deAuthorizations: ['Entrance', 'Garage'] },
    also: (reply) => assert.deepEqual(attributesOf(reply).authorizations, ['Pool']),
  },
  {
    of: make,
    status: 201,
    when: 'original null where there is nothing to copy',
    given: desk(),
    body: { ...atDesk, unitName: '202', original: null },
    also: (reply) => assert.equal(attributesOf(reply).original, true),
  },
  {
    of: make,
    status: 201,
    when: 'a copy',
    given: async (house) => {
      await cardOf(house, { unitName: '203' })
      return desk()(house)
    },
    body: { ...atDesk, unitName: '203', original: false },
    also(reply) {
      const { original, sequence } = attributesOf(reply)
      assert.deepEqual([original, sequence], [false, 2])
    },
  },
  { of: make, status: 400, body: '{"unitName":', code: 'malformed-json' },
  refused('held without an externalId', 400, 'missing-external-id', later, 'externalId'),
  refused('a time with an offset', 400, 'time-with-offset', { startTime: '15:00Z' }, 'startTime'),
  { ...refused('on trial', 400, 'unknown-parameter', {}), query: 'dryRun=true' },
  refused('no unit', 422, 'unit-name-required', { unitName: undefined }, 'unitName'),
  refused('no unit, but null', 422, 'unit-name-required', { unitName: null }, 'unitName'),
  refused('an empty unit', 422, 'validation-failed', { unitName: '' }, 'unitName'),
  refused('no start', 422, 'validation-failed', { startDate: undefined }, 'startDate'),
  refused('no end', 422, 'validation-failed', { endDate: undefined }, 'endDate'),
  refused('neither original nor copy', 422, 'validation-failed', { original: undefined }, 'original'),
  refused('original as a word', 422, 'validation-failed', { original: 'true' }, 'original'),
  refused('a date that is a timestamp', 422, 'validation-failed', { startDate: '2026-06-01T00:00:00Z' }),
  refused('a day that is not', 422, 'validation-failed', { endDate: '2026-06-31' }, 'endDate'),
  refused('a start with seconds', 422, 'seconds-not-zero', { startTime: '15:00:01' }, 'startTime'),
  refused('an end with seconds', 422, 'seconds-not-zero', { endTime: '11:00:59' }, 'endTime'),
  refused('the hour 24', 422, 'validation-failed', { endTime: '24:00' }, 'endTime'),
  refused('an end before its start', 422, 'end-before-start', { endDate: '2026-05-31' }, 'endDate'),
  refused('another key type', 422, 'key-type-not-supported', { type: 'keyCard' }, 'type'),
  refused('another keyType', 422, 'key-type-not-supported', { keyType: 'mobileKey' }, 'keyType'),
  refused('no type there is', 422, 'validation-failed', { type: 'fob' }, 'type'),
  refused('another provider', 422, 'provider-immutable', { providerId: '{nobody}' }, 'providerId'),
  refused('extra units', 422, 'too-many-extra-units', { extraUnits: ['302'] }, 'extraUnits'),
  refused('an unknown field', 422, 'validation-failed', { colour: 'red' }, 'colour'),
  refused('an externalId of 129', 422, 'validation-failed', { externalId: 'x'.repeat(129) }, 'externalId'),
  refused('authorizations as one', 422, 'validation-failed', { authorizations: 'Pool' }, 'authorizations'),
  {
    of: make,
    status: 422,
    when: 'an envelope of something else',
    body: { data: { type: 'stay', attributes: aKey } },
    code: 'validation-failed',
  },
  { of: make, status: 422, when: 'no object', body: [aKey], code: 'validation-failed' },
  {
    of: make,
    status: 422,
    when: 'one copy too many',
    given: async (house) => {
      const { doors, ask } = house
      const provider = `/api/config/v1/access-providers/${doors.providerId}`
      await cardOf(house, { unitName: '204' })
      await cardOf(house, { unitName: '204', original: false })
      assert.equal((await ask('PATCH', provider, { body: { maxCopies: 1 } })).status, 204)
      return desk()(house)
    },
    body: { ...atDesk, unitName: '204', original: false },
    code: 'validation-failed',
    also: ({ body }) => assert.equal(body.errors[0].meta.maxCopies, 1),
  },
  { of: make, status: 404, given: ofNobody, body: aKey, code: 'controller-not-found' },
  {
    of: make,
    status: 409,
    given: desk(),
    body: { ...atDesk, unitName: '205', original: false },
    code: 'no-original-key',
  },
  {
    of: make,
    status: 409,
    when: 'a guest is in house with a key',
    given: async (house) => {
      const { unitTypeId, unitIds } = await house.rooms(1)
      const externalId = another('IN-')
      const units = [{ unitTypeId, unitId: unitIds[0] }]
      const { path } = await house.stay({ units, externalId })
      await house.ask('PATCH', path, { body: { status: 'InHouse' } })
      await cardOf(house, { unitName: '206', externalId })
      return desk()(house)
    },
    body: { ...atDesk, unitName: '206' },
    code: 'unit-occupied',
  },
  {
    ...refused('a unit that is mapped nowhere', 502, 'unit-unknown', { unitName: '999' }),
    also: known(false),
  },
  {
    of: make,
    status: 502,
    when: 'an unknown zone',
    given: desk(),
    body: { ...atDesk, authorizations: ['Helipad'] },
    code: 'authorization-unknown',
    also: known(false),
  },
  {
    of: make,
    status: 502,
    when: 'its provider is switched off',
    given: switchedOff,
    body: aKey,
    code: 'lock-system-unreachable',
    also: known(false),
  },
  {
    of: make,
    status: 502,
    when: 'held, and its provider is switched off',
    given: switchedOff,
    body: held,
    code: 'lock-system-unreachable',
  },
  {
    of: make,
    status: 502,
    when: 'no card',
    given: desk(() => null),
    body: atDesk,
    code: 'no-card',
    also: known(false),
  },
  {
    of: make,
    status: 502,
    when: "somebody else's card",
    given: desk(foreign),
    body: atDesk,
    code: 'card-incompatible',
    also: known(false),
  },
  {
    of: make,
    status: 502,
    when: 'nobody knows what became of it',
    given: async ({ pins }) => {
      pins.cloud.misbehaviours.push(
        { at: 'add', does: 'refuse', code: '-31415' },
        { at: 'listPasscodes', does: 'refuse', code: 'http500' },
      )
      return {}
    },
    body: { ...aKey, unitName: '303' },
    code: 'vendor-error',
    also: known(true),
  },
  { of: make, status: 500, in: 'ruins', body: aKey, code: 'internal' },

  {
    of: `GET ${one}`,
    status: 200,
    when: 'a key on its card',
    isPlain: true,
    given: async (house) => ({ controllerId: house.deskId, keyId: await cardOf(house, { unitName: '207' }) }),
    also({ body }, { keyId }) {
      assert.equal(body.data.id, keyId)
      assert.partialDeepStrictEqual(body.meta, {
        matchesStore: true,
        warnings: [],
        card: { blank: false, decodedUnitName: '207' },
      })
    },
  },
  {
    of: `GET ${one}`,
    status: 200,
    when: 'a blank card',
    isPlain: true,
    given: desk(),
    also: ({ body }) => assert.deepEqual([body.data, body.meta.card.blank], [null, true]),
  },
  { of: `GET ${one}`, status: 404, given: ofNobody, code: 'controller-not-found' },
  {
    of: `GET ${one}`,
    status: 404,
    when: 'no UUID',
    given: async () => ({ controllerId: 'desk' }),
    code: 'controller-not-found',
  },
  { of: `GET ${one}`, status: 500, in: 'ruins', code: 'internal' },
  { of: `GET ${one}`, status: 502, given: desk(() => null), code: 'no-card', also: known(false) },
  { of: `GET ${one}`, status: 502, when: 'where no cards are made', code: 'unsupported-operation' },

  {
    of: show,
    status: 200,
    cannot: 'its guest has found the stay at the kiosk; test/access/shown-card.test.ts shows one',
  },
  {
    of: show,
    status: 403,
    as: 'kiosk',
    given: async (house) => ({ controllerId: house.deskId, keyId: await cardOf(house, { unitName: '211' }) }),
    code: 'kiosk-scope',
  },
  { of: show, status: 404, given: ofNobody, code: 'controller-not-found' },
  { of: show, status: 502, given: desk(() => null), code: 'no-card' },

  {
    of: `DELETE ${one}`,
    status: 204,
    when: 'a key',
    given: async (house) => ({ controllerId: house.deskId, own: await cardOf(house, { unitName: '208' }) }),
  },
  { of: `DELETE ${one}`, status: 204, when: 'a blank card', given: desk() },
  { of: `DELETE ${one}`, status: 404, given: ofNobody, code: 'controller-not-found' },
  { of: `DELETE ${one}`, status: 409, given: desk(foreign), code: 'foreign-card' },
  { of: `DELETE ${one}`, status: 502, given: desk(() => null), code: 'no-card' },

  {
    of: several,
    status: 201,
    when: 'PINs, none of which are the same',
    isPlain: true,
    body: { ...aKey, unitName: '302', quantity: 3 },
    also({ body }) {
      const { keyIds, ...told } = body
      assert.deepEqual(told, {
        requested: 3,
        succeeded: 3,
        error: null,
        errorCode: null,
        outcomeUnknown: false,
        failedIndex: null,
      })
      assert.equal(new Set(keyIds).size, 3)
    },
  },
  {
    of: several,
    status: 201,
    when: 'that stop at the first that fails',
    isPlain: true,
    given: async ({ pins }) => {
      pins.cloud.misbehaviours.push({ at: 'add', does: 'pass' }, { at: 'add', does: 'refuse', code: '-3009' })
      return {}
    },
    body: { ...aKey, unitName: '302', quantity: 3 },
    also({ body }) {
      assert.equal(typeof body.error, 'string')
      assert.partialDeepStrictEqual(body, {
        requested: 3,
        succeeded: 1,
        errorCode: 'lock-system-limit',
        outcomeUnknown: false,
        failedIndex: 1,
      })
      assert.equal(body.keyIds.length, 1)
    },
  },
  {
    of: several,
    status: 201,
    when: 'of which the first fails',
    isPlain: true,
    given: desk(() => null),
    body: { ...atDesk, quantity: 2 },
    also({ body }) {
      assert.partialDeepStrictEqual(body, {
        requested: 2,
        succeeded: 0,
        errorCode: 'no-card',
        failedIndex: 0,
        keyIds: [],
      })
    },
  },
  {
    of: several,
    status: 201,
    when: 'in an envelope',
    isPlain: true,
    body: { data: { type: 'keys', attributes: { ...aKey, type: undefined, unitName: '302', quantity: 1 } } },
    also: ({ body }) => assert.equal(body.succeeded, 1),
  },
  { of: several, status: 400, body: '{', code: 'malformed-json' },
  {
    of: several,
    status: 400,
    when: 'held',
    body: { ...aKey, ...later, quantity: 2 },
    code: 'missing-external-id',
  },
  { of: several, status: 404, given: ofNobody, body: { ...aKey, quantity: 2 }, code: 'controller-not-found' },
  {
    of: several,
    status: 409,
    given: desk(),
    body: { ...atDesk, unitName: '205', original: false, quantity: 1 },
    code: 'no-original-key',
  },
  {
    of: several,
    status: 422,
    when: 'more copies than the lock system takes',
    body: { ...aKey, quantity: 12 },
    code: 'validation-failed',
    also: ({ body }) => assert.equal(body.errors[0].source.pointer, '/data/attributes/quantity'),
  },
  ...[undefined, 0, -1, 1.5, '2', 21].map(
    (quantity): AccessRow => ({
      of: several,
      status: 422,
      when: `a quantity of ${quantity}`,
      body: { ...aKey, quantity },
      code: 'validation-failed',
    }),
  ),
  {
    of: several,
    status: 422,
    when: 'no unit',
    body: { ...aKey, unitName: undefined, quantity: 2 },
    code: 'unit-name-required',
  },
  {
    of: several,
    status: 422,
    when: 'seconds',
    body: { ...aKey, endTime: '11:00:30', quantity: 2 },
    code: 'seconds-not-zero',
  },
  {
    of: several,
    status: 502,
    when: 'a unit that is mapped nowhere',
    body: { ...aKey, unitName: '999', quantity: 2 },
    code: 'unit-unknown',
  },
  { of: several, status: 500, in: 'ruins', body: { ...aKey, quantity: 2 }, code: 'internal' },

  {
    of: `POST ${one.replace(/key$/, 'one-shot-key')}`,
    status: 201,
    given: desk(),
    body: { unitName: '209' },
  },
  {
    of: `POST ${one.replace(/key$/, 'one-shot-key')}`,
    status: 404,
    given: ofNobody,
    body: { unitName: '209' },
    code: 'controller-not-found',
  },
  {
    of: `POST ${one.replace(/key$/, 'one-shot-key')}`,
    status: 422,
    given: desk(),
    body: { unitName: '209', minutes: 1441 },
    code: 'validation-failed',
  },
  {
    of: `POST ${one.replace(/key$/, 'one-shot-key')}`,
    status: 422,
    when: 'a PIN',
    body: { unitName: '301' },
    code: 'key-type-not-supported',
  },
  {
    of: `POST ${one.replace(/key$/, 'one-shot-key')}`,
    status: 502,
    given: desk(() => null),
    body: { unitName: '209' },
    code: 'no-card',
  },
  {
    of: `POST ${one.replace(/key$/, 'spare-keys')}`,
    status: 201,
    isPlain: true,
    given: desk(),
    body: { units: ['210'] },
  },
  {
    of: `POST ${one.replace(/key$/, 'spare-keys')}`,
    status: 404,
    given: ofNobody,
    body: { units: ['210'] },
    code: 'controller-not-found',
  },
  {
    of: `POST ${one.replace(/key$/, 'spare-keys')}`,
    status: 422,
    given: desk(),
    body: { units: [] },
    code: 'validation-failed',
  },
]

/** What a 502 says of itself, inside and out. */
function known(outcomeUnknown: boolean) {
  return ({ body }: Reply) => {
    const { errorCode } = body.errors[0].meta
    assert.equal(errorCode, body.errors[0].code)
    assert.deepEqual(body.meta, { errorCode, outcomeUnknown })
  }
}
