import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { Problem } from '../../../src/resource/problem.ts'
import { failures } from '../../../src/store/disk/failures.ts'
import type { FromWriter } from '../../../src/store/messages.ts'

const failed = (code: string) => new Database.SqliteError('it failed', code)

function writer() {
  const said: FromWriter[] = []
  return { said, ...failures((message) => said.push(message)) }
}

describe('a failure of background work', () => {
  it('is reported as trouble of the disk when it is one', () => {
    const { said, notice } = writer()
    notice(failed('SQLITE_IOERR_WRITE'))
    assert.deepEqual(said, [{ is: 'trouble', trouble: { is: 'failing', code: 'SQLITE_IOERR_WRITE' } }])
  })

  it('is not reported when another program holds the database for a moment', () => {
    const { said, notice } = writer()
    notice(failed('SQLITE_BUSY'))
    assert.deepEqual(said, [])
  })

  it('is reported once as a fault, however often it is retried', () => {
    const { said, notice } = writer()
    const fault = failed('SQLITE_ERROR')
    for (let time = 0; time < 3; time++) notice(fault)
    assert.deepEqual(
      said.map(({ is }) => is),
      ['failed'],
    )
  })

  it('ends the writer when it is not from SQLite', () => {
    assert.throws(() => writer().notice(new TypeError('no such thing')), TypeError)
  })
})

describe('the answer for a failed command', () => {
  const codeOf = (error: unknown) =>
    writer()
      .answer(1, error)
      .problems?.map(({ code }) => code)

  it('is a problem of the caller, trouble of the disk, or a busy database; otherwise a fault', () => {
    assert.deepEqual(codeOf(new Problem('unit-occupied', 'It is.')), ['unit-occupied'])
    const trouble = { is: 'full', code: 'SQLITE_FULL' } as const
    assert.deepEqual(writer().answer(1, failed('SQLITE_FULL')), { number: 1, trouble })
    assert.deepEqual(codeOf(failed('SQLITE_BUSY_SNAPSHOT')), ['busy'])
    assert.match(writer().answer(1, new TypeError('no such thing')).fault ?? '', /no such thing/)
  })
})
