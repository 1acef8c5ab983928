import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { problems } from '../../src/resource/problem.ts'
import { problemRows } from './rows-of-problems.ts'
import { tables } from './table.ts'

/** Codes of keys, cards and dispensers, which the other interface answers with. */
const ofAccess = [
  'missing-external-id',
  'external-id-mismatch',
  'unknown-state',
  'unknown-position',
  'key-gone',
  'controller-not-found',
  'dispenser-cache-empty',
  'no-original-key',
  'card-required',
  'no-card-in-path',
  'foreign-card',
  'dispenser-busy-with-guest',
  'dispenser-state',
  'key-not-live',
  'unit-name-required',
  'provider-immutable',
  'key-type-not-supported',
  'too-many-extra-units',
  'position-not-supported',
]

tables('Every code', problemRows)

describe('The table of codes', () => {
  it('has a row for each that is not one of keys and cards', () => {
    const shown = problemRows.map(({ code }) => code)
    assert.deepEqual(
      Object.keys(problems).filter((code) => !ofAccess.includes(code) && !shown.includes(code)),
      [],
    )
  })

  it('says the status that the catalogue says', () => {
    for (const { code = '', status, cannot } of problemRows) {
      const [declared] = (problems as Record<string, readonly [number, string]>)[code] ?? []
      if (!cannot && status !== 502) assert.equal(declared, status, code)
    }
  })
})
