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

interface Job extends ScanMessage {
  resolve(found: Scanned): void
  reject(error: Error): void
  deadline: Timer
}

/**
 * Runs pages in the scan thread. It starts one thread when it is needed; that runs one scan at a time. At its deadline a request is
 * rejected at once, whether or not the thread is free. A scan without waiting clients stops within about a thousand rows.
 */
export class Scans {
  readonly #path: string
  readonly #entry: URL
  readonly #clock: Clock
  readonly #stop = new Int32Array(new SharedArrayBuffer(4))
  readonly #waiting: Job[] = []
  #atWork: Job | null = null
  #worker: Worker | null = null
  #leaving: Timer | null = null
  #left: Promise<unknown> = Promise.resolve()
  #isOpen = true
  #isResting = false
  #last = 0
  /** The time of the thread's last pause. */
  #busySince = 0

  constructor({ path, entry, clock }: { path: string; entry: URL; clock: Clock }) {
    this.#path = path
    this.#entry = entry
    this.#clock = clock
  }

  /** Queues a scan. `found` rejects with `busy` when the queue is full, and after ten seconds. */
  take(scan: Scan): Scanning {
    const { promise, resolve, reject } = Promise.withResolvers<Scanned>()
    if (!this.#isOpen) reject(stopping())
    else if (this.#waiting.length >= mostWaiting) reject(tooMany())
    else {
      const late = () => this.#giveUp(job, tooLong())
      const deadline = this.#clock.setTimeout(late, longestMs).unref()
      const job: Job = { number: ++this.#last, scan, resolve, reject, deadline }
      this.#waiting.push(job)
      if (!this.#atWork && !this.#isResting) this.#begin()
      return { found: promise, join: joining(promise, () => this.#giveUp(job, clientsGone())) }
    }
    return { found: promise, join: () => {} }
  }

  isBusy(): boolean {
    return this.#atWork !== null
  }

  /** Rejects all scans, and resolves when the thread has closed the file. */
  async close(): Promise<void> {
    this.#isOpen = false
    for (const job of [...this.#waiting, ...(this.#atWork ? [this.#atWork] : [])])
      this.#giveUp(job, stopping())
    this.#atWork = null
    this.#leaving?.cancel()
    this.#leave()
    await this.#left
  }

  /** Starts the first scan after a pause. */
  #begin(): void {
    this.#isResting = false
    this.#busySince = this.#clock.monotonic()
    this.#next()
  }

  #next(): void {
    this.#atWork = this.#waiting.shift() ?? null
    this.#leaving?.cancel()
    if (!this.#atWork) {
      this.#worker?.unref()
      this.#leaving = this.#clock.setTimeout(() => this.#leave(), idleMs).unref()
      return
    }
    this.#worker ??= this.#started()
    this.#worker.ref()
    const { number, scan } = this.#atWork
    this.#worker.postMessage({ number, scan } satisfies ScanMessage)
  }

  #settle({ found, fault }: ScanAnswered): void {
    if (!this.#atWork) return
    const { deadline, resolve, reject } = this.#atWork
    this.#atWork = null
    deadline.cancel()
    if (fault) reject(Object.assign(new Error(fault.message), { code: fault.code }))
    else resolve(found!)
    if (!this.#isOpen) return
    if (this.#clock.monotonic() - this.#busySince < longestRunMs) this.#next()
    else {
      this.#isResting = true
      this.#clock.setTimeout(() => this.#begin(), restMs)
    }
  }

  /** Rejects the waiting clients at once. The thread starts the next scan when it notices the stop. */
  #giveUp(job: Job, why: Problem): void {
    const at = this.#waiting.indexOf(job)
    if (at >= 0) this.#waiting.splice(at, 1)
    else if (job === this.#atWork) Atomics.store(this.#stop, 0, job.number)
    job.deadline.cancel()
    job.reject(why)
  }

  #started(): Worker {
    const workerData: ScanThreadData = { runs: 'scans', path: this.#path, stop: this.#stop }
    const made = new Worker(this.#entry, { workerData, resourceLimits })
    let fault = 'it ended unexpectedly'
    made.on('message', (answered: ScanAnswered) => this.#settle(answered))
    made.on('error', (error) => {
      fault = String(error)
    })
    made.on('exit', () => {
      if (this.#worker !== made) return
      this.#worker = null
      this.#settle({ fault: { message: `in the scan thread: ${fault}`, code: undefined } })
    })
    return made
  }

  #leave(): void {
    this.#left = this.#worker?.terminate() ?? this.#left
    this.#worker = null
  }
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
