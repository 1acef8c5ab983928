import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import type { BackupTask, FromBackupThread } from '../../../src/backup/backup-thread.ts'
import { monday, startAppliance } from '../../appliance.ts'
import { folderFor, withKey } from '../../backup/recovery.ts'
import { program } from '../../program.ts'

const low = constants.priority.PRIORITY_BELOW_NORMAL

/** How many threads of this process give way; the priority is the 17th value behind the name. */
function givingWay(): number {
  const threads = '/proc/self/task'
  const priorities = readdirSync(threads).map((thread) => {
    const text = readFileSync(join(threads, thread, 'stat'), 'utf8')
    return Number(text.slice(text.lastIndexOf(')') + 2).split(' ')[16])
  })
  return priorities.filter((priority) => priority === low).length
}

/** What a thread says in the end; before, it tells how far it is. */
function lastOf(thread: Worker): Promise<FromBackupThread> {
  const { promise, resolve, reject } = Promise.withResolvers<FromBackupThread>()
  // Two messages may come at once, so the listener stays.
  thread.on('message', (message: FromBackupThread) => 'phase' in message || resolve(message))
  thread.once('error', reject)
  return promise
}

it('a backup is made by a thread with lower priority than those that answer and write', {
  skip: process.platform !== 'linux',
}, async (t) => {
  const data = folderFor(t)
  await (await startAppliance({ data })).stop()
  withKey(data)
  const before = givingWay()
  const task: BackupTask = {
    order: { data, folder: folderFor(t), reason: 'asked', now: monday, version: '0.0.0' },
    copyTo: null,
    rules: null,
    zone: 'UTC',
  }
  const thread = new Worker(program, { workerData: { runs: 'backup', task } })
  const answer = lastOf(thread)
  let isDone = false
  let gaveWay = false
  void answer.then(() => (isDone = true))
  while (!isDone && !gaveWay) {
    gaveWay = givingWay() > before
    await pause(5)
  }
  const done = await answer
  assert.ok('made' in done, JSON.stringify(done))
  assert.ok(gaveWay)
})
