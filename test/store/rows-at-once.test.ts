import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'node:test'
import { first, having, type SortKey } from '../../src/resource/query.ts'
import fc from '../seed.ts'
import { book, genre, type Library, library, noon, publisher } from './library.ts'

let shelf: Library
beforeEach(() => {
  shelf = library()
})
afterEach(() => shelf.close())

const unknown = '0197c0de-0000-7000-8000-000000000001'

/** The titles, for a short list of what was found. */
const titles = (rows: readonly { title: string }[]) => rows.map(({ title }) => title).join(' ')

function threeBooks(): string[] {
  return shelf.write((tx) => {
    const at = tx.insert(publisher, { name: 'Aurora' }).id
    return ['A', 'B', 'C'].map(
      (title, place) =>
        tx.insert(book, {
          title,
          isbn: `isbn ${title}`,
          pages: 30 - place,
          publisherId: at,
          tags: [title, 'all'],
          authors: [{ name: `Author of ${title}` }],
        }).id,
    )
  })
}

it('a row is read by its id, by its id in capital letters, and by a lookup field', () => {
  const [id = ''] = threeBooks()
  const { reader } = shelf
  const found = reader.row(book, id)
  assert.equal(found?.title, 'A')
  assert.deepEqual(reader.row(book, id.toUpperCase()), found)
  assert.deepEqual(reader.row(book, 'isbn A'), found)
})

it('a row that is not there is null: an unknown id, an unknown lookup value, a text for a resource without one', () => {
  threeBooks()
  const { reader } = shelf
  for (const id of [unknown, 'isbn Z', '', 'A']) assert.equal(reader.row(book, id), null, id)
  assert.equal(reader.row(publisher, 'Aurora'), null)
})

it('a row is null once it was removed, and a list goes on without it', () => {
  const [, id = ''] = threeBooks()
  const { reader } = shelf
  assert.equal(reader.row(book, id)?.title, 'B')
  shelf.write((tx) => tx.remove(book, id))
  assert.equal(reader.row(book, id), null)
  assert.equal(titles(reader.rows(book, first())), 'A C')
})

it('rows come in the order of the list, and no more than were asked for', () => {
  threeBooks()
  const { reader } = shelf
  const sorted = (path: string, descending: boolean, size = 10) =>
    titles(reader.rows(book, { filters: [], sort: [{ path, descending }], page: { size } }))
  assert.equal(titles(reader.rows(book, first())), 'A B C')
  assert.equal(titles(reader.rows(book, first([], 2))), 'A B')
  assert.equal(titles(reader.rows(book, first([], 1))), 'A')
  assert.equal(sorted('title', true), 'C B A')
  assert.equal(sorted('pages', false), 'C B A')
  assert.equal(sorted('pages', true, 2), 'A B')
  assert.equal(titles(reader.rows(book, first(having({ title: ['C', 'A'] })))), 'A C')
  assert.deepEqual(reader.rows(genre, first()), [])
})

it('rows after and before another continue there', () => {
  const [a = '', b = '', c = ''] = threeBooks()
  const { reader } = shelf
  const page = (cursor: object) =>
    titles(reader.rows(book, { filters: [], sort: [], page: { size: 10, ...cursor } }))
  assert.equal(page({ after: a }), 'B C')
  assert.equal(page({ after: c }), '')
  assert.equal(page({ before: b }), 'A')
})

const anyBook = fc.record({
  pages: fc.option(fc.nat(4)),
  price: fc.option(fc.constantFrom(-1.25, 0, 12.5)),
  inPrint: fc.option(fc.boolean()),
  tags: fc.array(fc.constantFrom('sea', 'ÉTÉ', '"'), { maxLength: 3 }),
  authors: fc.array(fc.record({ name: fc.constantFrom('Berg', "O'Hara") }), { maxLength: 2 }),
})

it('each row of a list is the row that is found alone, and that a command finds', () => {
  let place = 0
  fc.assert(
    fc.property(
      fc.array(anyBook, { minLength: 1, maxLength: 6 }),
      fc.constantFrom<SortKey[]>(
        [],
        [{ path: 'pages', descending: true }],
        [{ path: 'id', descending: true }],
      ),
      fc.integer({ min: 1, max: 8 }),
      (books, sort, size) => {
        shelf.write((tx) => {
          for (const { id } of tx.select(book, [])) tx.remove(book, id)
          for (const each of books)
            tx.insert(book, { ...each, title: `Book ${++place}`, addedAt: noon } as never)
        })
        const { reader } = shelf
        const rows = reader.rows(book, { filters: [], sort, page: { size } })
        assert.equal(rows.length, Math.min(size, books.length))
        const alone = rows.map(({ id }) => reader.row(book, id))
        assert.deepEqual(rows, alone)
        const [inCommand, selected] = shelf.write((tx) => [
          rows.map(({ id }) => tx.find(book, id)),
          tx.select(book, [], sort, size),
        ])
        assert.deepEqual(rows, inCommand)
        assert.deepEqual(rows, selected)
      },
    ),
    { numRuns: 60 },
  )
})
