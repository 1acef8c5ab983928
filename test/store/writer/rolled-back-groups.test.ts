import assert from 'node:assert/strict'
import { closeSync, openSync, writeSync } from 'node:fs'
import { after, before, beforeEach, describe, it } from 'node:test'
import { command } from '../../../src/resource/command.ts'
import { Problem } from '../../../src/resource/problem.ts'
import { failures } from '../../../src/store/disk/failures.ts'
import type { WriteRequest, WriteResult } from '../../../src/store/messages.ts'
import { GroupCommit, WriteQueue } from '../../../src/store/writer/group-commit.ts'
import { transactions } from '../../../src/store/writer/transaction.ts'
import { testClock } from '../../test-clock.ts'
import { genre, type Library, library, noon, publisher, resources, shapeOf } from '../library.ts'
import { type Fault, failingConnection } from './failing-statements.ts'

let shelf: Library
before(() => {
  shelf = library()
})
after(() => shelf.close())
const empty = () => shelf.db.exec('DELETE FROM genre; DELETE FROM idempotency; DELETE FROM journal')
beforeEach(empty)

const refused = () => {
  throw new Problem('validation-failed', 'No.')
}

/** Each adds a genre of its name, in its own way. */
const commands = [
  command('add', (tx, name: string) => tx.insert(genre, { name }).name),
  command('add and change', (tx, name: string) => {
    const { id } = tx.insert(genre, { name: `${name} at first` })
    tx.journal('genre.added', `genres/${id}`)
    return tx.patch(genre, id, { name }).name
  }),
  command('refuse', (tx, name: string) => {
    tx.insert(genre, { name })
    return refused()
  }),
  command('lose a part', (tx, name: string) => {
    // As a start after a restore does: it goes on, whatever has failed in the part.
    try {
      tx.part((part) => {
        part.insert(genre, { name: `${name} in vain` })
        refused()
      })
    } catch {
      tx.select(genre, [])
    }
    return tx.insert(genre, { name }).name
  }),
  command('add together', (tx, name: string) => tx.together(() => tx.insert(genre, { name }).name)),
  command('read publishers', (tx) => tx.rows(publisher, 'true').length),
]

let number = 0
const request = (change: string, options: Partial<WriteRequest['options']> = {}): WriteRequest => ({
  number: ++number,
  change,
  input: `${change} ${number}`,
  now: noon,
  options: { actor: { by: 'test', requestId: null }, ...options },
})
const mark = (key: string) => ({ idempotency: { key, fingerprint: key } })

/** The names of stored genres, and the keys of stored answers. */
const stored = () => shelf.db.prepare('SELECT name FROM genre ORDER BY rid').pluck().all() as string[]
const answers = () => shelf.db.prepare('SELECT key FROM idempotency ORDER BY key').pluck().all() as string[]

/** The writer over a connection that fails. `late` arrives while the first commands run. */
function writer(fault: Fault | null, late: WriteRequest[] = []) {
  const { connection, ran } = failingConnection(shelf.db, fault)
  const queue = new WriteQueue()
  const receive = () => queue.push(late.splice(0))
  const writing = new GroupCommit({
    db: connection,
    tools: transactions(connection, resources, shapeOf),
    changes: commands,
    clock: testClock(),
    failure: failures(() => {}),
    queue,
    receive,
  })
  /** Every answer, by the number of its command, after as many groups as it takes. */
  async function answered(...requests: WriteRequest[]): Promise<Map<number, WriteResult>> {
    queue.push(requests)
    const found = new Map<number, WriteResult>()
    for (let groups = 0; !queue.isEmpty(); groups++) {
      assert.ok(groups < 5, 'the commands run for ever')
      for (const each of (await writing.commit()).answers) {
        assert.ok(!found.has(each.number), `${each.number} was answered twice`)
        found.set(each.number, each)
      }
      receive()
    }
    return found
  }
  return { answered, ran }
}

/** A group of every kind of command, of which some arrive while others run. */
function group() {
  const first = [
    request('refuse'),
    request('add', mark('a')),
    request('add and change', mark('b')),
    request('add', { dryRun: true }),
    request('lose a part'),
  ]
  const late = [
    request('refuse'),
    request('add together', mark('c')),
    request('add', { lowPriority: true, ...mark('d') }),
    request('add'),
  ]
  return { first, late, all: [...first, ...late] }
}

const isDone = ({ output }: WriteResult) => output !== undefined
const isDryRun = ({ options }: WriteRequest) => options.dryRun === true

/** What must hold whatever has failed: every command has one answer, and the store has exactly what was answered. */
function expectKept(all: WriteRequest[], found: Map<number, WriteResult>): void {
  const numbers = (requests: WriteRequest[]) => requests.map((each) => each.number)
  assert.deepEqual([...found.keys()].sort(), numbers(all).sort())
  const done = all.filter((each) => isDone(found.get(each.number)!) && !isDryRun(each))
  assert.deepEqual(stored().sort(), done.map(({ input }) => String(input)).sort())
  const keys = done.flatMap(({ options }) => options.idempotency?.key ?? [])
  assert.deepEqual(answers(), keys.sort())
}

