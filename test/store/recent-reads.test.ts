import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { literal, type Projection } from '../../src/resource/projection.ts'
import { openReader } from '../../src/store/connection.ts'
import { reader as openReading } from '../../src/store/reader.ts'
import { recentReads } from '../../src/store/rows/recent-reads.ts'
import { testClock } from '../test-clock.ts'
import { library, publisher, resources, shapeOf } from './library.ts'

const documentOf = (id: string) => ({ id, revision: 1, text: `{"id":"${id}"}` })

function readTwice<Entry>(
  recent: ReturnType<typeof recentReads<Entry>>,
  shape: Projection,
  key: string,
  entry: Entry,
): void {
  recent.set(shape, key, entry)
  recent.set(shape, key, entry)
}

describe('what was read twice since the last write', () => {
  it('is kept from its second read on, and forgotten after a write', () => {
    let version = 0
    const recent = recentReads<ReturnType<typeof documentOf>>(
      () => version,
      () => 1,
    )
    const shape = literal('whole')
    const document = documentOf('a')
    recent.set(shape, 'a', document)
    assert.equal(recent.get(shape, 'a'), null)
    recent.set(shape, 'a', document)
    assert.equal(recent.get(shape, 'a'), document)
    assert.equal(recent.get(literal('another'), 'a'), undefined)
    version++
    recent.set(shape, 'a', document)
    assert.equal(recent.get(shape, 'a'), null)
  })

  it('has 2,000 documents at most, of all projections together', () => {
    const recent = recentReads<ReturnType<typeof documentOf>>(
      () => 0,
      () => 1,
    )
    const shapes: Projection[] = Array.from({ length: 50 }, (_, index) => literal(String(index)))
    for (let id = 0; id < 100; id++)
      for (const shape of shapes) readTwice(recent, shape, String(id), documentOf(String(id)))
    let kept = 0
    for (let id = 0; id < 100; id++) for (const shape of shapes) if (recent.get(shape, String(id))) kept++
    assert.ok(kept > 0 && kept <= 2_000, String(kept))
  })

  it('has 2,000 documents at most on all pages, and an empty page counts as well', () => {
    const shape = literal('whole')
    for (const [size, most] of [
      [100, 20],
      [0, 2_000],
    ] as const) {
      const recent = recentReads<number>(
        () => 0,
        (page) => page,
      )
      for (let page = 0; page < most; page++) readTwice(recent, shape, String(page), size)
      assert.equal(recent.get(shape, '0'), size)
      recent.set(shape, 'one more', size)
      assert.equal(recent.get(shape, '0'), undefined)
    }
  })
})

describe('a document or a page that is read after a line of the journal', () => {
  it('is at least as new as the line, also before the writer has answered', async () => {
    const shelf = library()
    const connection = openReader(shelf.path)
    const scans = { take: () => assert.fail('nothing is scanned') }
    const reader = openReading(connection, resources, { version: () => 0, clock: testClock(), scans })
    const { id } = shelf.write((tx) => tx.insert(publisher, { name: 'North' }))
    const revision = async () => {
      const query = { filters: [], sort: [], page: { size: 1 } }
      const { documents } = await reader.page(publisher, query, shapeOf(publisher))
      const { revision } = reader.document(publisher, id, shapeOf(publisher))
      assert.equal(documents[0]?.revision, revision)
      return revision
    }
    assert.equal(reader.journal(0, 10).length, 1)
    assert.equal(await revision(), 1)
    shelf.write((tx) => tx.patch(publisher, id, { name: 'South' }))
    assert.equal(reader.journal(1, 10).at(-1)?.data.revision, 2)
    assert.equal(await revision(), 2)
    shelf.write((tx) => tx.patch(publisher, id, { name: 'West' }))
    assert.equal(reader.journalBefore(Number.MAX_SAFE_INTEGER, 10)[0]?.data.revision, 3)
    assert.equal(await revision(), 3)
    connection.close()
    await shelf.close()
  })
})
