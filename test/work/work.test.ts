import assert from 'node:assert/strict'
import { before, describe, it } from 'node:test'
import { type Counted, names, overLimit } from './ceilings.ts'
import { workCounted } from './counted.ts'

describe('the statements and rows of', () => {
  let counted: Record<string, Counted> = {}
  before(async () => {
    counted = await workCounted()
  })

  for (const name of names)
    it(name, () => {
      const counts = counted[name]
      assert.ok(counts, `The house was not asked for it: ${Object.keys(counted).join(', ')}`)
      assert.deepEqual(overLimit(name, counts, ['statements', 'rows']), [])
      const isRead = /^GET|nothing new$/.test(name)
      assert.equal(counts.rows > 0, !isRead, 'what is written, and nothing else, changes rows')
      if (name.endsWith(', again')) assert.equal(counts.statements, 0, 'what is asked for again is kept')
      else assert.ok(counts.statements > 0)
    })

  it('nothing without a figure', () => {
    assert.deepEqual(Object.keys(counted).toSorted(), names.toSorted())
  })
})