/** How many statements the group runs when nothing fails. */
async function countOf(): Promise<number> {
  const { first, late, all } = group()
  const { answered, ran } = writer(null, late)
  expectKept(all, await answered(...first))
  return ran()
}

const faults: Pick<Fault, 'code' | 'rollsBack'>[] = [
  { code: 'SQLITE_FULL', rollsBack: true },
  { code: 'SQLITE_IOERR_READ', rollsBack: true },
  { code: 'SQLITE_NOMEM', rollsBack: true },
  { code: 'SQLITE_BUSY', rollsBack: true },
  { code: 'SQLITE_INTERRUPT', rollsBack: true },
  { code: 'SQLITE_FULL', rollsBack: false },
  { code: 'SQLITE_CORRUPT', rollsBack: false },
]

describe('a group', () => {
  for (const fault of faults) {
    const how = fault.rollsBack ? 'with a rollback' : 'without one'

    it(`answers each command once when any one of its statements fails with ${fault.code}, ${how}`, async () => {
      const count = await countOf()
      assert.ok(count > 50, `the group runs ${count} statements`)
      for (let from = 1; from <= count; from++) {
        empty()
        const { first, late, all } = group()
        const { answered } = writer({ from, until: from + 1, ...fault }, late)
        const found = await answered(...first)
        expectKept(all, found)
        // But for a transaction that cannot begin, only the command that met the fault is refused because of it.
        const met = [...found.values()].filter(
          ({ trouble, fault, problems }) => trouble || fault || isBusy(problems),
        )
        assert.ok(
          met.length <= (from === 1 ? all.length : 1),
          `statement ${from}: ${met.length} were refused`,
        )
        const next = request('add')
        assert.ok(isDone((await answered(next)).get(next.number)!), `after statement ${from}`)
      }
    })

    it(`answers each command once when all statements from any one on fail with ${fault.code}, ${how}`, async () => {
      const count = await countOf()
      for (let from = 1; from <= count; from++) {
        empty()
        const { first, late, all } = group()
        const { answered } = writer({ from, until: Number.POSITIVE_INFINITY, ...fault }, late)
        expectKept(all, await answered(...first))
      }
      empty()
      await countOf()
    })
  }
})

it('a disk that is full for one command leaves the others in the store', async () => {
  const { db } = shelf
  const big = 'x'.repeat(500_000)
  db.pragma(`max_page_count = ${db.pragma('page_count', { simple: true })}`)
  db.exec('BEGIN IMMEDIATE')
  assert.throws(() => db.prepare("INSERT INTO counter VALUES ('full/' || ?, 1)").run(big), {
    code: 'SQLITE_FULL',
  })
  assert.equal(db.inTransaction, false, 'SQLite rolls back by itself')
  const { answered } = writer(null)
  const [before, tooMuch, after] = [request('add'), { ...request('add'), input: big }, request('add')]
  const all = [before, tooMuch, after]
  const found = await answered(...all)
  expectKept(all, found)
  const trouble = { is: 'full', code: 'SQLITE_FULL' } as const
  assert.deepEqual(found.get(tooMuch.number), { number: tooMuch.number, trouble })
  assert.deepEqual(
    [before, after].map(({ number }) => isDone(found.get(number)!)),
    [true, true],
  )
  db.pragma('max_page_count = 1000000')
  assert.ok(isDone((await answered(tooMuch)).get(tooMuch.number)!))
})

const isBusy = (problems: WriteResult['problems']) => problems?.some(({ code }) => code === 'busy')

/** Overwrites the first page of a table, which is no longer in the memory of the connection. */
function damage({ db, path }: Library, table: string): void {
  const root = db.prepare('SELECT rootpage FROM sqlite_schema WHERE name = ?').pluck().get(table) as number
  const size = db.pragma('page_size', { simple: true }) as number
  db.pragma('wal_checkpoint(TRUNCATE)')
  db.pragma('shrink_memory')
  const file = openSync(path, 'r+')
  writeSync(file, Buffer.alloc(size, 0xa5), 0, size, (root - 1) * size)
  closeSync(file)
}

it('damage that one command meets leaves the others in the store', async () => {
  damage(shelf, publisher.table)
  const [before, broken, after] = [request('add'), request('read publishers'), request('add')]
  const found = await writer(null).answered(before, broken, after)
  assert.deepEqual(found.get(broken.number), {
    number: broken.number,
    trouble: { is: 'unreadable', code: 'SQLITE_CORRUPT' },
  })
  expectKept([before, broken, after], found)
  assert.equal(stored().length, 2)
})
