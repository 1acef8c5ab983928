import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { Problem, type ProblemCode } from '../../../src/resource/problem.ts'
import type { Attributes } from '../../../src/resource/resource.ts'
import { refusal } from '../../reservation/refusal.ts'
import { book, genre, type Library, library, loan, noon, publisher, shapeOf } from '../library.ts'

let shelf: Library
before(() => {
  shelf = library()
})
after(() => shelf.close())

let number = 0
let title: string
let id: string
beforeEach(() => {
  number++
  title = `Book ${number}`
  id = insert({})
})

function insert(attributes: Partial<Attributes<typeof book.fields>>): string {
  return shelf.write((tx) => tx.insert(book, { title, published: `2000-01-01`, ...attributes }).id)
}

const read = (which = id) => shelf.reader.row(book, which)!
const shown = (which = id) => JSON.parse(shelf.reader.document(book, which, shapeOf(book)).text)
const events = () =>
  shelf.db.prepare('SELECT type, subject, data FROM journal ORDER BY sequence').all() as {
    type: string
    subject: string
    data: string
  }[]

function refused(code: ProblemCode, pointer: string | undefined, work: () => unknown): void {
  assert.throws(work, refusal(code, pointer))
}

describe('a row that a command has read', () => {
  it('has no changes of a failed command when the next one reads it', () => {
    const made = shelf.write((tx) => tx.insert(publisher, { name: 'Luchterhand', city: 'Neuwied' }).id)
    const fails = () =>
      shelf.write((tx) => {
        tx.patch(publisher, made, { city: 'Darmstadt' })
        assert.equal(tx.find(publisher, made).city, 'Darmstadt')
        throw new RangeError('no')
      })
    assert.throws(fails, RangeError)
    const { revision, city } = shelf.write((tx) => {
      tx.touch(publisher, made)
      return tx.find(publisher, made)
    })
    assert.deepEqual([revision, city], [2, 'Neuwied'])
  })

  it('is a copy: changing it does not change what the next command reads', () => {
    const made = shelf.write((tx) => tx.insert(publisher, { name: 'Steidl' }).id)
    shelf.write((tx) => {
      tx.find(publisher, made).name = 'Another'
    })
    assert.equal(
      shelf.write((tx) => tx.find(publisher, made).name),
      'Steidl',
    )
  })
})

describe('an insert', () => {
  it('is read back as it was given, field by field', () => {
    const given = {
      isbn: `isbn ${number}`,
      pages: 0,
      price: -0.25,
      inPrint: false,
      published: '1999-12-31',
      opens: '07:05',
      addedAt: noon + 7,
      binding: 'Paper' as const,
      cover: { colour: 'red', weight: 3 },
      prizes: [{ name: 'Gold', year: 2000 }],
      tags: ['x', 'x', 'y'],
      publisherId: shelf.write((tx) => tx.insert(publisher, { name: 'P' }).id),
      genres: ['b', 'a'].map((name) => shelf.write((tx) => tx.insert(genre, { name: name + number }).id)),
      note: { deep: [{ er: null }] },
    }
    const row = read(insert(given))
    assert.partialDeepStrictEqual(row, { ...given, title, createdAt: noon, updatedAt: noon, revision: 1 })
    const { attributes } = shown(row.id)
    const { addedAt, publisherId, ...plain } = given
    assert.partialDeepStrictEqual(attributes, { ...plain, publisherId, addedAt: '2026-06-01T16:00:00.007Z' })
  })

  it('shows only whether a sealed field is set', () => {
    const sealedId = shelf.write((tx) => tx.insert(book, { title: `Sealed ${number}`, key: 'v1:secret' }).id)
    assert.deepEqual(shown(sealedId).attributes.key, { set: true })
    assert.equal(shown().attributes.key, null)
    assert.equal(shelf.reader.document(book, sealedId, shapeOf(book)).text.includes('secret'), false)
  })

  it('is recorded in the journal', () => {
    const last = events().at(-1)
    assert.deepEqual(last, { type: 'book.created', subject: `books/${id}`, data: '{"revision":1}' })
  })
})

