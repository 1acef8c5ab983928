import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { literal, type Projection } from '../../src/resource/projection.ts'
import { recentDocuments } from '../../src/store/recent-documents.ts'

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
