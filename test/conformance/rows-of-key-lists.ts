import assert from 'node:assert/strict'
import type { Reply } from '../appliance.ts'
import { type AccessHouse, cardOf, later, pinOf } from './access-house.ts'
import { another, nobody } from './facts.ts'
import type { Facts, Row } from './row.ts'

type AccessRow = Row<AccessHouse>

const list = 'GET /access/keys'

/** A held PIN and a card that are nobody else's, by their external ids. */
async function two(house: AccessHouse): Promise<Facts> {
  const held = another('held%_')
  const card = another('card')
  const heldId = await pinOf(house, {
    ...later,
    externalId: held,
    unitName: '302',
    startTime: '14:30',
    endTime: '09:15',
  })
  const cardId = await cardOf(house, { unitName: '204', externalId: card, extraUnits: [] })
  const { uid } = (await house.attributes(`/api/v2/access/keys/${cardId}`)) as { uid: string }
  const { pin } = (await house.attributes(`/api/v2/access/keys/${heldId}`)) as { pin: string }
  const own = `filter[id]=${heldId}`
  return { held: encodeURIComponent(held), card, heldId, cardId, uid, pin, own }
}

const ids = ({ body }: Reply): string[] => body.data.map(({ id }: { id: string }) => id)

/** The held PIN is among what is found, or is not. */
const finds = (query: string, isFound = true): AccessRow => ({
  of: list,
  status: 200,
  when: `${query} ${isFound ? 'finds' : 'leaves out'} the held PIN`,
  given: two,
  query: `{own}&${query}`,
  also: (reply, { heldId }) => assert.deepEqual(ids(reply), isFound ? [heldId] : []),
})

const refused = (query: string, code: string, expected?: string): AccessRow => ({
  of: list,
  status: 400,
  code,
  when: query,
  query,
  also({ body }) {
    const [error] = body.errors
    assert.equal(error.source.parameter, decodeURIComponent(query.split('=')[0] ?? ''))
    if (expected === undefined) return
    assert.match(error.meta.expected, new RegExp(expected))
    // The field and the form are in the words as well.
    assert.match(error.detail, new RegExp(`${error.source.parameter.replace(/\W/g, '.')}.*${expected}`))
  },
})