describe('a patch', () => {
  it('sets the given fields, bumps the revision, and records only the field names', () => {
    const row = shelf.write((tx) => tx.patch(book, id, { pages: 9, tags: ['a'] }), noon + 5)
    assert.partialDeepStrictEqual(row, { pages: 9, tags: ['a'], title, revision: 2, updatedAt: noon + 5 })
    assert.deepEqual(events().at(-1), {
      type: 'book.changed',
      subject: `books/${id}`,
      data: '{"revision":2,"changed":["pages","tags"]}',
    })
  })

  it('without a difference gives no new revision and no event', () => {
    const full = insert({ published: '2001-01-01', tags: ['a'], cover: { weight: 1 }, price: 1.5 })
    const count = events().length
    const same = { tags: ['a'], cover: { weight: 1 }, price: 1.5, genres: [], prizes: [], title }
    const row = shelf.write((tx) => tx.patch(book, full, same), noon + 5)
    assert.partialDeepStrictEqual(row, { revision: 1, updatedAt: noon })
    assert.equal(events().length, count)
  })

  it('finds its row by a lookup too', () => {
    const isbn = `lookup ${number}`
    insert({ published: '2002-01-01', isbn })
    assert.equal(shelf.write((tx) => tx.patch(book, isbn, { pages: 3 })).pages, 3)
    refused('not-found', undefined, () => shelf.write((tx) => tx.find(book, 'no such isbn')))
  })

  it('sets an immutable field once, and refuses to change it', () => {
    shelf.write((tx) => tx.patch(book, id, { shelfMark: 'A 1' }))
    shelf.write((tx) => tx.patch(book, id, { shelfMark: 'A 1', pages: 1 }))
    refused('validation-failed', '/shelfMark', () =>
      shelf.write((tx) => tx.patch(book, id, { shelfMark: 'B 2' })),
    )
    assert.equal(read().shelfMark, 'A 1')
  })
})

describe('a command that writes a row more than once', () => {
  const lines = (since: number) =>
    events()
      .slice(since)
      .map(({ type, data }) => [type, JSON.parse(data)])

  it('gives it one new revision, and reads what it has written last', () => {
    const since = events().length
    shelf.write((tx) => {
      const lent = tx.insert(loan, { bookId: id })
      assert.equal(tx.find(book, id).revision, 2)
      tx.patch(book, id, { pages: 1 })
      assert.deepEqual([tx.find(book, id).pages, tx.find(book, id).lent], [1, 1])
      assert.equal(tx.patch(book, id, { pages: 2, tags: ['a'] }).revision, 2)
      tx.touch(book, id)
      assert.partialDeepStrictEqual(tx.find(book, id), { pages: 2, tags: ['a'], revision: 2 })
      assert.equal(tx.document(book, id).revision, 2)
      tx.remove(loan, lent.id)
      assert.equal(tx.find(book, id).lent, 0)
    })
    assert.partialDeepStrictEqual(read(), { pages: 2, tags: ['a'], revision: 2 })
    assert.deepEqual(lines(since), [
      ['loan.created', { revision: 1 }],
      ['book.changed', { revision: 2, changed: ['pages'] }],
      ['book.changed', { revision: 2, changed: ['pages', 'tags'] }],
      ['loan.deleted', { revision: 1, bookId: id }],
    ])
    assert.equal(shelf.write((tx) => tx.patch(book, id, { pages: 3 })).revision, 3)
  })

  it('gives it a revision although a write between them was refused', () => {
    const other = insert({ isbn: `taken ${number}`, published: '2003-01-01' })
    shelf.write((tx) => {
      refused('validation-failed', '/isbn', () => tx.patch(book, id, { isbn: `taken ${number}` }))
      tx.patch(book, id, { pages: 4 })
    })
    assert.partialDeepStrictEqual(read(), { pages: 4, revision: 2 })
    assert.equal(read(other).revision, 1)
  })

  it('and has created it, leaves it at revision 1 with one line, and shows the document complete', () => {
    const since = events().length
    const made = shelf.write((tx) => {
      const row = tx.insert(book, { title: `Complete ${number}`, published: '2004-01-01' })
      tx.insert(loan, { bookId: row.id })
      assert.equal(tx.patch(book, row.id, { pages: 5 }).revision, 1)
      return tx.document(book, row.id)
    })
    assert.equal(made.revision, 1)
    assert.partialDeepStrictEqual(JSON.parse(made.text).attributes, { pages: 5, lent: 1, revision: 1 })
    assert.deepEqual(
      lines(since).map(([type]) => type),
      ['book.created', 'loan.created'],
    )
  })

  it('writes every line of the audit of the configuration', () => {
    const since = events().length
    shelf.write((tx) => {
      const { id: made } = tx.insert(publisher, { name: 'Audited' })
      tx.patch(publisher, made, { city: 'Bern' })
    })
    const [, changed] = lines(since)
    assert.partialDeepStrictEqual(changed, [
      'publisher.changed',
      { revision: 1, changed: ['city'], after: { city: 'Bern' } },
    ])
  })
})

