import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { systemClock } from '../../src/host/clock.ts'
import { literal, type Projection } from '../../src/resource/projection.ts'
import { openReader } from '../../src/store/connection.ts'
import { reader as openReading } from '../../src/store/reader.ts'
import { recentDocuments } from '../../src/store/recent-documents.ts'
import { library, publisher, resources, shapeOf } from './library.ts'

const documentOf = (id: string) => ({ id, revision: 1, text: `{"id":"${id}"}` })

describe('the documents that were read since the last write', () => {
  it('are forgotten after a write', () => {
    let version = 0
    const recent = recentDocuments(() => version)
    const shape = literal('whole')
    const document = documentOf('a')
    recent.set(shape, 'a', document)
    assert.equal(recent.get(shape, 'a'), document)
    assert.equal(recent.get(literal('another'), 'a'), undefined)
    version++
    assert.equal(recent.get(shape, 'a'), undefined)
  })

  it('are 2,000 at most, of all projections together', () => {
    const recent = recentDocuments(() => 0)
    const shapes: Projection[] = Array.from({ length: 50 }, (_, index) => literal(String(index)))
    for (let id = 0; id < 100; id++)
      for (const shape of shapes) recent.set(shape, String(id), documentOf(String(id)))
    let kept = 0
    for (let id = 0; id < 100; id++) for (const shape of shapes) if (recent.get(shape, String(id))) kept++
    assert.ok(kept > 0 && kept <= 2_000, String(kept))
  })
})

describe('a document that is read after a line of the journal', () => {
  it('is at least as new as the line, also before the writer has answered', async () => {
    const shelf = library()
    const connection = openReader(shelf.path)
    const scans = { take: () => assert.fail('nothing is scanned') }
    const reader = openReading(connection, resources, { version: () => 0, clock: systemClock, scans })
    const { id } = shelf.write((tx) => tx.insert(publisher, { name: 'North' }))
    const revision = () => reader.document(publisher, id, shapeOf(publisher)).revision
    assert.equal(reader.journal(0, 10).length, 1)
    assert.equal(revision(), 1)
    shelf.write((tx) => tx.patch(publisher, id, { name: 'South' }))
    assert.equal(reader.journal(1, 10).at(-1)?.data.revision, 2)
    assert.equal(revision(), 2)
    shelf.write((tx) => tx.patch(publisher, id, { name: 'West' }))
    assert.equal(reader.journalBefore(Number.MAX_SAFE_INTEGER, 10)[0]?.data.revision, 3)
    assert.equal(revision(), 3)
    connection.close()
    await shelf.close()
  })
})
