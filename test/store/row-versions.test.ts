import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Transaction } from '../../src/resource/command.ts'
import type { Resource } from '../../src/resource/resource.ts'
import { uuidText } from '../../src/resource/uuid-sql.ts'
import fc from '../seed.ts'
import { book, genre, type Library, library, loan, publisher } from './library.ts'

/** What a change may do with the row that stands at a place in the order of making. */
type Deed =
  | { does: 'insert'; what: 'publisher' | 'book' | 'loan'; at: number }
  | { does: 'patch' | 'touch' | 'remove' | 'find'; at: number }

const at = fc.nat(12)
const deed: fc.Arbitrary<Deed> = fc.oneof(
  fc.record({
    does: fc.constant('insert' as const),
    what: fc.constantFrom('publisher' as const, 'book' as const, 'loan' as const),
    at,
  }),
  fc.record({
    does: fc.constantFrom('patch' as const, 'touch' as const, 'remove' as const, 'find' as const),
    at,
  }),
)
const story = fc.array(fc.record({ deeds: fc.array(deed, { maxLength: 6 }), fails: fc.boolean() }), {
  minLength: 1,
  maxLength: 25,
})

interface Made {
  resource: Resource
  id: string
}

let shelf: Library
before(() => {
  shelf = library()
})
after(() => shelf.close())

const all = [publisher, book, loan, genre] as readonly Resource[]

/** Revisions by id, as the database has them. */
function revisions(): Map<string, number> {
  return new Map(
    all.flatMap(({ table }) =>
      shelf.db
        .prepare(`SELECT ${uuidText('id')}, revision FROM ${table}`)
        .raw()
        .all(),
    ) as [string, number][],
  )
}

let named = 0

function carryOut(tx: Transaction, made: Made[], each: Deed): void {
  const one = made[each.at % Math.max(made.length, 1)]
  const name = `N${named++}`
  if (each.does === 'insert') {
    const bookId = made.filter(({ resource }) => resource === book).at(each.at % 3)?.id
    if (each.what === 'loan' && !bookId) return
    const inserted = {
      publisher: () => ({ resource: publisher, ...tx.insert(publisher, { name }) }),
      book: () => ({ resource: book, ...tx.insert(book, { title: name, published: '2000-01-01' }) }),
      loan: () => ({ resource: loan, ...tx.insert(loan, { bookId: bookId! }) }),
    }[each.what]()
    made.push({ resource: inserted.resource as Resource, id: inserted.id })
    return
  }
  if (!one) return
  const { resource, id } = one
  if (each.does === 'find') tx.find(resource, id)
  else if (each.does === 'touch') tx.touch(resource, id)
  else if (each.does === 'patch') {
    const changes = { publisher: { name }, book: { title: name }, loan: { reader: name } }[resource.type]
    tx.patch(resource, id, changes as never)
  } else if (resource !== book || !made.some(({ resource: other }) => other === loan)) {
    tx.remove(resource, id)
    made.splice(made.indexOf(one), 1)
  }
}

describe('the cached positions of rows', () => {
  it('equal those in the database after any insert, delete or rollback', () => {
    fc.assert(
      fc.property(story, (changes) => {
        let made: Made[] = []
        for (const { deeds, fails } of changes) {
          const wanted = [...made]
          const run = () =>
            shelf.write((tx) => {
              for (const each of deeds) carryOut(tx, wanted, each)
              if (fails) throw new RangeError('no')
            })
          if (fails) assert.throws(run, RangeError)
          else {
            run()
            made = wanted
          }
          const known = revisions()
          shelf.write((tx) => {
            for (const { resource, id } of made) {
              for (const written of [id, id.toUpperCase()]) {
                assert.equal(
                  tx.find(resource, written).revision,
                  known.get(id),
                  `${resource.type} after ${JSON.stringify(deeds)}`,
                )
              }
            }
          })
        }
      }),
      { numRuns: 60 },
    )
  })
})
