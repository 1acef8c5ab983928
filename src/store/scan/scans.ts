import { Worker } from 'node:worker_threads'
import type { Clock, Timer } from '../../host/clock.ts'
import type { WhenGone } from '../../resource/keeper.ts'
import { Problem } from '../../resource/problem.ts'
import type { Scan, Scanned } from './scan.ts'
import type { ScanAnswered, ScanMessage, ScanThreadData } from './scan-thread.ts'

/** The longest time that a request waits for its scan, including the time in the queue. */
const longestMs = 10_000
/** The largest number of scans in the queue. */
const mostWaiting = 8
/**
 * After this much work without a pause the thread rests: SQLite can restart its log only when no reader uses
 * an older snapshot.
 */
const longestRunMs = 1_000
const restMs = 50
/** An idle thread ends after this time and frees 20 to 30 MB. */
const idleMs = 600_000

/** The memory limits of the thread. They suffice for the row numbers and texts of one page. */
const resourceLimits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 }

/** A scan that was accepted. */
export interface Scanning {
  found: Promise<Scanned>
  /** Adds a waiting client. When all waiting clients have disconnected, the scan is cancelled. */
  join(whenGone: WhenGone | undefined): void
}

/** Runs pages in the scan thread. */
export type Scans = ReturnType<typeof scans>

interface Job extends ScanMessage {
  resolve(found: Scanned): void
  reject(error: Error): void
  deadline: Timer
}

/**
 * Starts one thread when it is needed; it runs one scan at a time. At its deadline a request is rejected at
 * once, whether or not the thread is free. A scan without waiting clients stops within about a thousand rows.
 */
export function scans({ path, entry, clock }: { path: string; entry: URL; clock: Clock }) {
  const stop = new Int32Array(new SharedArrayBuffer(4))
  const waiting: Job[] = []
  let atWork: Job | null = null
  let worker: Worker | null = null
  let leaving: Timer | null = null
  let left: Promise<unknown> = Promise.resolve()
  let isOpen = true
  let isResting = false
  let last = 0
  /** The time of the thread's last pause. */
  let busySince = 0

  /** Queues a scan. `found` rejects with `busy` when the queue is full, and after ten seconds. */
  function take(scan: Scan): Scanning {
    const { promise, resolve, reject } = Promise.withResolvers<Scanned>()
    if (!isOpen) reject(stopping())
    else if (waiting.length >= mostWaiting) reject(tooMany())
    else {
      const deadline = clock.setTimeout(() => giveUp(job, tooLong()), longestMs).unref()
      const job: Job = { number: ++last, scan, resolve, reject, deadline }
      waiting.push(job)
      if (!atWork && !isResting) begin()
      return { found: promise, join: joining(promise, () => giveUp(job, clientsGone())) }
    }
    return { found: promise, join: () => {} }
  }

  /** Starts the first scan after a pause. */
  function begin(): void {
    isResting = false
    busySince = clock.monotonic()
    next()
  }

  function next(): void {
    atWork = waiting.shift() ?? null
    leaving?.cancel()
    if (!atWork) {
      worker?.unref()
      leaving = clock.setTimeout(leave, idleMs).unref()
      return
    }
    worker ??= started()
    worker.ref()
    const { number, scan } = atWork
    worker.postMessage({ number, scan } satisfies ScanMessage)
  }

  function settle({ found, fault }: ScanAnswered): void {
    if (!atWork) return
    const { deadline, resolve, reject } = atWork
    atWork = null
    deadline.cancel()
    if (fault) reject(Object.assign(new Error(fault.message), { code: fault.code }))
    else resolve(found!)
    if (!isOpen) return
    if (clock.monotonic() - busySince < longestRunMs) next()
    else {
      isResting = true
      clock.setTimeout(begin, restMs)
    }
  }

  /** Rejects the waiting clients at once. The thread starts the next scan when it notices the stop. */
  function giveUp(job: Job, why: Problem): void {
    const at = waiting.indexOf(job)
    if (at >= 0) waiting.splice(at, 1)
    else if (job === atWork) Atomics.store(stop, 0, job.number)
    job.deadline.cancel()
    job.reject(why)
  }

  function started(): Worker {
    const workerData: ScanThreadData = { runs: 'scans', path, stop }
    const made = new Worker(entry, { workerData, resourceLimits })
    let fault = 'it ended by itself'
    made.on('message', settle)
    made.on('error', (error) => {
      fault = String(error)
    })
    made.on('exit', () => {
      if (worker !== made) return
      worker = null
      settle({ fault: { message: `in the scan thread: ${fault}`, code: undefined } })
    })
    return made
  }

  function leave(): void {
    left = worker?.terminate() ?? left
    worker = null
  }

  /** Rejects all scans, and resolves when the thread has closed the file. */
  async function close(): Promise<void> {
    isOpen = false
    for (const job of [...waiting, ...(atWork ? [atWork] : [])]) giveUp(job, stopping())
    atWork = null
    leaving?.cancel()
    leave()
    await left
  }

  return { take, isBusy: () => atWork !== null, close }
}

/** For a program that reads rows and requests no pages. */
export const noScans: Pick<Scans, 'take'> = {
  take() {
    throw new RangeError('this program has no scan thread')
  },
}

/** Counts the clients that wait for a scan. Calls `gone` when the last one has disconnected. */
function joining(found: Promise<Scanned>, gone: () => void): Scanning['join'] {
  let count = 0
  return (whenGone) => {
    count++
    const forget = whenGone?.(() => {
      if (--count === 0) gone()
    })
    if (forget) found.then(forget, forget)
  }
}

function stopping(): Problem {
  return new Problem('starting-up', 'The appliance is stopping.')
}

function clientsGone(): Problem {
  return new Problem('busy', 'The client disconnected before the search ended.')
}

function tooMany(): Problem {
  const detail = `Too many searches without an index are waiting (${mostWaiting}). Try again, or filter by a number, a name or a day.`
  return new Problem('busy', detail, { meta: { retryAfterSeconds: 5 } })
}

function tooLong(): Problem {
  const detail = `The search took longer than ${longestMs / 1000} s, because no index serves it. Filter by a number, a name or a day too.`
  return new Problem('busy', detail, { meta: { retryAfterSeconds: 5 } })
}
