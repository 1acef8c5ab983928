import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { resources } from '../../../src/composition/api.ts'
import { profile } from '../../../src/reservation/resources/profile.ts'
import { sourcesOf } from '../../../src/store/query/sources.ts'

describe('the search of a name in the index', () => {
  /** The number of forms that the index is asked for; null where it is not asked. */
  function formsOf(...names: string[]): number | null {
    const filters = names.map((value) => ({ path: 'normalizedName', operator: 'like' as const, value }))
    const [source] = sourcesOf(resources, profile, { filters, sort: [], page: { size: 10 } }).searched
    return source ? String(source.rows.values[0]).split(/ OR |\)\) AND \(\(/).length : null
  }

  it('asks for each spelling of the words', () => {
    assert.equal(formsOf('Mueller'), 2)
    assert.equal(formsOf('Mueller Jansson Soerensen'), 5)
  })

  it('asks for no more than a few, however many spellings the words have', () => {
    const strange = 'aeoebcaaue aeoefgaaue aeoeklaaue'
    assert.equal(formsOf(strange), null)
    assert.equal(formsOf(`${strange} Jansson Mueller`), 3)
    assert.equal(formsOf(...Array.from('abcdefghij', (letter) => `Mueller${letter}`)), 8)
  })
})
