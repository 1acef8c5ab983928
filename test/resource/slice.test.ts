import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import { inSlice, type NextSlice } from '../../src/resource/slice.ts'
import { type Library, library, loan } from '../store/library.ts'

/** Other commands wait for a slice: so many rows are a millisecond or two. */
const mostLooked = 500
const mostDone = 20
const all = 1_300

let shelf: Library
before(() => {
  shelf = library()
  const db = shelf.db
  db.exec(`INSERT INTO book (rid, id, createdAt, updatedAt, revision, title) VALUES (1, randomblob(16), 0, 0, 1, 'Old');
    WITH RECURSIVE n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < ${all})
    INSERT INTO loan (rid, id, createdAt, updatedAt, revision, bookId, reader)
    SELECT i, randomblob(16), 0, 0, 1, 1, iif(i <= 100, 'gone', 'here') FROM n`)
})
after(() => shelf.close())

/** Works through the loans of a reader, slice by slice. Returns how many rows each slice changed, and where it ended. */
function slices(reader: string): { done: number; next: NextSlice }[] {
  const found: { done: number; next: NextSlice }[] = []
  const what = { table: 'loan', condition: 'loan.reader = ?', values: [reader] }
  for (let next: NextSlice = 0; next !== null; ) {
    let done = 0
    const from: number = next
    next = shelf.write((tx) =>
      inSlice(tx, what, { after: from, before: 0 }, (id) => {
        tx.patch(loan, id, { reader: null })
        done++
      }),
    )
    found.push({ done, next })
  }
  return found
}

it('a slice changes few rows, and the next one goes on where it ended', () => {
  const found = slices('gone')
  assert.equal(
    found.reduce((sum, { done }) => sum + done, 0),
    100,
  )
  assert.ok(found.every(({ done }) => done <= mostDone))
  assert.equal(shelf.reader.count("SELECT count(*) FROM loan WHERE reader = 'gone'"), 0)
})

it('a slice reads few rows where it finds nothing to change', () => {
  const ends = slices('nobody').map(({ next }) => next ?? all)
  assert.deepEqual(ends, [mostLooked, 2 * mostLooked, all, all])
})
