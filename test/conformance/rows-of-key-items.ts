import assert from 'node:assert/strict'
import type { Reply } from '../appliance.ts'
import { type AccessHouse, aKey, cardOf, due, keyNow, later, pinOf } from './access-house.ts'
import { another, nobody } from './facts.ts'
import type { Row } from './row.ts'

type AccessRow = Row<AccessHouse>

const one = '/access/keys/{keyId}'
const ofStay = 'PUT /access/controllers/{controllerId}/keys/by-reservation/{stayExternalId}'
const near = { startDate: '2026-06-02', endDate: '2026-06-04' }
const atThree = { ...aKey, ...near, unitName: '303' }
const atDesk = { type: 'keyCard', unitName: '201', original: true, ...due }

const ownPin = async (house: AccessHouse) => ({ keyId: await pinOf(house, near) })
const heldPin = async (house: AccessHouse) => {
  const stayExternalId = another('HELD-')
  return { stayExternalId, keyId: await pinOf(house, { ...later, externalId: stayExternalId }) }
}
const ownCard = async (house: AccessHouse) => ({ keyId: await cardOf(house, { unitName: '201' }) })
const noKey = async () => ({ keyId: nobody })
const newStay = async () => ({ stayExternalId: another('NEW-') })

/** A key that is there no more. */
async function removed(house: AccessHouse) {
  const facts = await heldPin(house)
  assert.equal((await house.ask('DELETE', `/api/v2/access/keys/${facts.keyId}`)).status, 204)
  return facts
}

const over = { ...aKey, startDate: '2026-05-28', endDate: '2026-05-31' }

