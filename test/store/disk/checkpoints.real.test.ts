import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pause, setImmediate as turn } from 'node:timers/promises'
import { plain } from '../../../src/composition/api.ts'
import { systemClock } from '../../../src/host/clock.ts'
import { openReader } from '../../../src/store/connection.ts'
import { checkpoints } from '../../../src/store/disk/checkpoints.ts'
import { OpenWriter } from '../../../src/store/writer/writer.ts'
import { program as entry } from '../../program.ts'

const folder = mkdtempSync(join(tmpdir(), 'nightporter-log-'))
const path = join(folder, 'log.db')
const actor = { by: 'test', requestId: null }
const mebibyte = 1_048_576

let writer: OpenWriter
before(async () => {
  writer = new OpenWriter({ path, entry, clock: systemClock, lost: assert.fail })
  await writer.ready
})
after(() => rmSync(folder, { recursive: true }))

let made = 0
/** Writes about so many MiB, a hundred rows at a time. */
async function write(mebibytes: number): Promise<void> {
  const until = made + (mebibytes * mebibyte) / 8_000
  while (made < until) {
    const items = Array.from({ length: 100 }, () => {
      const code = `T${made++}`
      return { code, name: code.padEnd(6_000, '.') }
    })
    await writer.execute(plain.createMany, { type: 'unit-type', items }, { actor })
  }
}

describe('the write-ahead log', () => {
  it('is copied into the database while commands run, and restarts', async () => {
    await write(160)
    // Copied by the writer alone it would have grown to four times as much first.
    const { size } = statSync(`${path}-wal`)
    assert.ok(size < 110 * mebibyte, `the log has ${size} bytes`)
    const inDatabase = statSync(path).size
    assert.ok(inDatabase > 20 * mebibyte, `the database has ${inDatabase} bytes`)
  })

  it('is intact after a checkpoint, and so is the database', async () => {
    await pause(10)
    await writer.close()
    const db = openReader(path)
    assert.deepEqual(db.pragma('integrity_check', { simple: true }), 'ok')
    assert.equal(db.prepare('SELECT count(*) FROM unit_type').pluck().get(), made)
    db.close()
  })

  it('is not copied any more once the store is closed', async () => {
    let threads = 0
    const count = () => threads++
    process.on('worker', count)
    const copied = Promise.withResolvers<void>()
    const log = checkpoints({ path, entry, done: () => copied.resolve() })
    log.copy()
    await copied.promise
    assert.equal(threads, 1)
    await log.close()
    log.copy()
    await turn()
    process.off('worker', count)
    assert.equal(threads, 1)
  })
})
