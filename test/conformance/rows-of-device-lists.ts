import assert from 'node:assert/strict'
import type { Reply } from '../appliance.ts'
import type { AccessHouse } from './access-house.ts'
import { nobody } from './facts.ts'
import type { Row } from './row.ts'

type AccessRow = Row<AccessHouse>

const controllers = 'GET /access/controllers'
const dispensers = 'GET /access/dispensers'
const ids = ({ body }: Reply): string[] => body.data.map(({ id }: { id: string }) => id)

/** Nothing by which a device or a lock system is reached is in the answer. */
function showsNoConfiguration({ text }: Reply): void {
  assert.doesNotMatch(text, /"(device|providerId|connection|credentials|timeoutMs)":|simulated:|tcp:/)
}

/** What a kiosk and a front desk find their devices by. */
export const deviceListRows: AccessRow[] = [
  {
    of: controllers,
    status: 200,
    also(reply, { controllerId, deskId, cardsId, offId, dispenserId }) {
      const { data } = reply.body
      assert.deepEqual(new Set(ids(reply)), new Set([controllerId, deskId, cardsId, offId]))
      showsNoConfiguration(reply)
      const of = (id?: string) => data.find((each: { id: string }) => each.id === id).attributes
      assert.partialDeepStrictEqual(of(cardsId), {
        kind: 'dispenser-encoder',
        keyType: 'keyCard',
        dispenserId,
      })
      assert.ok(of(cardsId).cardFormats.includes('Mifare1K'))
      assert.partialDeepStrictEqual(of(controllerId), { keyType: 'pinCode', cardFormats: null })
      assert.partialDeepStrictEqual(of(offId), { isReady: false, state: 'closed' })
      assert.match(of(offId).reason, /switched off/)
    },
  },
  {
    of: controllers,
    status: 200,
    when: 'by key type, in order, a page at a time',
    query: 'filter[keyType]=keyCard&sort=-name&page[size]=1&fields[controller]=name',
    also({ body }, { deskId }) {
      assert.deepEqual(Object.keys(body.data[0].attributes), ['name'])
      assert.notEqual(body.data[0].id, deskId)
      assert.match(body.links.next, /page%5Bafter%5D=/)
    },
  },
  {
    of: controllers,
    status: 200,
    when: 'the encoder of a dispenser',
    query: 'filter[dispenserId]={dispenserId}',
    also: (reply, { cardsId }) => assert.deepEqual(ids(reply), [cardsId]),
  },
  {
    of: controllers,
    status: 200,
    when: 'a kiosk, which is told what it may do',
    as: 'kiosk',
    query: 'filter[id]={cardsId}',
    also({ body }, { cardsId }) {
      const { operations } = body.data[0].attributes
      assert.deepEqual(operations.map(({ operationId }: { operationId: string }) => operationId).sort(), [
        'createKey',
        'createKeys',
        'createOrReconcileKey',
        'showCard',
      ])
      assert.deepEqual(operations[0], {
        operationId: 'createKey',
        method: 'POST',
        path: `/api/v2/access/controllers/${cardsId}/key`,
        summary: 'Make a key',
      })
    },
  },
  ...['filter[device]=x', 'filter[providerId][notnull]=1', 'filter[isReady]=true'].map(
    (query): AccessRow => ({
      of: controllers,
      status: 400,
      when: query,
      query,
      code: 'invalid-filter-field',
    }),
  ),
  { of: controllers, status: 400, when: 'sort', query: 'sort=isReady', code: 'invalid-sort-field' },
  { of: controllers, status: 400, when: 'include', query: 'include=dispenser', code: 'invalid-include' },
  {
    of: controllers,
    status: 400,
    when: 'cursor',
    query: `page[after]=${nobody}`,
    code: 'page-cursor-unknown',
  },
  {
    of: `${controllers}/{controllerId}`,
    status: 200,
    also(reply, { controllerId }) {
      assert.deepEqual([reply.body.data.type, reply.body.data.id], ['controller', controllerId])
      assert.equal(reply.body.data.attributes.isReady, true)
      showsNoConfiguration(reply)
    },
  },
  {
    of: `${controllers}/{controllerId}`,
    status: 404,
    given: async () => ({ controllerId: nobody }),
    code: 'controller-not-found',
  },
  {
    of: dispensers,
    status: 200,
    also(reply, { dispenserId, cardsId }) {
      assert.deepEqual(ids(reply), [dispenserId])
      showsNoConfiguration(reply)
      assert.partialDeepStrictEqual(reply.body.data[0].attributes, { controllerId: cardsId })
    },
  },
  { of: dispensers, status: 400, query: 'filter[device]=x', code: 'invalid-filter-field' },
  {
    of: `${dispensers}/{dispenserId}`,
    status: 200,
    as: 'kiosk',
    also({ body }, { dispenserId }) {
      assert.equal(body.data.type, 'card-dispenser')
      const paths = body.data.attributes.operations.map(({ path }: { path: string }) => path)
      assert.ok(paths.includes(`/api/v2/access/dispensers/${dispenserId}/status`))
      assert.ok(paths.includes(`/api/v2/access/dispensers/${dispenserId}/place-card/{cardPosition}`))
    },
  },
  {
    of: `${dispensers}/{dispenserId}`,
    status: 404,
    given: async () => ({ dispenserId: nobody }),
    code: 'not-found',
  },
]
