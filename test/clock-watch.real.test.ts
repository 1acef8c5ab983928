import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { keepSynchronised, noteJudged } from '../src/clock/clock-commands.ts'
import { clockWatch } from '../src/clock/clock-watch.ts'
import { backgroundWork } from '../src/host/background-work.ts'
import { judgedClock } from '../src/host/judged-clock.ts'
import { createLog } from '../src/host/log.ts'
import { nothingKnown, type TimeSync } from '../src/host/time-sync.ts'
import type { Writer } from '../src/resource/command.ts'
import { monday, noTimeServer, startAppliance } from './appliance.ts'
import { ownPort } from './own-port.ts'
import { elapse, testClock } from './test-clock.ts'

const day = 86_400_000

const heard = async (syncedAt = monday): Promise<TimeSync> => ({
  ...nothingKnown,
  source: 'systemd-timesyncd',
  skewMs: null,
  synced: true,
  syncedAt,
})

/** Keeps the writer of a database from its work, until the returned function is called. */
function hold(data: string): () => void {
  const other = new Database(join(data, 'nightporter.db'))
  other.exec('BEGIN IMMEDIATE')
  return () => other.close()
}

/** Less than the writer waits for a database that another program holds. */
async function answers(url: string): Promise<boolean> {
  for (let look = 0; look < 60; look++) {
    const reply = await fetch(url).catch(() => null)
    if (reply?.ok) return true
    await pause(50)
  }
  return false
}

async function folder(t: TestContext): Promise<string> {
  const data = mkdtempSync(join(tmpdir(), 'nightporter-clock-watch-'))
  t.after(() => rmSync(data, { recursive: true, force: true }))
  const founded = await startAppliance({ data })
  await founded.stop()
  return data
}

function counted(data: string, sql: string): unknown {
  const db = new Database(join(data, 'nightporter.db'), { readonly: true })
  try {
    return db.prepare(sql).pluck().get()
  } finally {
    db.close()
  }
}

const starts: [name: string, timeSync: () => Promise<TimeSync>, builtAt: number, written: string][] = [
  ['hears a time server', heard, monday - day, `SELECT value FROM counter WHERE name = 'clock/synchronised'`],
  [
    'doubts its clock',
    noTimeServer,
    monday + day,
    `SELECT count(*) FROM journal WHERE type = 'system.clock-implausible'`,
  ],
]

describe('a start with a busy writer', () => {
  for (const [name, timeSync, builtAt, written] of starts)
    it(`serves requests, and records later that it ${name}`, async (t) => {
      const data = await folder(t)
      const port = await ownPort()
      const release = hold(data)
      const judge = (machine: Parameters<typeof judgedClock>[0]) => judgedClock(machine, builtAt)
      const starting = startAppliance({ data, port, timeSync, judge })
      try {
        assert.ok(await answers(`http://127.0.0.1:${port}/healthz`))
      } finally {
        release()
        await (await starting).stop()
      }
      assert.ok(Number(counted(data, written)) > 0)
    })
})

describe('the watch over the clock', () => {
  /** A door that answers when the test says so. */
  function watched(timeSync: () => Promise<TimeSync>, builtAt: number) {
    const machine = testClock({ wallMs: monday, always: false })
    const clock = judgedClock(machine, builtAt)
    clock.begin({ newestRow: null, synchronisedAt: null, confirmedBoot: () => null })
    const asked: { change: string; input: unknown; answer: PromiseWithResolvers<unknown> }[] = []
    const writer = {
      execute(change: { name: string }, input: unknown) {
        const answer = Promise.withResolvers<unknown>()
        asked.push({ change: change.name, input, answer })
        return answer.promise
      },
    } as Writer
    const failures: unknown[] = []
    const watch = clockWatch({
      clock,
      writer,
      timeSync,
      log: createLog({ level: 'silent', clock }),
      background: backgroundWork({ clock, failed: (error) => failures.push(error) }),
      failed: (error) => failures.push(error),
    })
    const writes = () => asked.map(({ change }) => change)
    return { watch, machine, asked, failures, writes }
  }

  for (const [name, timeSync, builtAt, change] of [
    ['that a time server was heard', heard, monday - day, keepSynchronised.name],
    ['that the clock is in doubt', noTimeServer, monday + day, noteJudged.name],
  ] as const)
    it(`records ${name}: one change at a time, once, and again after a failure`, async () => {
      const { watch, asked, failures, writes } = watched(() => timeSync(), builtAt)
      await watch.look()
      await watch.look()
      assert.deepEqual(writes(), [change], 'while the first is under way')
      const error = new Error('the disk is full')
      asked[0]!.answer.reject(error)
      await pause(0)
      assert.deepEqual(failures, [error])
      await watch.look()
      assert.deepEqual(writes(), [change, change])
      assert.deepEqual(asked[1]!.input, asked[0]!.input)
      asked[1]!.answer.resolve(null)
      await pause(0)
      await watch.look()
      assert.equal(asked.length, 2)
      watch.close()
    })

  it('reads the time source twice a minute, and returns its last answer', async () => {
    let asks = 0
    const { watch, machine } = watched(() => heard(monday + ++asks), monday - day)
    assert.equal(watch.timeSync().source, null)
    for (let times = 0; times < 3; times++) {
      elapse(machine, 30_000)
      await pause(0)
    }
    assert.equal(asks, 3)
    assert.equal(watch.timeSync().syncedAt, monday + 3)
    watch.close()
  })

  it("passes the time source's answer to the status, which does not read it again", async (t) => {
    let asks = 0
    const house = await startAppliance({ timeSync: () => heard(monday + ++asks) })
    t.after(() => house.stop())
    const { body } = await house.ask('GET', '/api/v2/status')
    assert.equal(body.data.attributes.clock.source, 'systemd-timesyncd')
    assert.equal(asks, 1)
  })
})
