import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { command } from '../../../src/resource/command.ts'
import { failures } from '../../../src/store/disk/failures.ts'
import type { WriteRequest } from '../../../src/store/messages.ts'
import { GroupCommit, WriteQueue } from '../../../src/store/writer/group-commit.ts'
import { transactions } from '../../../src/store/writer/transaction.ts'
import { testClock } from '../../test-clock.ts'
import { genre, type Library, library, resources, shapeOf } from '../library.ts'

let shelf: Library
before(() => {
  shelf = library()
})
after(() => shelf.close())

/** How long a commit takes, by the clock of these tests. */
let commitMs: number
let now = 0
const addGenre = command('add-genre', (tx, name: string) => {
  tx.insert(genre, { name })
  if (name.startsWith('long')) now += 2 * commitMs
  if (name.startsWith('bad')) throw new RangeError(name)
  return name
})

let number = 0
let queue: WriteQueue
/** What arrives each time the writer looks for messages. Nothing arrives when the list is over. */
let arrivals: string[][]
/** What arrives while the writer lingers. */
let lingered: string[][]
let groups: GroupCommit

const request = (input: string): WriteRequest => ({
  number: ++number,
  change: 'add-genre',
  input,
  now: 0,
  options: { actor: { by: 'test', requestId: null }, dryRun: input.startsWith('try') },
})
const names = () => shelf.db.prepare('SELECT name FROM genre ORDER BY rid').pluck().all()

beforeEach(() => {
  shelf.db.exec('DELETE FROM genre')
  queue = new WriteQueue()
  arrivals = []
  lingered = []
  const clock = {
    ...testClock(),
    monotonic: () => now,
    async sleep() {
      arrivals.unshift(lingered.shift() ?? [])
    },
  }
  const tools = transactions(shelf.db, resources, shapeOf)
  commitMs = 12
  const prepare = (sql: string) => {
    if (sql === 'COMMIT') now += commitMs
    return tools.prepare(sql)
  }
  groups = new GroupCommit({
    db: shelf.db,
    tools: { ...tools, prepare },
    changes: [addGenre],
    clock,
    failure: failures(() => {}),
    queue,
    receive: () => queue.push((arrivals.shift() ?? []).map(request)),
  })
})

/** Commits one group of commands that wait, and returns how many answers it has. */
async function committed(...waiting: string[]): Promise<number> {
  queue.push(waiting.map(request))
  return (await groups.commit()).answers.length
}

describe('a group', () => {
  it('waits for those who were answered a moment ago, and for those who came during that commit', async () => {
    arrivals = [[], ['during the commit']]
    assert.equal(await committed('first', 'second'), 2)
    arrivals = []
    lingered = [['first again'], ['second again']]
    assert.equal(await committed(), 3)
    assert.deepEqual(names(), ['first', 'second', 'during the commit', 'first again', 'second again'])
  })

  it('waits for them although a command that wrote nothing was committed between', async () => {
    await committed('first', 'second', 'third')
    commitMs = 0
    assert.equal(await committed('try'), 1)
    lingered = [['second again'], ['third again']]
    assert.equal(await committed('first again'), 3)
  })

  it('does not wait on a fast disk, also after a commit that took long', async () => {
    await committed('first', 'second', 'third')
    commitMs = 0.1
    for (const name of ['a', 'b', 'c', 'd']) await committed(name)
    lingered = [['too late']]
    assert.equal(await committed('alone'), 1)
    assert.deepEqual(lingered, [['too late']])
  })

  it('does not wait where commands take longer than their commit', async () => {
    await committed('long 1', 'long 2')
    lingered = [['too late']]
    assert.equal(await committed('long 3'), 1)
    assert.deepEqual(lingered, [['too late']])
  })

  it('does not wait when the only one it answered is back', async () => {
    assert.equal(await committed('alone'), 1)
    lingered = [['too late']]
    assert.equal(await committed('alone again'), 1)
    assert.deepEqual(lingered, [['too late']])
  })

  it('keeps every command but those that fail or are tried, wherever they stand in it', async () => {
    await committed('bad 1', 'try 1', 'good 1', 'bad 2', 'try 2', 'good 2')
    await committed('bad 3')
    await committed('try 3')
    assert.deepEqual(names(), ['good 1', 'good 2'])
  })
})