describe('a reference', () => {
  it('is checked before anything is written, so a caller that catches the Problem keeps the old row', () => {
    const before = read()
    const authors = [{ name: 'B', publisherId: '0197c0de-0000-7000-8000-000000000001' }]
    const inserts = shelf.write((tx) => {
      refused('reference-unknown', '/authors/0/publisherId', () => tx.patch(book, id, { pages: 5, authors }))
      const title = `Nowhere ${number}`
      refused('reference-unknown', '/authors/0/publisherId', () => tx.insert(book, { title, authors }))
      return tx.select(book, [{ path: 'title', operator: 'eq', value: title }])
    })
    assert.deepEqual([read(), inserts], [before, []])
  })

  it('must refer to an existing row', () => {
    const nowhere = '0197c0de-0000-7000-8000-000000000001'
    const name = `Nowhere ${number}`
    const bad: [Partial<Attributes<typeof book.fields>>, string][] = [
      [{ publisherId: nowhere }, '/publisherId'],
      [{ genres: [nowhere] }, '/genres/0'],
      [{ authors: [{ name: 'A' }, { name: 'B', publisherId: nowhere }] }, '/authors/1/publisherId'],
    ]
    for (const [attributes, pointer] of bad) {
      refused('reference-unknown', pointer, () =>
        shelf.write((tx) => tx.insert(book, { title: name, ...attributes })),
      )
    }
    assert.equal(
      shelf.reader.rows(book, {
        filters: [{ path: 'title', operator: 'eq', value: name }],
        sort: [],
        page: { size: 5 },
      }).length,
      0,
    )
  })

  it('protects its target from deletion', () => {
    const [held, kept] = shelf.write((tx) => [
      tx.insert(publisher, { name: 'Held' }).id,
      tx.insert(genre, { name: title }).id,
    ])
    shelf.write((tx) => tx.patch(book, id, { publisherId: held, genres: [kept] }))
    refused('resource-referenced', undefined, () => shelf.write((tx) => tx.remove(publisher, held)))
    refused('resource-referenced', undefined, () => shelf.write((tx) => tx.remove(genre, kept)))
    shelf.write((tx) => tx.insert(loan, { bookId: id }))
    refused('resource-referenced', undefined, () => shelf.write((tx) => tx.remove(book, id)))
    shelf.write((tx) => tx.patch(book, id, { publisherId: null, genres: [] }))
    shelf.write((tx) => {
      tx.remove(publisher, held)
      tx.remove(genre, kept)
    })
    assert.equal(shelf.reader.idOf(publisher, held), null)
  })

  it('bumps the revision of the documents that show it, on insert, change, move and delete', () => {
    const other = insert({ published: '2003-01-01' })
    const revisions = () => [read().revision, read(other).revision]
    const lent = shelf.write((tx) => tx.insert(loan, { bookId: id, reader: 'Ann' }).id)
    assert.deepEqual(revisions(), [2, 1])
    assert.partialDeepStrictEqual(shown().attributes, { lent: 1, loans: [{ id: lent, reader: 'Ann' }] })
    shelf.write((tx) => tx.patch(loan, lent, { reader: 'Bob' }))
    assert.deepEqual(revisions(), [3, 1])
    assert.partialDeepStrictEqual(shown().attributes, { loans: [{ reader: 'Bob' }] })
    shelf.write((tx) => tx.patch(loan, lent, { bookId: other }))
    assert.deepEqual([shown().attributes.lent, shown(other).attributes.lent], [0, 1])
    shelf.write((tx) => tx.remove(loan, lent))
    assert.equal(shown(other).attributes.lent, 0)
    assert.deepEqual(shown(other).relationships.loans, { data: [] })
  })
})

