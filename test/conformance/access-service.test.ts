import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { accessPromised } from './access-document.ts'
import { furnishedForAccess } from './access-house.ts'
import { accessRows } from './access-rows.ts'
import { nameOf } from './row.ts'
import { inRuins, table } from './table.ts'

table(
  'The access interface',
  accessRows.filter((row) => row.in === undefined),
  furnishedForAccess,
)
table(
  'The access interface with its tables gone',
  accessRows.filter((row) => row.in === 'ruins'),
  () => inRuins(furnishedForAccess),
)

describe('The table of the access document', () => {
  it('has a row for each code of each operation', () => {
    const played = new Set(accessRows.map(nameOf))
    assert.deepEqual(
      accessPromised.filter((each) => !played.has(each)),
      [],
    )
  })

  it('has no row that the document does not have', () => {
    const known: readonly string[] = accessPromised
    assert.deepEqual(
      accessRows.map(nameOf).filter((each) => !known.includes(each)),
      [],
    )
  })
})