/** The list of keys: each attribute by each form of value, operators, order and pages. */
export const keyListRows: AccessRow[] = [
  { of: list, status: 200, also: ({ body }) => assert.equal('total' in (body.meta ?? {}), false) },
  finds('filter[startDate]=2026-06-20'),
  finds('filter[startDate]=2026-06-20T23:59:59Z'),
  finds('filter[startDate][eq]=2026-06-20T00:00:00%2B02:00'),
  finds('filter[startDate]=2026-06-20T00:00:00+02:00'),
  finds('filter[startDate][ne]=2026-06-20', false),
  finds('filter[startDate][gt]=2026-06-20T08:00:00Z', false),
  finds('filter[startDate][gte]=2026-06-20'),
  finds('filter[endDate][lt]=2026-06-23'),
  finds('filter[endDate][lte]=2026-06-22T00:00:00Z'),
  finds('filter[endDate][lt]=2026-06-22', false),
  finds('filter[startTime]=14:30'),
  finds('filter[startTime]=14:30:00'),
  finds('filter[endTime][gt]=09:15', false),
  finds('filter[endTime][gte]=09:15'),
  finds('filter[createdAt]=2026-06-01T16:00:00Z'),
  finds('filter[createdAt][gte]=2026-06-01T15:59:59.999Z&filter[createdAt][lt]=2026-06-01T16:00:01Z'),
  finds('filter[updatedAt][gt]=2026-06-02T00:00:00Z', false),
  finds('filter[controllerId]={controllerId}'),
  finds('filter[controllerId]={deskId}', false),
  finds('filter[providerId]={configurationId}'),
  finds('filter[original]=true'),
  finds('filter[original]=false', false),
  finds('filter[isVirtual]=true'),
  finds('filter[isVirtual][ne]=true', false),
  finds('filter[unitName]=302'),
  finds('filter[unitName][like]=30'),
  finds('filter[unitName][like]=3%2502', false),
  finds('filter[keyType]=pinCode'),
  finds('filter[keyType][ne]=keyCard'),
  finds('filter[keyType][like]=Code'),
  finds('filter[keyType]=fob', false),
  finds('filter[externalId]={held}'),
  finds('filter[externalId][like]=d%25_'),
  finds('filter[externalId][like]=HELD'),
  finds('filter[externalId][isnull]=true', false),
  finds('filter[externalId][notnull]=true'),
  finds('filter[pin]={pin}'),
  finds('filter[pin][ne]={pin}', false),
  finds('filter[pin][notnull]=true'),
  finds('filter[uid][isnull]=true'),
  finds('filter[authorizations]=Pool', false),
  finds('filter[status]=virtual'),
  {
    of: list,
    status: 200,
    when: 'a card by its serial number',
    given: two,
    query: 'filter[uid]={uid}',
    also: (reply, { cardId }) => assert.deepEqual(ids(reply), [cardId]),
  },
  {
    of: list,
    status: 200,
    when: 'a card by a part of its serial number, and its default authorization',
    given: two,
    query: 'filter[uid][like]={uid}&filter[authorizations]=Entrance&filter[keyType]=keyCard',
    also: (reply, { cardId }) => assert.deepEqual(ids(reply), [cardId]),
  },
  {
    of: list,
    status: 200,
    when: 'by start, the last first, page by page',
    given: two,
    query: 'sort=-startDate,unitName&page[size]=2',
    also({ body }) {
      assert.equal(body.data.length, 2)
      const [first, second] = body.data.map(
        ({ attributes }: { attributes: { startDate: string } }) => attributes.startDate,
      )
      assert.ok(first >= second)
      assert.match(decodeURIComponent(body.links.next), /page\[after\]=/)
      assert.equal(body.links.prev, undefined)
    },
  },
  {
    of: list,
    status: 200,
    when: 'after a key, and before one',
    given: two,
    query: 'sort=id&page[after]={heldId}&page[size]=1',
    also: (reply, { cardId }) => assert.deepEqual(ids(reply), [cardId]),
  },
  {
    of: list,
    status: 200,
    when: 'before a key',
    given: two,
    query: 'sort=id&page[before]={cardId}&page[size]=1',
    also: (reply, { heldId }) => assert.deepEqual(ids(reply), [heldId]),
  },
  refused('filter[startDate]=soon', 'invalid-filter-value', 'date'),
  refused('filter[endDate]=', 'invalid-filter-value', 'date'),
  refused('filter[startDate]=2026-02-31', 'invalid-filter-value', 'date'),
  refused('filter[startDate]=2026-06-01Tnoon', 'invalid-filter-value', 'date'),
  refused('filter[endDate][gt]=22.06.2026', 'invalid-filter-value', 'date'),
  refused('filter[startTime]=25:00', 'invalid-filter-value', 'time'),
  refused('filter[endTime]=15:00:30', 'invalid-filter-value', 'time'),
  refused('filter[createdAt]=yesterday', 'invalid-filter-value', 'UTC timestamp'),
  refused('filter[createdAt][lt]=2026-02-30T00:00:00Z', 'invalid-filter-value', 'UTC timestamp'),
  refused('filter[updatedAt][gte]=2026-06-01T25:00:00Z', 'invalid-filter-value', 'UTC timestamp'),
  refused('filter[controllerId]=desk', 'invalid-filter-value', 'id'),
  refused('filter[original]=yes', 'invalid-filter-value', 'true or false'),
  refused('filter[isVirtual]=1', 'invalid-filter-value', 'true or false'),
  refused('filter[isVirtual]=', 'invalid-filter-value', 'true or false'),
  refused('filter[colour]=red', 'invalid-filter-field'),
  refused('filter[pinSealed][notnull]=true', 'invalid-filter-field'),
  refused('filter[unitName][contains]=30', 'invalid-filter-operator'),
  refused('filter[pin][like]=12', 'invalid-filter-operator'),
  refused('sort=colour', 'invalid-sort-field'),
  refused('sort=pin,controllerId', 'invalid-sort-field'),
  refused('page[size]=101', 'invalid-page-size'),
  refused('page[size]=ten', 'invalid-page-size'),
  refused('page[after]=x', 'page-cursor-unknown'),
  refused('limit=10', 'unknown-parameter'),
  {
    of: list,
    status: 400,
    when: 'after and before',
    query: 'page[after]={keyId}&page[before]={keyId}',
    code: 'range-pagination-unsupported',
  },
  { of: list, status: 500, in: 'ruins', code: 'internal' },
  { of: 'GET /access/units-with-older-keys', status: 200 },
  { of: 'GET /access/units-with-older-keys', status: 400, query: 'page[size]=1', code: 'unknown-parameter' },
  { of: 'GET /access/card-runs', status: 200, query: 'filter[keyId]={keyId}' },
  { of: 'GET /access/card-runs', status: 400, query: 'filter[step]=lost', code: 'invalid-filter-value' },
  {
    of: 'GET /access/card-runs/{cardRunId}',
    status: 200,
    given: async (house) => {
      const { cardId } = await two(house)
      const { body } = await house.ask('GET', `/api/v2/access/card-runs?filter[keyId]=${cardId}`)
      return { cardId: String(cardId), cardRunId: String(body.data[0].id) }
    },
    also({ body }, { cardId }) {
      assert.partialDeepStrictEqual(body.data.attributes, { keyId: cardId, step: 'ended', ending: 'handed' })
    },
  },
  { of: 'GET /access/card-runs/by-stay/{stayId}', status: 200, given: async () => ({ stayId: nobody }) },
  {
    of: 'GET /access/card-runs/by-stay/{stayId}',
    status: 400,
    query: 'filter[step]=lost',
    given: async () => ({ stayId: nobody }),
    code: 'invalid-filter-value',
  },
  {
    of: 'GET /access/card-runs/by-stay/{stayId}',
    status: 403,
    cannot:
      'its guest has found the stay at the kiosk; test/access/card-runs-of-stay.test.ts asks for another',
  },
  {
    of: 'GET /access/card-runs/{cardRunId}',
    status: 404,
    given: async () => ({ cardRunId: nobody }),
    code: 'not-found',
  },
]
