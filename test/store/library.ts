import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '../../src/host/clock.ts'
import { virtualClock } from '../../src/host/virtual-clock.ts'
import { documentShape } from '../../src/jsonapi/document.ts'
import type { Transaction } from '../../src/resource/command.ts'
import {
  json,
  parts,
  references,
  sealed,
  texts,
  valueList,
  valueObject,
} from '../../src/resource/compound.ts'
import { date, flag, instant, integer, oneOf, reference, text, time } from '../../src/resource/fields.ts'
import type { Reader } from '../../src/resource/keeper.ts'
import type { Resources } from '../../src/resource/path.ts'
import type { Projection } from '../../src/resource/projection.ts'
import { type Resource, resource } from '../../src/resource/resource.ts'
import { decimal } from '../../src/resource/values/decimal.ts'
import { type Connection, openReader, openWritingConnection } from '../../src/store/connection.ts'
import { tablesOf } from '../../src/store/declared-tables.ts'
import { migrate } from '../../src/store/migrate.ts'
import { reader as openReading } from '../../src/store/reader.ts'
import { Scans } from '../../src/store/scan/scans.ts'
import { transactions } from '../../src/store/writer/transaction.ts'
import { program as entry } from '../program.ts'

const scopes = { read: 'units.read', write: 'units.write' }

export const genre = resource('genre', { path: 'genres', scopes, fields: { name: text({ unique: true }) } })

export const publisher = resource('publisher', {
  base: '/api/config/v1',
  path: 'publishers',
  scopes,
  fields: { name: text({ required: true, search: 104 }), city: text() },
})

/** One field of every kind there is. */
export const book = resource('book', {
  path: 'books',
  scopes,
  fields: {
    title: text({ required: true, search: 101 }),
    isbn: text({ unique: true }),
    pages: integer(),
    price: decimal(),
    inPrint: flag(),
    published: date(),
    opens: time(),
    addedAt: instant(),
    binding: oneOf(['Cloth', 'Paper']),
    cover: valueObject<{ colour?: string; weight?: number }>({
      type: 'object',
      properties: { colour: { type: 'string' }, weight: { type: 'integer' } },
    }),
    prizes: valueList<{ name: string; year: number }>(
      { type: 'object', properties: { name: { type: 'string' }, year: { type: 'integer' } } },
      { searched: { name: 102 } },
    ),
    tags: texts(),
    publisherId: reference('publisher'),
    genres: references('book_genre', { genreId: reference('genre', { required: true }) }),
    authors: parts(
      'book_author',
      {
        name: text({ required: true, search: 103 }),
        born: integer(),
        publisherId: reference('publisher'),
      },
      { indexes: ['born', 'publisherId'] },
    ),
    note: json<unknown>({}),
    lent: integer({ computed: 'SELECT count(*) FROM loan WHERE loan.bookId = book.rid' }),
    key: sealed({ type: 'object' }),
    shelfMark: text({ immutable: true }),
  },
  lookup: ['isbn'],
  children: { loans: { type: 'loan', by: 'bookId', inline: true } },
  aliases: { author: 'authors' },
  indexes: [
    {
      fields: ['title', 'published'],
      unique: true,
      problem: 'external-id-conflict',
      why: 'one edition a day',
    },
    { fields: ['pages'], why: 'books for one evening' },
    { fields: ['publisherId'], where: 'publisherId IS NOT NULL', why: 'the books of a publisher' },
    { fields: ['binding'], where: "binding = 'Cloth'", why: 'the good ones' },
  ],
})

export const loan = resource('loan', {
  path: 'loans',
  scopes,
  fields: {
    bookId: reference('book', { required: true, touches: true }),
    reader: text(),
    due: date(),
    returned: flag(),
  },
  indexes: [{ fields: ['bookId'], why: 'the loans of a book' }],
})

export const resources: Resources = new Map<string, Resource>(
  [genre, publisher, book, loan].map((each) => [each.type, each]),
)

const shapes = new Map<Resource, Projection>()

export function shapeOf(resource: Resource): Projection {
  const drawn = shapes.get(resource) ?? documentShape(resource, (type) => resources.get(type)!)
  shapes.set(resource, drawn)
  return drawn
}

export interface Library {
  path: string
  db: Connection
  reader: Reader
  /** Runs a change in a transaction of its own, at this moment. */
  write<T>(work: (tx: Transaction) => T, now?: number): T
  /** Puts into the search index what waits for it. */
  settle(): void
  close(): Promise<void>
}

/** 2026-06-01 16:00 UTC. */
export const noon = Date.UTC(2026, 5, 1, 16)

/** A small store of its own: the appliance's migrations, and these four tables besides. */
export function library(clock: Clock = virtualClock(0)): Library {
  const folder = mkdtempSync(join(tmpdir(), 'nightporter-library-'))
  const path = join(folder, 'library.db')
  const db = openWritingConnection(path)
  migrate(db, path)
  for (const each of resources.values()) for (const sql of tablesOf(resources, each)) db.exec(sql)
  const { begin, rolledBack, index } = transactions(db, resources, shapeOf)
  const reading = openReader(path)
  let version = 0
  const scanning = new Scans({ path, entry, clock })
  const reader = openReading(reading, resources, { version: () => version, clock, scans: scanning })
  return {
    path,
    db,
    reader,
    write(work, now = noon) {
      try {
        const done = db.transaction(() => work(begin(now, { by: 'test', requestId: null })))()
        version++
        return done
      } catch (error) {
        rolledBack()
        throw error
      }
    },
    settle: db.transaction(index.settle),
    async close() {
      await scanning.close()
      reading.close()
      db.close()
      rmSync(folder, { recursive: true })
    },
  }
}
