/**
 * Counts what the program does, in every thread of it: `NODE_OPTIONS=--import=probe.ts`. The main thread imports it too: `begin`
 * sets the counts to nothing, `end` gives them.
 */
import type { FileHandle } from 'node:fs/promises'
import { open } from 'node:fs/promises'
import { Session } from 'node:inspector'
import { BroadcastChannel, isMainThread, Worker } from 'node:worker_threads'
import Database from 'better-sqlite3'

/** What was done between `begin` and `end`. */
export interface Work {
  /** SQL statements that were run, those of transactions among them. */
  statements: number
  /** Rows inserted, changed and deleted, also by triggers and in search indexes. */
  rows: number
  /** Commits that wrote something, and flushes of other files. */
  flushes: number
  /** Files of ours with a function that ran; one that ran in both threads counts once. */
  files: number
  /** Functions of ours that ran. One that ran in both threads counts twice. */
  functions: number
  /** Messages between threads. */
  messages: number
}

/** What one thread did: the names of its files, so that both threads together count each once. */
type Share = Omit<Work, 'files'> & { files: string[] }

const work = { statements: 0, flushes: 0, messages: 0 }
const writers = new Set<Database.Database>()
const session = new Session()
session.connect()
const ours = new RegExp(`^${new URL('../../', import.meta.url).href}(src|drivers)/[^?]+\\.ts$`)

function statementsCounted(): void {
  const memory = new Database(':memory:')
  const prototype = Object.getPrototypeOf(memory.prepare('SELECT 1')) as Record<string, unknown>
  memory.close()
  for (const method of ['run', 'get', 'all', 'iterate'] as const) {
    const own = prototype[method] as (...values: unknown[]) => unknown
    prototype[method] = function (this: Database.Statement, ...values: unknown[]) {
      work.statements++
      if (this.source === 'COMMIT' && !isMainThread && changesOf(this.database) > changed) work.flushes++
      if (this.source === 'COMMIT') changed = changesOf(this.database)
      return Reflect.apply(own, this, values)
    }
  }
  const database = Database.prototype as unknown as Record<string, unknown>
  for (const method of ['exec', 'pragma'] as const) {
    const own = database[method] as (...values: unknown[]) => unknown
    database[method] = function (this: Database.Database, ...values: unknown[]) {
      work.statements++
      return Reflect.apply(own, this, values)
    }
  }
  const prepare = database.prepare as (sql: string) => Database.Statement
  database.prepare = function (this: Database.Database, sql: string) {
    if (!this.readonly) writers.add(this)
    return Reflect.apply(prepare, this, [sql])
  }
}

let changed = 0
let before = 0

/** Rows that a connection has changed since it was opened. Not counted itself. */
function changesOf(db: Database.Database): number {
  const { statements } = work
  try {
    return db.open ? (db.prepare('SELECT total_changes()').pluck().get() as number) : 0
  } finally {
    work.statements = statements
  }
}

const changesOfAll = () => [...writers].reduce((sum, db) => sum + changesOf(db), 0)

function messagesCounted(): void {
  const { postMessage, emit } = Worker.prototype
  Worker.prototype.postMessage = function (this: Worker, ...values: unknown[]) {
    work.messages++
    return Reflect.apply(postMessage, this, values)
  }
  Worker.prototype.emit = function (this: Worker, name: string, ...values: unknown[]) {
    if (name === 'message') work.messages++
    return Reflect.apply(emit, this, [name, ...values])
  } as typeof emit
}

async function flushesCounted(): Promise<void> {
  const handle = await open(process.execPath)
  const prototype = Object.getPrototypeOf(handle) as FileHandle
  await handle.close()
  for (const method of ['sync', 'datasync'] as const) {
    const own = prototype[method]
    prototype[method] = function (this: FileHandle) {
      work.flushes++
      return Reflect.apply(own, this, [])
    }
  }
}

interface Coverage {
  result: {
    url: string
    functions: { functionName: string; ranges: { count: number; startOffset: number }[] }[]
  }[]
}

/** How many functions of ours ran since this was asked last, and their files. */
function functionsRun(): Promise<Pick<Share, 'files' | 'functions'>> {
  return new Promise((resolve, reject) => {
    session.post('Profiler.takePreciseCoverage', (error, found) => {
      if (error) return reject(error)
      const { result } = found as unknown as Coverage
      const ran = result
        .filter(({ url }) => ours.test(url))
        .flatMap(({ url, functions }) =>
          functions.map(({ ranges }) => ({ url, count: ranges[0]?.count ?? 0 })),
        )
        .filter(({ count }) => count > 0)
      resolve({
        files: [...new Set(ran.map(({ url }) => url))],
        functions: ran.length,
      })
    })
  })
}

async function beginHere(): Promise<void> {
  await functionsRun()
  before = changesOfAll()
  Object.assign(work, { statements: 0, flushes: 0, messages: 0 })
}

async function endHere(): Promise<Share> {
  const { statements, flushes, messages } = work
  const run = await functionsRun()
  return { statements, flushes, messages, ...run, rows: changesOfAll() - before }
}

/** What the threads say to each other. */
type Told = { ask: 'begin' | 'end' } | { answer: Share | null }

function together({ files, ...mine }: Share, theirs: Share | null): Work {
  const sum = Object.entries(mine).map(([name, count]) => [
    name,
    count + (theirs?.[name as keyof typeof mine] ?? 0),
  ])
  return { ...Object.fromEntries(sum), files: new Set([...files, ...(theirs?.files ?? [])]).size }
}

statementsCounted()
messagesCounted()
await flushesCounted()
session.post('Profiler.enable')
session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false })
const threads = new BroadcastChannel('work')
threads.unref()

/** Asks the thread that writes: the others have nothing to count. */
async function writerFor(ask: 'begin' | 'end'): Promise<Share | null> {
  const answer = new Promise<Share | null>((resolve) => {
    threads.onmessage = ({ data }) => {
      const told = data as Told
      if ('answer' in told) resolve(told.answer)
    }
  })
  threads.postMessage({ ask } satisfies Told)
  return answer
}

/** Sets the counts of all threads to nothing. */
export async function begin(): Promise<void> {
  await writerFor('begin')
  await beginHere()
}

/** What was done since `begin`, in all threads. */
export async function end(): Promise<Work> {
  const theirs = await writerFor('end')
  return together(await endHere(), theirs)
}

if (!isMainThread)
  threads.onmessage = async ({ data }) => {
    const told = data as Told
    if (!('ask' in told) || writers.size === 0) return
    if (told.ask === 'begin') await beginHere()
    threads.postMessage({ answer: told.ask === 'begin' ? null : await endHere() } satisfies Told)
  }
