import assert from 'node:assert/strict'
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, afterEach, before, beforeEach, describe, it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { Clock } from '../../../src/host/clock.ts'
import { virtualClock } from '../../../src/host/virtual-clock.ts'
import { Problem, type ProblemCode } from '../../../src/resource/problem.ts'
import { openWritingConnection } from '../../../src/store/connection.ts'
import type { Scan } from '../../../src/store/scan/scan.ts'
import { Scans } from '../../../src/store/scan/scans.ts'
import { program as entry } from '../../program.ts'
import { elapse } from '../../test-clock.ts'

const folder = mkdtempSync(join(tmpdir(), 'nightporter-scans-'))
const path = join(folder, 'scans.db')

let clock: ReturnType<typeof virtualClock>
let scanning: Scans
before(() => {
  const db = openWritingConnection(path)
  db.exec(`CREATE TABLE page (rid INTEGER PRIMARY KEY, revision INTEGER);
    INSERT INTO page VALUES (1, 7), (2, 8), (3, 9)`)
  db.close()
})
beforeEach(() => {
  clock = virtualClock(Date.UTC(2026, 5, 1))
  scanning = new Scans({ path, entry, clock: clock as Clock })
})
afterEach(() => scanning.close())
after(() => rmSync(folder, { recursive: true }))

const none = { indexed: [], searched: [] }
const text = `SELECT printf('text %d', ?)`
const page: Scan = {
  sources: none,
  mostNamed: 100,
  greatest: 'SELECT max(rid) FROM page',
  among: { sql: '', values: [] },
  whole: [{ sql: 'SELECT rid, revision FROM page ORDER BY rid LIMIT ?', values: [] }],
  size: 2,
  text,
}
/** A statement without an end, but for the one that its rows call for. */
const endless: Scan = {
  ...page,
  whole: [
    {
      sql: `WITH RECURSIVE n (rid) AS (SELECT 1 UNION ALL SELECT rid + 1 FROM n)
        SELECT rid, 1 FROM n WHERE (n.rid % 1024 <> 0 OR going_on()) AND rid < 0 LIMIT ?`,
      values: [],
    },
  ],
}
const found = {
  documents: [
    [7, 'text 1'],
    [8, 'text 2'],
  ],
  more: true,
  rows: 3,
}
const refusedWith = (code: ProblemCode) => (error: unknown) => error instanceof Problem && error.code === code
/** Who has worked for ten seconds rests before the next; that is a moment of the clock's. */
async function afterRest<T>(work: Promise<T>): Promise<T> {
  while (scanning.isBusy()) await pause(1)
  elapse(clock, 50)
  return work
}
const hangUp = () => {
  const listeners = new Set<() => void>()
  const whenGone = (listener: () => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  }
  return { whenGone, now: () => listeners.forEach((listener) => void listener()), listeners }
}

describe('a scan', () => {
  it('runs in a thread, and says whether more rows follow', async () => {
    assert.deepEqual(await scanning.take(page).found, found)
    assert.deepEqual((await scanning.take({ ...page, size: 3 }).found).more, false)
    assert.ok(!scanning.isBusy())
  })

  it('starts a new thread when the old one has ended after ten idle minutes', async () => {
    await scanning.take(page).found
    elapse(clock, 600_000)
    assert.deepEqual(await scanning.take(page).found, found)
    elapse(clock, 600_000)
    await pause(50)
    assert.deepEqual(await scanning.take(page).found, found)
  })

  it('fails alone, with the code of SQLite', async () => {
    const wrong = scanning.take({ ...page, text: 'SELECT nowhere' })
    const other = scanning.take(page)
    await assert.rejects(wrong.found, { message: /no such column: nowhere/, code: 'SQLITE_ERROR' })
    assert.deepEqual(await other.found, found)
  })

  it('reports a file that cannot be opened, and works when it can', async () => {
    const other = new Scans({ path: join(folder, 'later.db'), entry, clock: clock as Clock })
    await assert.rejects(other.take(page).found, { code: 'SQLITE_CANTOPEN' })
    copyFileSync(path, join(folder, 'later.db'))
    assert.deepEqual(await other.take(page).found, found)
    await other.close()
  })

  it('is refused as busy after ten seconds, and the thread continues with the next', async () => {
    const { found: never } = scanning.take(endless)
    elapse(clock, 9_999)
    const { found: later } = scanning.take(page)
    elapse(clock, 1)
    await assert.rejects(never, refusedWith('busy'))
    assert.deepEqual(await afterRest(later), found)
  })

  it('waits in the queue for no longer than that either', async () => {
    const first = scanning.take(endless)
    const second = scanning.take(page)
    elapse(clock, 10_000)
    await Promise.all([first, second].map((each) => assert.rejects(each.found, refusedWith('busy'))))
    assert.deepEqual(await afterRest(scanning.take(page).found), found)
  })

  it('is refused at once when eight wait, with a time to retry', async () => {
    const gone = hangUp()
    scanning.take(endless).join(gone.whenGone)
    const waiting = Array.from({ length: 8 }, () => scanning.take(page))
    await assert.rejects(scanning.take(page).found, (error) => {
      assert.ok(refusedWith('busy')(error))
      assert.equal((error as Problem).options.meta?.retryAfterSeconds, 5)
      return true
    })
    gone.now()
    for (const each of waiting) assert.deepEqual(await each.found, found)
  })

  it('is given up when all its clients have disconnected, and not before', async () => {
    const [one, other, third] = [hangUp(), hangUp(), hangUp()]
    const atWork = scanning.take(endless)
    atWork.join(one.whenGone)
    atWork.join(other.whenGone)
    const waiting = scanning.take(page)
    waiting.join(third.whenGone)
    third.now()
    await assert.rejects(waiting.found, refusedWith('busy'))
    one.now()
    await new Promise((resolve) => setImmediate(resolve))
    assert.ok(scanning.isBusy())
    other.now()
    await assert.rejects(atWork.found, refusedWith('busy'))
    assert.deepEqual(await scanning.take(page).found, found)
    assert.equal(one.listeners.size + other.listeners.size + third.listeners.size, 0)
  })

  it('is not given up while a client waits that cannot disconnect', async () => {
    const gone = hangUp()
    const { found: sought, join } = scanning.take(page)
    join(undefined)
    join(gone.whenGone)
    gone.now()
    assert.deepEqual(await sought, found)
  })

  it('ends when the store closes, and later ones are not started', async () => {
    const all = [scanning.take(endless), scanning.take(page)]
    const refused = Promise.all(all.map((each) => assert.rejects(each.found, refusedWith('starting-up'))))
    await scanning.close()
    await refused
    assert.ok(!scanning.isBusy())
    await assert.rejects(scanning.take(page).found, refusedWith('starting-up'))
  })
})
