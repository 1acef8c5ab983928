import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { resources, shapeOf } from '../../src/composition/api.ts'
import { readQuery } from '../../src/jsonapi/query/query.ts'
import type { Fields } from '../../src/resource/field.ts'
import type { Resource } from '../../src/resource/resource.ts'
import type { ScanRequest } from '../../src/store/at-once.ts'
import { addFunctions } from '../../src/store/connection.ts'
import { migrate } from '../../src/store/migrate.ts'
import { numbered, selectAmong, selectPage } from '../../src/store/query/select.ts'
import { sourcesOf } from '../../src/store/query/sources.ts'
import { documentSql } from '../../src/store/rows/document.ts'

let db: Database.Database
before(() => {
  db = new Database(':memory:')
  addFunctions(db)
  migrate(db, ':memory:')
})
after(() => db.close())

/** Requests that desks and kiosks make all day, and whether one range of an index is their page. */
const asked: [request: string, how: 'a range' | 'a source'][] = [
  ['reservations?filter[arrival]=2026-06-01', 'a range'],
  ['reservations?filter[arrival]=2026-06-01&sort=arrival', 'a range'],
  ['reservations?sort=arrival', 'a range'],
  ['reservations?filter[arrival][gte]=2026-06-01&sort=arrival', 'a range'],
  ['stays?filter[externalId]=x', 'a source'],
  ['profiles?sort=lastName', 'a range'],
  ['profiles', 'a range'],
  ['reservations?filter[arrival]=2026-06-01&sort=-createdAt', 'a source'],
  ['reservations?filter[arrival]=2026-06-01&filter[status]=Confirmed&sort=departure', 'a source'],
  ['stays?filter[startDate]=2026-06-01&sort=startTime,-createdAt', 'a source'],
  ['stays?filter[status]=InHouse&sort=endDate', 'a source'],
  ['reservations?filter[stays.status]=InHouse', 'a source'],
  ['reservations?filter[stays.startDate]=2026-06-01&filter[stays.externalId]=x', 'a source'],
  ['reservations?filter[externalId]=x&sort=-arrival', 'a source'],
  ['reservations?filter[stays.externalId]=x', 'a source'],
  ['reservations?filter[reservationIds.searchForm]=X1', 'a source'],
  ['reservations?filter[reservationIds.value]=x1&sort=-arrival', 'a source'],
  ['stays?filter[reservationIds.value][like]=x12', 'a source'],
  ['reservations?filter[profile.lastName]=Müller&sort=arrival', 'a source'],
  ['reservations?filter[profile.lastName][like]=müller&sort=arrival', 'a source'],
  ['stays?filter[profile.lastName][like]=müller&filter[startDate][gte]=2026-06-01', 'a source'],
  ['profiles?filter[lastName][like]=müller&sort=firstName', 'a source'],
  ['profiles?filter[normalizedName][like]=novak tomas&sort=lastName', 'a source'],
  ['reservations?filter[profile.normalizedName][like]=devries&sort=arrival', 'a source'],
  ['profiles?filter[emails.address]=a@example.org', 'a source'],
  ['profiles?filter[phoneNumbers.number][like]=351', 'a source'],
  ['reservations?filter[comment][like]=cot', 'a source'],
]

const cursors = { without: '', after: '&page[after]=', before: '&page[before]=' }
const anId = '0197c0de-0000-7000-8000-000000000001'

function read(request: string): ScanRequest {
  const [path, search] = request.split('?')
  const resource = [...resources.values()].find((each) => each.path === path) as Resource
  const { query } = readQuery(resources, resource, new URLSearchParams(search))
  const isFirst = (query.page.after ?? query.page.before) === undefined
  return { resource, query, cursor: isFirst ? null : [...query.sort.map(() => 'x'), 1] }
}

function planOf({ sql, values }: { sql: string; values: unknown[] }, ...more: unknown[]): string[] {
  const lines = db.prepare(`EXPLAIN QUERY PLAN ${sql}`).all(...values, ...more) as { detail: string }[]
  return lines.map(({ detail }) => detail)
}

/** A list in JSON is read as a whole, and so are the few texts that wait for the search index; of that what matches. */
const scansIn = (plan: string[]) =>
  plan.filter((line) => /^SCAN /.test(line) && !/search_pending|VIRTUAL TABLE INDEX (1:|\d+:\S*M)/.test(line))

describe('the query plan of a frequent request', () => {
  for (const [request, how] of asked) {
    for (const [place, parameter] of Object.entries(cursors)) {
      it(`is ${how}, ${place} a cursor: ${request}`, () => {
        const cursor = parameter && `${request.includes('?') ? '' : '?'}${parameter}${anId}`
        const { resource, query, cursor: values } = read(request + cursor)
        if (how === 'a range') {
          for (const statement of selectPage(resources, resource, query, values)) {
            const plan = planOf(statement, 11)
            const isInOrder = plan.every((line) => !/TEMP B-TREE/.test(line))
            const whole = scansIn(plan).filter((line) => !/USING (COVERING )?INDEX|^SCAN \w+$/.test(line))
            assert.ok(isInOrder && whole.length === 0, plan.join('\n'))
          }
          return
        }
        const sources = sourcesOf(resources, resource, query)
        const found = [...sources.indexed, ...sources.searched]
        assert.ok(found.length > 0)
        for (const { rows, values } of found)
          assert.deepEqual(scansIn([...planOf(rows), ...planOf(values)]), [])
        const judged = selectAmong(resources, resource, query, values, numbered(resource, [1, 2]))
        const plan = planOf(judged, 11)
        assert.deepEqual(scansIn(plan), [])
        assert.match(plan[0]!, new RegExp(`^SEARCH ${resource.table} USING INTEGER PRIMARY KEY`))
        const indexes = plan.flatMap((line) => / INDEX (\w+_\w+)/.exec(line)?.[1] ?? [])
        assert.deepEqual(new Set(indexes).difference(new Set(['stay_reservationId'])), new Set())
      })
    }
  }
})

describe('the page of a filter that many rows pass', () => {
  it('goes through the index of its order, and tests each row alone', () => {
    const { resource, query } = read('reservations?filter[stays.status]=CheckedOut&sort=arrival')
    const [page] = selectPage(resources, resource, query, null, { judging: true })
    const [first, ...tests] = planOf(page!, 11)
    assert.equal(first, 'SCAN reservation USING INDEX reservation_arrival')
    assert.deepEqual(
      tests.filter((line) => /SCAN|LIST|B-TREE/.test(line)),
      [],
    )
  })
})

describe('a document', () => {
  it('reads its lists in their order, by an index', () => {
    for (const resource of resources.values()) {
      const parts = Object.values(resource.fields as Fields).flatMap(({ table }) => table ?? [])
      const children = Object.values(resource.children).map(
        ({ type, by }) => [resources.get(type)!, by] as const,
      )
      const orderly = new Map([
        ...['part', ...parts].map((table) => [table, `SEARCH ${table} USING PRIMARY KEY (owner=?)`] as const),
        ...children.map(
          ([{ table }, by]) => [table, `SEARCH ${table} USING INDEX ${table}_${by} (${by}=?)`] as const,
        ),
      ])
      const plan = planOf({ sql: documentSql(resources, resource, shapeOf(resource)), values: [1] })
      for (const line of plan.filter((each) => !each.includes('COVERING'))) {
        const [, table = ''] = /^(?:SEARCH|SCAN) (\w+)/.exec(line) ?? []
        assert.equal(line, orderly.get(table) ?? line)
      }
    }
  })
})