describe('uniqueness', () => {
  it('of a field is a problem of that field', () => {
    const isbn = `unique ${number}`
    insert({ published: '2004-01-01', isbn })
    refused('validation-failed', '/isbn', () => insert({ published: '2004-01-02', isbn }))
    refused('validation-failed', '/isbn', () => shelf.write((tx) => tx.patch(book, id, { isbn })))
  })

  it('of several fields together is the problem that the index declares', () => {
    refused('external-id-conflict', '/published', () => insert({}))
  })
})

describe('a delete', () => {
  it('is recorded in the journal, and leaves nothing behind', () => {
    shelf.write((tx) => tx.patch(book, id, { authors: [{ name: 'A' }] }))
    shelf.write((tx) => tx.remove(book, id))
    assert.equal(shelf.reader.row(book, id), null)
    assert.equal(events().at(-1)?.type, 'book.deleted')
    const orphans = shelf.db.prepare(
      'SELECT count(*) FROM book_author WHERE owner NOT IN (SELECT rid FROM book)',
    )
    assert.equal(orphans.pluck().get(), 0)
    refused('not-found', undefined, () => shelf.write((tx) => tx.remove(book, id)))
  })
})

describe('the tombstone of a deleted row', () => {
  it('contains its sort key values, and no sealed field', () => {
    shelf.write((tx) => tx.patch(book, id, { key: 'v1:secret', note: 'a long note', cover: { weight: 3 } }))
    shelf.write((tx) => tx.remove(book, id))
    const kept = shelf.db.prepare('SELECT cursor FROM tombstone ORDER BY rid DESC').pluck().get() as string
    assert.partialDeepStrictEqual(JSON.parse(kept), { title, 'cover.weight': 3, lent: 0 })
    assert.ok(!/secret|long note/.test(kept), kept)
  })
})

