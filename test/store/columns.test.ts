import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import fc from 'fast-check'
import { resources as ours } from '../../src/api.ts'
import { token } from '../../src/gate/token.ts'
import { type Resources, resolvePath } from '../../src/resource/path.ts'
import { operators } from '../../src/resource/query.ts'
import type { Resource } from '../../src/resource/resource.ts'
import { type ColumnValues, figures, words } from '../../src/store/column-values.ts'
import { columns } from '../../src/store/columns.ts'
import { openReader } from '../../src/store/connection.ts'
import { testsOf } from '../../src/store/filter.ts'
import { statements } from '../../src/store/statements.ts'
import { type Trail, trailOf } from '../../src/store/trail.ts'
import { predicateOf } from '../../src/store/value-test.ts'
import { book, type Library, library, noon, resources } from './library.ts'

const anyValue = fc.oneof(
  fc.constant(null),
  fc.integer({ min: -3, max: 3 }),
  fc.constantFrom('', 'a', 'B', 'ä', 'ab'),
)
const anyTest = fc.oneof(
  fc.record({
    operator: fc.constantFrom(...operators.slice(0, 6)),
    value: anyValue.filter((value) => value !== null),
  }),
  fc.record({ operator: fc.constant('like' as const), value: fc.constantFrom('a', 'Ä', '') }),
  fc.record({ operator: fc.constantFrom('isnull' as const, 'notnull' as const), value: fc.constant(null) }),
)

describe('values in memory', () => {
  for (const [name, kind] of Object.entries({ words, figures })) {
    it(`as ${name} tell the places of all that pass, or that there are too many`, () => {
      fc.assert(
        fc.property(
          fc.array(anyValue, { maxLength: 30 }),
          fc.array(anyTest, { minLength: 1, maxLength: 2 }),
          fc.nat(10),
          (values, tests, limit) => {
            const kept: ColumnValues = kind()
            for (const value of values) assert.ok(kept.add(value))
            const places = kept.places(tests, limit)
            const passes = predicateOf(tests)
            const expected = values.flatMap((value, at) => (passes(value) ? [at] : []))
            if (places === null) return assert.ok(name === 'figures' || expected.length > limit)
            assert.ok(places.length <= limit)
            assert.deepEqual(
              name === 'words' ? places : expected.filter((at) => !places.includes(at)),
              name === 'words' ? expected : [],
            )
          },
        ),
        { numRuns: 500 },
      )
    })
  }

  it('are few different ones, or figures', () => {
    const few = words()
    for (let at = 0; at < 65_535; at++) assert.ok(few.add(at))
    assert.equal(few.add(-1), false)
    assert.ok(few.add(7))
    assert.deepEqual(few.places([{ operator: 'eq', value: 7 }], 5), [7, 65_535])
    const long = words()
    assert.ok(long.add('x'.repeat(1_999_999)))
    assert.equal(long.add('yy'), false)
  })
})

function trail(all: Resources, resource: Resource, path: string): Trail {
  return trailOf(resource, resolvePath(all, resource, path)!)!
}

describe('columns', () => {
  let shelf: Library
  before(() => {
    shelf = library()
  })
  after(() => shelf.close())

  it('are kept of no field whose changes are not all written down', () => {
    const db = openReader(shelf.path)
    const { testsOf: asked } = columns(statements(db), ours)
    const isKept = (resource: unknown, path: string) => {
      const each = resource as Resource
      const tests = testsOf(ours, each, [{ path, operator: 'notnull', value: null }])
      return asked(trail(ours, each, path), tests) !== null
    }
    const stay = ours.get('stay')!
    assert.deepEqual(
      ['name', 'createdAt', 'lastUsedAt', 'updatedAt', 'revision'].map((path) => isKept(token, path)),
      [true, true, false, false, false],
    )
    assert.deepEqual(
      ['endDate', 'createdAt', 'updatedAt', 'revision', 'personCount.adults', 'reservationIds.type'].map(
        (path) => isKept(stay, path),
      ),
      [true, true, true, false, true, true],
    )
    db.close()
  })

  it('are so many, those least asked for giving way', () => {
    const db = openReader(shelf.path)
    const kept = columns(statements(db), resources)
    const trails =
      'title isbn pages price inPrint published opens addedAt binding shelfMark createdAt updatedAt publisherId'
        .split(' ')
        .map((path) => trail(resources, book as unknown as Resource, path))
    const [first, second] = trails
    for (const each of trails.slice(0, 12)) kept.make(each)
    assert.ok(kept.find(first!))
    kept.make(trails[12]!)
    assert.ok(kept.find(first!))
    assert.equal(kept.find(second!), undefined)
    db.close()
  })

  it('hold as many different values as there are rows', () => {
    shelf.db.exec(`
      INSERT INTO book (rid, id, createdAt, updatedAt, revision, title, published, price, shelfMark)
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 70000)
      SELECT i, CAST(unhex(printf('0197c0de000070008000%012x', i)) AS BLOB), ${noon}, ${noon}, 1, 'Title ' || i, '2020-01-01',
        i * 10, 'mark ' || i
      FROM n`)
    const db = openReader(shelf.path)
    const kept = columns(statements(db), resources)
    const ridsOf = (path: string, ...tests: { operator: 'eq' | 'gt' | 'lte'; value: string | number }[]) => {
      const column = kept.make(trail(resources, book as unknown as Resource, path))
      while (!column.isCurrent()) column.work()
      return column.rids(tests, 10)
    }
    assert.deepEqual(ridsOf('price', { operator: 'eq', value: 123_450 }), [12_345])
    assert.deepEqual(ridsOf('price', { operator: 'gt', value: 699_980 }), [69_998, 69_999, 70_000])
    assert.equal(ridsOf('price', { operator: 'lte', value: 350_000 }), null)
    assert.deepEqual(ridsOf('shelfMark', { operator: 'eq', value: 'mark 66000' }), [66_000])
    assert.equal(ridsOf('shelfMark', { operator: 'gt', value: 'mark 9' }), null)
    db.close()
  })
})
