import assert from 'node:assert/strict'
import { afterEach, beforeEach, it } from 'node:test'
import { virtualClock } from '../../src/host/virtual-clock.ts'
import { command, type Transaction } from '../../src/resource/command.ts'
import type { Scratch } from '../../src/resource/keeper.ts'
import { Problem } from '../../src/resource/problem.ts'
import { openScratch } from '../../src/store/scratch.ts'
import { book, genre, type Library, library, loan, noon, publisher, resources, shapeOf } from './library.ts'

const actor = { by: 'test', requestId: null }
const all = { filters: [], sort: [], page: { size: 100 } }

let shelf: Library
let scratch: Scratch
beforeEach(() => {
  shelf = library()
  shelf.write((tx) => {
    const { id: publisherId } = tx.insert(publisher, { name: 'North' })
    const { id: genreId } = tx.insert(genre, { name: 'Novel' })
    const authors = [{ name: 'Ana', born: 1970, publisherId: null }]
    const [title, genres] = ['Tides', [genreId]]
    const { id: bookId } = tx.insert(book, { title, isbn: '1', publisherId, genres, authors })
    tx.insert(loan, { bookId, reader: 'Rui' })
  })
  const of = { resources, shapeOf, observers: new Map(), clock: virtualClock(noon) }
  scratch = openScratch({ ...of, path: shelf.path, version: shelf.reader.version })
})
afterEach(() => {
  scratch.close()
  return shelf.close()
})

const writing = <T>(work: (tx: Transaction) => T, dryRun = false): Promise<T> =>
  scratch.writer.execute(command('test', work), null, { actor, dryRun })
const titles = ({ reader }: Pick<Scratch, 'reader'>) => reader.rows(book, all).map(({ title }) => title)
const first = () => scratch.reader.rows(book, all)[0]!

it('Only its reader finds what its writer has written, and rows are as they were beside it', async () => {
  const { id } = await writing((tx) => tx.insert(book, { title: 'Dunes', isbn: '2' }))
  await writing((tx) => tx.patch(book, first().id, { pages: 7 }))
  assert.deepEqual([titles(scratch), titles(shelf)], [['Tides', 'Dunes'], ['Tides']])
  const { pages, authors, genres, lent } = first()
  const { authors: stored, genres: kept } = shelf.reader.rows(book, all)[0]!
  assert.deepEqual([pages, authors, genres, lent], [7, stored, kept, 1])
  assert.equal(scratch.reader.row(book, id)?.title, 'Dunes')
  assert.equal(shelf.reader.lastSequence(), 4)
})

it('A row that refers to one of a table without a copy is written', async () => {
  const { publisherId } = await writing((tx) =>
    tx.insert(book, { title: 'Dunes', isbn: '2', publisherId: shelf.reader.rows(publisher, all)[0]!.id }),
  )
  assert.equal(publisherId, first().publisherId)
})

it('What its copies refuse is what the store refuses', async () => {
  const twice = (tx: Transaction): void => {
    tx.insert(book, { title: 'Other', isbn: '1' })
  }
  const edition = (tx: Transaction): void => {
    for (const isbn of ['5', '6']) tx.insert(book, { title: 'Same', published: '2026-01-01', isbn })
  }
  for (const [work, code] of [
    [twice, 'validation-failed'],
    [edition, 'external-id-conflict'],
  ] as const) {
    assert.throws(
      () => shelf.write(work),
      (error: Problem) => error.code === code,
    )
    await assert.rejects(writing(work), (error: Problem) => error.code === code)
  }
  assert.deepEqual(titles(scratch), ['Tides'])
})

it('A command that fails or is a dry run leaves nothing, also where it was the first to write to a table', async () => {
  const work = (tx: Transaction) => {
    tx.patch(book, first().id, { pages: 9 })
    return tx.insert(publisher, { name: 'South' }).name
  }
  const failing = (tx: Transaction) => {
    work(tx)
    throw new Problem('busy', 'Not now.')
  }
  await assert.rejects(writing(failing), { code: 'busy' })
  assert.equal(await writing(work, true), 'South')
  assert.deepEqual([first().pages, scratch.reader.rows(publisher, all).length], [null, 1])
  await writing(work)
  assert.deepEqual([first().pages, scratch.reader.rows(publisher, all).length], [9, 2])
})

it('The store is written meanwhile, and tables without a copy show it', async () => {
  await writing((tx) => tx.insert(book, { title: 'Dunes', isbn: '2' }))
  shelf.write((tx) => tx.insert(publisher, { name: 'South' }))
  shelf.write((tx) => tx.insert(book, { title: 'Waves', isbn: '3' }))
  assert.equal(scratch.reader.rows(publisher, all).length, 2)
  assert.deepEqual(titles(scratch), ['Tides', 'Dunes'])
})

it('Every table of the store can be written', async () => {
  const tables = shelf.db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'search%'")
    .pluck()
    .all() as string[]
  assert.ok(tables.length > 50)
  const sum = (table: string) => shelf.db.prepare(`SELECT count(*) FROM ${table}`).pluck().get()
  for (const table of tables) {
    const before = sum(table)
    await writing((tx) => tx.run(`DELETE FROM ${table}`))
    assert.deepEqual([scratch.reader.count(`SELECT count(*) FROM ${table}`), sum(table)], [0, before], table)
  }
})
