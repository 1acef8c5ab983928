import { Worker } from 'node:worker_threads'
import type { Clock, Timer } from '../host/clock.ts'
import type { WhenGone } from '../resource/keeper.ts'
import { Problem } from '../resource/problem.ts'
import type { Scan, Scanned } from './scan.ts'
import type { ScanAnswered, ScanAsked, ScanThreadData } from './scan-thread.ts'

/** How long anybody waits for a scan, its turn included. */
const longestMs = 10_000
/** Scans that may wait for the one under way. */
const mostWaiting = 8
/** After so long without a pause the thread rests: SQLite begins its log anew only when nobody reads of an earlier moment. */
const longestRunMs = 1_000
const restMs = 50
/** A thread that nobody needs gives back its 20 to 30 MB. */
const idleMs = 600_000

/** What the thread needs for the row numbers and texts of one page. */
const resourceLimits = { maxYoungGenerationSizeMb: 4, maxOldGenerationSizeMb: 64 }

/** A scan that was taken. */
export interface Scanning {
  found: Promise<Scanned>
  /** One more waits for it. It is given up when all who wait have gone. */
  join(whenGone: WhenGone | undefined): void
}

/** Pages that are looked for in the scan thread. */
export interface Scans {
  /** Rejects with busy when too many wait, and after ten seconds. */
  take(scan: Scan): Scanning
  /** Whether the thread has something to do. */
  isBusy(): boolean
  /** Gives up what is still looked for; resolves when the thread has left the file. */
  close(): Promise<void>
}

interface Job extends ScanAsked {
  resolve(found: Scanned): void
  reject(error: Error): void
  deadline: Timer
}

/**
 * One thread, started when it is needed, with one scan at a time. Who has waited for too long is answered at that moment,
 * whether or not the thread has come free; a scan that nobody waits for stops within a thousand rows.
 */
export function scans({ path, entry, clock }: { path: string; entry: URL; clock: Clock }): Scans {
  const stop = new Int32Array(new SharedArrayBuffer(4))
  const waiting: Job[] = []
  let atWork: Job | null = null
  let worker: Worker | null = null
  let leaving: Timer | null = null
  let left: Promise<unknown> = Promise.resolve()
  let isOpen = true
  let isResting = false
  let last = 0
  /** Since when the thread has had no pause. */
  let busySince = 0

  function take(scan: Scan): Scanning {
    const { promise, resolve, reject } = Promise.withResolvers<Scanned>()
    if (!isOpen) reject(stopping())
    else if (waiting.length >= mostWaiting) reject(tooMany())
    else {
      const deadline = clock.setTimeout(() => giveUp(job, tooLong()), longestMs).unref()
      const job: Job = { number: ++last, scan, resolve, reject, deadline }
      waiting.push(job)
      if (!atWork && !isResting) begin()
      return { found: promise, join: joining(promise, () => giveUp(job, nobodyWaits())) }
    }
    return { found: promise, join: () => {} }
  }

  /** Begins with the thread's first scan after a pause. */
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
    worker.postMessage({ number, scan } satisfies ScanAsked)
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

  /** Whoever waits for it is told at once; the thread goes on to the next when it has noticed. */
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

/** For a program that reads rows and asks for no pages. */
export const noScans: Pick<Scans, 'take'> = {
  take() {
    throw new RangeError('this program has no scan thread')
  },
}

/** Counts those who wait for a scan; `gone` is called when the last of them has gone. */
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

function nobodyWaits(): Problem {
  return new Problem('busy', 'Nobody waits for the answer.')
}

function tooMany(): Problem {
  const detail = `${mostWaiting} searches are waiting that have to look at every row. Ask again, or filter by a number, a name or a day.`
  return new Problem('busy', detail, { meta: { retryAfterSeconds: 5 } })
}

function tooLong(): Problem {
  const detail = `The search took longer than ${longestMs / 1000} s, because it has to look at every row. Filter by a number, a name or a day as well.`
  return new Problem('busy', detail, { meta: { retryAfterSeconds: 5 } })
}
