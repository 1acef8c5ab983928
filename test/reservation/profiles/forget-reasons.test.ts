import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, it } from 'node:test'
import Database from 'better-sqlite3'
import { eraseReasons } from '../../../src/reservation/profiles/forget-reasons.ts'
import type { Transaction } from '../../../src/resource/command.ts'

const migration = (name: string) =>
  readFileSync(new URL(`../../../src/store/migrations/${name}.sql`, import.meta.url), 'utf8')

describe('A reason in the journal', () => {
  it('goes with its guest, and with the guest in whose room the key was made', () => {
    const db = new Database(':memory:')
    const [journal = ''] = /CREATE TABLE journal [^;]*;/.exec(migration('0001')) ?? []
    db.exec(journal + migration('0016-reasons'))
    const line = db.prepare(
      "INSERT INTO journal (at, type, subject, data, actor) VALUES (0, ?, ?, ?, 'desk')",
    )
    const write = (type: string, subject: string, more: object = {}) =>
      line.run(type, subject, JSON.stringify({ reason: subject, ...more }))
    write('stay.payment-settled-by-hand', 'stays/mine')
    write('stay.payment-settled-by-hand', 'stays/other')
    write('key.override-used', 'access/keys/made', { otherKeyId: 'mine' })
    write('key.override-used', 'access/keys/other', { otherKeyId: null })
    write('key.write-failed', 'access/keys/mine')
    const run = (sql: string, ...values: unknown[]) => db.prepare(sql).run(...values).changes
    eraseReasons({ run } as unknown as Transaction, ['stays/mine', 'access/keys/mine'])
    const left = db.prepare("SELECT data ->> '$.reason' FROM journal ORDER BY sequence").pluck().all()
    assert.deepEqual(left, [null, 'stays/other', null, 'access/keys/other', 'access/keys/mine'])
    db.close()
  })
})
