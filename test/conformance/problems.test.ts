import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { problems } from '../../src/resource/problem.ts'
import { accessRows } from './access-rows.ts'
import { problemRows } from './rows-of-problems.ts'
import { tables } from './table.ts'

tables('Every code', problemRows)

describe('The table of codes', () => {
  it('has a row for each, in this interface or in that of keys and cards', () => {
    const shown = [...problemRows, ...accessRows].map(({ code }) => code)
    assert.deepEqual(
      Object.keys(problems).filter((code) => !shown.includes(code)),
      [],
    )
  })

  it('says the status that the catalogue says', () => {
    for (const { code = '', status, cannot } of [...problemRows, ...accessRows]) {
      const [declared] = (problems as Record<string, readonly [number, string]>)[code] ?? []
      if (!cannot && status >= 400 && status !== 502) assert.equal(declared, status, code)
    }
  })
})