/** Keys by their id, and by the stay they are for. */
export const keyItemRows: AccessRow[] = [
  {
    of: `GET ${one}`,
    status: 200,
    also({ body, headers }) {
      const { attributes } = body.data
      assert.equal(headers.get('etag'), `"${attributes.revision}"`)
      for (const name of [
        'unitName',
        'original',
        'startDate',
        'endDate',
        'providerId',
        'keyType',
        'isVirtual',
      ])
        assert.notEqual(attributes[name] ?? undefined, undefined, name)
      for (const name of ['createdAt', 'updatedAt']) assert.match(attributes[name], /^2026-06-01T16:00:00/)
      for (const name of ['controllerId', 'type', 'pinSealed']) assert.equal(name in attributes, false, name)
    },
  },
  {
    of: `GET ${one}`,
    status: 200,
    when: 'as much as was asked for',
    query: 'fields[key]=unitName',
    also: ({ body }) => assert.deepEqual(body.data.attributes, { unitName: '301' }),
  },
  {
    of: `GET ${one}`,
    status: 200,
    when: 'a removed one is kept as such',
    given: removed,
    also: ({ body }) => assert.equal(body.data.attributes.status, 'removed'),
  },
  { of: `GET ${one}`, status: 404, given: noKey, code: 'not-found' },
  { of: `GET ${one}`, status: 404, when: 'no UUID', given: async () => ({ keyId: '1' }), code: 'not-found' },
  { of: `GET ${one}`, status: 500, in: 'ruins', code: 'internal' },

  {
    of: `PUT ${one}`,
    status: 204,
    when: 'as it is',
    given: ownPin,
    body: { ...aKey, ...near },
    also: etagOf(1),
  },
  {
    of: `PUT ${one}`,
    status: 204,
    when: 'a card as it was read',
    given: async (house) => ({
      keyId: await cardOf(house, {
        unitName: '201',
        authorizations: ['Pool'],
        deAuthorizations: ['Entrance'],
      }),
    }),
    body: { ...atDesk, authorizations: ['Pool'], deAuthorizations: ['Entrance'] },
    also: etagOf(1),
  },
  {
    of: `PUT ${one}`,
    status: 204,
    when: 'a PIN for longer',
    given: ownPin,
    body: { ...aKey, ...near, endDate: '2026-06-09' },
  },
  {
    of: `PUT ${one}`,
    status: 204,
    when: 'an envelope',
    given: heldPin,
    body: { data: { type: 'key', id: '{keyId}', attributes: { unitName: '302', original: true, ...later } } },
  },
  {
    of: `PUT ${one}`,
    status: 204,
    when: 'as it was seen',
    given: heldPin,
    headers: { 'If-Match': '"1"' },
    body: { ...aKey, ...later, unitName: '302' },
    also: etagOf(2),
  },
  {
    of: `PUT ${one}`,
    status: 204,
    when: 'a card whose end is past',
    given: ownCard,
    body: { ...over, type: 'keyCard', unitName: '201' },
  },
  {
    of: `PUT ${one}`,
    status: 204,
    when: 'an end earlier today',
    given: ownPin,
    body: { ...aKey, endDate: '2026-06-01', endTime: '16:59' },
  },
  { of: `PUT ${one}`, status: 400, given: ownPin, body: '{', code: 'malformed-json' },
  {
    of: `PUT ${one}`,
    status: 400,
    when: 'on trial',
    given: ownPin,
    query: 'dryRun=true',
    body: over,
    code: 'unknown-parameter',
  },
  { of: `PUT ${one}`, status: 404, given: noKey, body: aKey, code: 'not-found' },
  {
    of: `PUT ${one}`,
    status: 409,
    when: 'other days of a card',
    given: ownCard,
    body: { ...atDesk, endDate: '2026-06-09' },
    code: 'card-required',
  },
  {
    of: `PUT ${one}`,
    status: 409,
    when: 'another unit of a card',
    given: ownCard,
    body: { ...atDesk, unitName: '202' },
    code: 'card-required',
  },
  {
    of: `PUT ${one}`,
    status: 409,
    when: 'further authorizations of a card',
    given: ownCard,
    body: { ...atDesk, authorizations: ['Pool'] },
    code: 'card-required',
  },
  {
    of: `PUT ${one}`,
    status: 409,
    when: 'fewer authorizations of a card',
    given: async (house) => ({ keyId: await cardOf(house, { unitName: '201', authorizations: ['Pool'] }) }),
    body: atDesk,
    code: 'card-required',
  },
  {
    of: `PUT ${one}`,
    status: 409,
    when: 'no default authorization on a card',
    given: ownCard,
    body: { ...atDesk, deAuthorizations: ['Entrance'] },
    code: 'card-required',
  },
  {
    of: `PUT ${one}`,
    status: 409,
    when: 'a removed key',
    given: removed,
    body: { ...aKey, ...later, unitName: '302' },
    code: 'key-status-transition',
  },
  {
    of: `PUT ${one}`,
    status: 412,
    given: ownPin,
    headers: { 'If-Match': '"99"' },
    body: aKey,
    code: 'revision-mismatch',
  },
  {
    of: `PUT ${one}`,
    status: 422,
    when: 'another provider',
    given: ownPin,
    body: { ...aKey, providerId: '{nobody}' },
    code: 'provider-immutable',
  },
  {
    of: `PUT ${one}`,
    status: 422,
    when: 'another key type',
    given: ownPin,
    body: { ...aKey, type: 'keyCard' },
    code: 'key-type-not-supported',
  },
  {
    of: `PUT ${one}`,
    status: 422,
    when: 'another stay',
    given: heldPin,
    body: { ...aKey, ...later, externalId: 'ANOTHER' },
    code: 'validation-failed',
  },
  {
    of: `PUT ${one}`,
    status: 422,
    when: 'no end',
    given: ownPin,
    body: { ...aKey, endDate: undefined },
    code: 'validation-failed',
  },
  {
    of: `PUT ${one}`,
    status: 422,
    when: 'seconds',
    given: ownPin,
    body: { ...aKey, endTime: '11:00:01' },
    code: 'seconds-not-zero',
  },
  {
    of: `PUT ${one}`,
    status: 422,
    when: 'an end before its start',
    given: ownPin,
    body: { ...aKey, startDate: '2026-06-09', endDate: '2026-06-08' },
    code: 'end-before-start',
  },
  {
    of: `PUT ${one}`,
    status: 502,
    when: 'a unit that is mapped nowhere',
    given: heldPin,
    body: { ...aKey, ...later, unitName: '999' },
    code: 'unit-unknown',
  },
  {
    of: `PUT ${one}`,
    status: 502,
    when: 'the cloud is busy',
    given: async (house) => {
      const facts = await ownPin(house)
      house.pins.cloud.misbehaviours.push({ at: 'change', does: 'refuse', code: '-3003' })
      return facts
    },
    body: { ...aKey, ...near, endDate: '2026-06-10' },
    code: 'lock-system-busy',
  },

  { of: `DELETE ${one}`, status: 204, when: 'a PIN', given: ownPin },
  { of: `DELETE ${one}`, status: 204, when: 'a held one', given: heldPin },
  { of: `DELETE ${one}`, status: 204, when: 'a card that is out there', given: ownCard },
  { of: `DELETE ${one}`, status: 204, when: 'once more', given: removed },
  { of: `DELETE ${one}`, status: 404, given: noKey, code: 'not-found' },
  {
    of: `DELETE ${one}`,
    status: 412,
    given: ownPin,
    headers: { 'If-Match': '"99"' },
    code: 'revision-mismatch',
  },

  {
    of: ofStay,
    status: 200,
    when: 'a stay that was never seen',
    given: newStay,
    body: { ...atThree, unitName: '302' },
    also: ({ body }, { stayExternalId }) => {
      const { externalId, isVirtual, pin } = body.data.attributes
      assert.deepEqual([externalId, isVirtual], [stayExternalId, false])
      assert.match(pin, /^[0-9]{6}$/)
    },
  },
  {
    of: ofStay,
    status: 200,
    when: 'that is held, unit and all to come',
    given: newStay,
    body: { ...aKey, ...later, unitName: undefined, externalId: '{stayExternalId}' },
    also: ({ body }) => assert.equal(body.data.attributes.isVirtual, true),
  },
  {
    of: ofStay,
    status: 200,
    when: 'a stay named with all that a path can hold',
    given: async () => ({ stayExternalId: encodeURIComponent('Dr. Müller/7 ?#%') }),
    body: { ...aKey, ...later },
    also: ({ body }) => assert.equal(body.data.attributes.externalId, 'Dr. Müller/7 ?#%'),
  },
  {
    of: ofStay,
    status: 200,
    when: 'in an envelope',
    given: newStay,
    body: { data: { type: 'key', attributes: { original: true, unitName: '302', ...later } } },
  },
  {
    of: ofStay,
    status: 200,
    when: 'as it was seen',
    given: heldPin,
    headers: { 'If-Match': '"1"' },
    body: { ...aKey, ...later },
  },
  {
    of: ofStay,
    status: 400,
    body: { ...aKey, externalId: 'ANOTHER' },
    code: 'external-id-mismatch',
    also: ({ body }, { stayExternalId }) => assert.equal(body.errors[0].meta.expected, stayExternalId),
  },
  { of: ofStay, status: 400, when: 'no JSON', body: 'null}', code: 'malformed-json' },
  {
    of: ofStay,
    status: 400,
    when: 'on trial',
    given: newStay,
    query: 'dryRun=true',
    body: aKey,
    code: 'unknown-parameter',
  },
  {
    of: ofStay,
    status: 404,
    when: 'no such controller',
    given: async () => ({ controllerId: nobody }),
    body: aKey,
    code: 'controller-not-found',
  },
  {
    of: ofStay,
    status: 404,
    when: 'its key was removed',
    given: removed,
    body: { ...aKey, ...later },
    code: 'key-gone',
  },
  ...(['Canceled', 'NoShow', 'CheckedOut'] as const).map(
    (status): AccessRow => ({
      of: ofStay,
      status: 404,
      when: `its stay is ${status}`,
      given: async (house) => ({ stayExternalId: await ended(house, status) }),
      body: { ...aKey, ...later },
      code: 'key-gone',
    }),
  ),
  {
    of: ofStay,
    status: 409,
    given: async ({ deskId }) => ({ controllerId: deskId, ...(await newStay()) }),
    body: { ...atDesk, unitName: '203', original: false },
    code: 'no-original-key',
  },
  {
    of: ofStay,
    status: 412,
    given: heldPin,
    headers: { 'If-Match': '"7"' },
    body: { ...aKey, ...later, unitName: '302' },
    code: 'revision-mismatch',
  },
  {
    of: ofStay,
    status: 422,
    when: 'due without a unit',
    given: newStay,
    body: { ...aKey, unitName: undefined },
    code: 'unit-name-required',
  },
  {
    of: ofStay,
    status: 422,
    when: 'seconds',
    given: newStay,
    body: { ...aKey, startTime: '15:00:30' },
    code: 'seconds-not-zero',
  },
  {
    of: ofStay,
    status: 422,
    when: 'another key type',
    given: newStay,
    body: { ...aKey, keyType: 'keyCard' },
    code: 'key-type-not-supported',
  },
  {
    of: ofStay,
    status: 422,
    when: 'a stay of 129 letters',
    given: async () => ({ stayExternalId: 'x'.repeat(129) }),
    body: aKey,
    code: 'validation-failed',
  },
  {
    of: ofStay,
    status: 502,
    when: 'a unit that is mapped nowhere',
    given: newStay,
    body: { ...aKey, unitName: '999' },
    code: 'unit-unknown',
  },
  {
    of: ofStay,
    status: 502,
    when: 'its provider is switched off',
    given: async ({ offId }) => ({ controllerId: offId, ...(await newStay()) }),
    body: aKey,
    code: 'lock-system-unreachable',
  },
  { of: ofStay, status: 500, in: 'ruins', body: aKey, code: 'internal' },

  {
    of: 'POST /access/keys/{keyId}/actions/block',
    status: 200,
    given: ownPin,
    also: ({ body }) => assert.equal(body.data.attributes.status, 'blocked'),
  },
  { of: 'POST /access/keys/{keyId}/actions/block', status: 404, given: noKey, code: 'not-found' },
  {
    of: 'POST /access/keys/{keyId}/actions/block',
    status: 409,
    given: removed,
    code: 'key-status-transition',
  },
  {
    of: 'POST /access/keys/{keyId}/actions/seen-at-door',
    status: 200,
    given: ownCard,
    also: ({ body }) => assert.ok(Array.isArray(body.meta.provenDead)),
  },
  { of: 'POST /access/keys/{keyId}/actions/seen-at-door', status: 404, given: noKey, code: 'not-found' },
  {
    of: 'POST /access/keys/{keyId}/actions/ask-now',
    status: 200,
    given: ownPin,
    also: ({ body }) => assert.deepEqual(body.meta, { attempts: null, nextAttemptAt: null }),
  },
  { of: 'POST /access/keys/{keyId}/actions/ask-now', status: 404, given: noKey, code: 'not-found' },
  { of: 'POST /access/keys/{keyId}/actions/reencode', status: 201, given: ownPin },
  { of: 'POST /access/keys/{keyId}/actions/reencode', status: 404, given: noKey, code: 'not-found' },
  {
    of: 'POST /access/keys/{keyId}/actions/reencode',
    status: 422,
    given: ownPin,
    body: { controllerId: '{deskId}' },
    code: 'provider-immutable',
  },
  { of: 'POST /access/keys/{keyId}/actions/move', status: 200, given: heldPin, body: { newUnitName: '302' } },
  {
    of: 'POST /access/keys/{keyId}/actions/move',
    status: 404,
    given: noKey,
    body: { newUnitName: '302' },
    code: 'not-found',
  },
  {
    of: 'POST /access/keys/{keyId}/actions/move',
    status: 409,
    given: ownCard,
    body: { newUnitName: '202' },
    code: 'card-required',
  },
  {
    of: 'POST /access/keys/{keyId}/actions/move',
    status: 422,
    given: ownPin,
    body: {},
    code: 'validation-failed',
  },
  {
    of: 'POST /access/keys/{keyId}/actions/extend',
    status: 200,
    given: ownPin,
    body: { endDate: '2026-06-12' },
  },
  {
    of: 'POST /access/keys/{keyId}/actions/extend',
    status: 404,
    given: noKey,
    body: { endDate: '2026-06-12' },
    code: 'not-found',
  },
  {
    of: 'POST /access/keys/{keyId}/actions/extend',
    status: 409,
    given: ownCard,
    body: { endDate: '2026-06-12' },
    code: 'card-required',
  },
  {
    of: 'POST /access/keys/{keyId}/actions/extend',
    status: 422,
    given: ownPin,
    body: { endDate: 'soon' },
    code: 'validation-failed',
  },
]

function etagOf(revision: number) {
  return ({ headers }: Reply) => {
    const [, digits = ''] = /^"(\d+)"$/.exec(headers.get('etag') ?? '') ?? []
    assert.ok(Number(digits) >= revision, 'a revision')
  }
}

/** The externalId of a stay that is over in one of the three ways, and that had a key. */
async function ended(house: AccessHouse, status: string): Promise<string> {
  const { unitTypeId, unitIds } = await house.rooms(1)
  const externalId = another('OVER-')
  const isPast = status === 'NoShow'
  const { path } = await house.told({
    units: [{ unitTypeId, unitId: unitIds[0] }],
    externalId,
    ...(isPast && { startDate: '2026-05-31' }),
  })
  const keyId = await pinOf(house, { ...later, externalId })
  const steps = status === 'CheckedOut' ? ['InHouse', status] : [status]
  for (const each of steps) {
    const { status: answered, text } = await house.ask('PATCH', path, { body: { status: each } })
    assert.equal(answered, 204, text)
  }
  assert.notEqual((await keyNow(house, keyId)).status, 'live')
  return externalId
}
