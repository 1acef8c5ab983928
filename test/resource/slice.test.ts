import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { Problem } from '../../src/resource/problem.ts'
import { inSlice, type LeftRow, type NextSlice } from '../../src/resource/slice.ts'
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
    ;({ next } = shelf.write((tx) =>
      inSlice(tx, what, { after: from, before: 0 }, (part, id) => {
        part.patch(loan, id, { reader: null })
        done++
      }),
    ))
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

describe('a row that cannot be processed', () => {
  const what = { table: 'loan', condition: 'loan.reader = ?', values: ['here'] }
  const readers = (name: string) =>
    shelf.reader.count('SELECT count(*) FROM loan WHERE loan.reader = ?', name)

  /** Works through all rows; the work on the first 30 of them ends with this error after it has written. */
  function through(error: () => unknown): LeftRow[] {
    const left: LeftRow[] = []
    let count = 0
    for (let next: NextSlice = 0; next !== null; ) {
      const from: number = next
      const sliced = shelf.write((tx) =>
        inSlice(tx, what, { after: from, before: 0 }, (part, id) => {
          part.patch(loan, id, { reader: 'moved' })
          if (++count <= 30) throw error()
        }),
      )
      left.push(...sliced.left)
      next = sliced.next
    }
    return left
  }

  it('is left as it was and named, and all others are processed once', () => {
    const left = through(() => new TypeError('Ana Moreira is no number'))
    assert.deepEqual([left.length, readers('here'), readers('moved')], [30, 30, 1_170])
    assert.equal(new Set(left.map(({ row }) => row)).size, 30)
    assert.match(left[0]!.row, /^loan\/[0-9a-f-]{36}$/)
    assert.equal(left[0]!.reason, 'TypeError', 'the text of an error may name a guest')
  })

  it('is named with the code of its Problem', () => {
    const reasons = through(() => new Problem('resource-referenced', 'A key needs it.')).map(
      ({ reason }) => reason,
    )
    assert.deepEqual(new Set(reasons), new Set(['resource-referenced']))
  })

  it('does not hide an error of the disk', () => {
    assert.throws(
      () => through(() => new Database.SqliteError('database or disk is full', 'SQLITE_FULL')),
      /full/,
    )
  })
})