describe('a command', () => {
  it('is committed whole or not at all', () => {
    const count = events().length
    assert.throws(
      () =>
        shelf.write((tx) => {
          tx.patch(book, id, { pages: 5 })
          tx.insert(loan, { bookId: id })
          throw new Error('in the middle')
        }),
      /in the middle/,
    )
    assert.partialDeepStrictEqual(read(), { pages: null, revision: 1, lent: 0 })
    assert.equal(events().length, count)
  })

  it('reads what it has written, in its documents too', () => {
    const text = shelf.write((tx) => {
      tx.patch(book, id, { pages: 5 })
      tx.insert(loan, { bookId: id })
      assert.equal(tx.select(loan, [{ path: 'bookId', operator: 'eq', value: id }]).length, 1)
      return tx.document(book, id).text
    })
    assert.deepEqual(JSON.parse(text), shown())
    assert.equal(shown().attributes.lent, 1)
  })

  it('gets counter numbers that no other command gets', () => {
    assert.deepEqual(
      [1, 2].map(() => shelf.write((tx) => tx.next(title))),
      [1, 2],
    )
    assert.equal(
      shelf.write((tx) => tx.next('another')),
      1,
    )
  })

  it('counts from above a floor', () => {
    const next = () => shelf.write((tx) => tx.next('floored', 'floor'))
    assert.deepEqual([next(), next()], [1, 2])
    shelf.write((tx) => tx.add('floor', 40))
    assert.deepEqual([next(), next()], [41, 42])
    assert.equal(
      shelf.write((tx) => tx.next('new', 'floor')),
      41,
    )
  })

  it('adds to counters, and deletes those between two names', () => {
    const between = () => shelf.reader.counters('day/2', 'day/3')
    shelf.write((tx) => {
      tx.add('day/1', 1)
      tx.add('day/2', 5)
      assert.equal(tx.add('day/2', -7), -2)
      tx.add('day/3', 0)
      tx.add('day/31', 1)
      assert.deepEqual(
        tx.counters('day/2', 'day/3'),
        new Map([
          ['day/2', -2],
          ['day/3', 0],
        ]),
      )
    })
    assert.equal(between().size, 2)
    shelf.write((tx) => tx.forget('day/2', 'day/2'))
    assert.deepEqual(between(), new Map([['day/3', 0]]))
    assert.equal(shelf.reader.counter('day/1'), 1)
    assert.equal(shelf.reader.count('SELECT count(*) FROM counter WHERE name = ?', 'day/2'), 0)
  })
})

describe('an attempt', () => {
  const noMore = () => new Problem('validation-failed', 'No.', { pointer: '/title' })

  it('that is refused leaves nothing of what it wrote, and the command goes on', () => {
    const lines = events().length
    const other = insert({ title: 'Unchanged' })
    const before = [read().revision, read(other).revision]
    shelf.write((tx) => {
      tx.patch(book, id, { pages: 1 })
      const { problem } = tx.attempt((part) => {
        part.patch(book, id, { pages: 2, tags: ['half'] })
        part.patch(book, other, { title: 'Halved' })
        part.insert(genre, { name: `Half ${number}` })
        part.journal('book.halved', `books/${id}`)
        throw noMore()
      })
      assert.equal(problem?.code, 'validation-failed')
      assert.deepEqual([tx.find(book, id).pages, tx.find(book, other).title], [1, 'Unchanged'])
      tx.patch(book, id, { price: null, pages: 3 })
    })
    assert.deepEqual([read().pages, read().tags, read(other).title], [3, null, 'Unchanged'])
    assert.deepEqual([read().revision, read(other).revision], [before[0]! + 1, before[1]])
    assert.equal(shelf.reader.count('SELECT count(*) FROM genre WHERE name = ?', `Half ${number}`), 0)
    assert.deepEqual(
      events()
        .slice(lines)
        .filter(({ type }) => type === 'book.halved'),
      [],
    )
  })

  it('that succeeds gives a row no second revision in the command', () => {
    const { revision } = read()
    const seen = shelf.write((tx) => {
      tx.patch(book, id, { pages: 1 })
      assert.equal(tx.find(book, id).pages, 1)
      const { result } = tx.attempt((part) => {
        assert.equal(part.find(book, id).pages, 1)
        return part.patch(book, id, { pages: 2 }).pages
      })
      const after = tx.find(book, id).pages
      tx.patch(book, id, { price: null, inPrint: true })
      return [result, after]
    })
    assert.deepEqual(seen, [2, 2])
    assert.deepEqual([read().pages, read().inPrint, read().revision], [2, true, revision + 1])
  })

  it('passes on what is no refusal', () => {
    for (const error of [new RangeError('no'), new Problem('busy', 'Later.')])
      assert.throws(
        () =>
          shelf.write((tx) =>
            tx.attempt(() => {
              throw error
            }),
          ),
        error,
      )
  })
})
