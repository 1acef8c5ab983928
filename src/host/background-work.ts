import type { Clock, Timer } from './clock.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour

/**
 * All work that the program does without being asked, and after how many milliseconds without success it is late. The time is a
 * multiple of the work's own period, so that a single failure, which is retried, is not reported. What only sends a sign of life on an
 * open connection, or only compares what is in memory, cannot fail in silence and is not listed.
 */
export const lateAfterMs = {
  availability: 5 * minute,
  'backup-schedule': 6 * hour,
  'backup-targets': 12 * hour,
  certificate: day,
  'certificate-files': hour,
  clock: 10 * minute,
  devices: 5 * minute,
  events: 5 * minute,
  integrity: 9 * day,
  'key-changes': 5 * minute,
  'key-copies': 30 * minute,
  payments: 10 * minute,
  'pms-connections': 10 * minute,
  'pms-pull': 30 * minute,
  'pms-push': 30 * minute,
  recorder: 10 * minute,
  retention: 6 * hour,
  'support-console': 10 * minute,
  updates: 12 * hour,
  webhooks: 10 * minute,
} as const

/** The name of a work, as the status shows it. */
export type WorkName = keyof typeof lateAfterMs

/** How a work goes. */
export interface WorkState {
  name: WorkName
  /** What the work is for, such as the name of a PMS; null where there is only one. */
  about: string | null
  /** How long it has been due without success, in milliseconds; 0 while nothing is due. */
  waitingMs: number
  isLate: boolean
}

/** Work that is begun by events: it is due from the first event until it is done. */
export interface FollowedWork {
  /** There is something to do. The time counts from the first call since `done`. */
  due(): void
  /** Nothing is left to do. */
  done(): void
  /** Some of it has succeeded, and there is more to do: the time counts anew. */
  goesOn(): void
  /** The work is no longer followed. */
  end(): void
}

/** Work that is done again and again, one run at a time. */
export interface Loop {
  /** Begins at once, or again as soon as the run under way has ended. Resolves when that has ended, also after an error. */
  begin(): Promise<void>
  isUnderWay(): boolean
  /** Begins no more. Resolves when the run under way has ended; its error is not reported. */
  close(): Promise<void>
}

/** Begins all work that nothing asks for, and knows when each last succeeded. */
export interface BackgroundWork {
  /**
   * Calls `run` every `everyMs` milliseconds, and for the first time after `firstMs` (default: `everyMs`), until
   * the loop is closed. A run that throws or rejects has not succeeded; the next one follows all the same. Its error is reported, and
   * again when another one takes its place or a run has succeeded meanwhile. A run that never ends makes the work late.
   */
  every(name: WorkName, everyMs: number, run: () => unknown, how?: { firstMs?: number }): Loop
  /** The same without a timer: it runs when it is begun, and is due from then on. `run` calls `goesOn` after each part that has succeeded. */
  onDemand(name: WorkName, run: (goesOn: () => void) => unknown, about: string): Loop
  /** Follows work that has its own timers. */
  follow(name: WorkName, about?: string): FollowedWork
  /** How each work goes that has begun and has not ended. */
  states(): WorkState[]
}

/** `failed` receives each error of a run. */
export function backgroundWork({
  clock,
  failed,
}: {
  clock: Clock
  failed(error: unknown): void
}): BackgroundWork {
  const all = new Set<{ name: WorkName; about: string | null; since: number | null }>()

  function follow(name: WorkName, about: string | null = null): FollowedWork {
    const work = { name, about, since: null as number | null }
    all.add(work)
    return {
      due() {
        work.since ??= clock.monotonic()
      },
      done() {
        work.since = null
      },
      goesOn() {
        work.since = clock.monotonic()
      },
      end: () => void all.delete(work),
    }
  }

  return {
    follow,
    every(name, everyMs, run, { firstMs } = {}) {
      const work = follow(name)
      const { tick, ...own } = loop({ failed, run, work, succeeded: work.goesOn })
      work.due()
      const timers: Timer[] = [clock.setInterval(tick, everyMs).unref()]
      if (firstMs !== undefined) timers.push(clock.setTimeout(tick, firstMs).unref())
      return {
        ...own,
        close() {
          for (const timer of timers) timer.cancel()
          return own.close()
        },
      }
    },
    onDemand(name, run, about) {
      const work = follow(name, about)
      const { tick: _, ...own } = loop({ failed, run: () => run(work.goesOn), work, succeeded: work.done })
      return own
    },
    states() {
      const now = clock.monotonic()
      return [...all]
        .map(({ name, about, since }) => {
          const waitingMs = since === null ? 0 : now - since
          return { name, about, waitingMs, isLate: waitingMs > lateAfterMs[name] }
        })
        .sort((one, other) => (one.name < other.name ? -1 : 1))
    },
  }
}

interface LoopParts {
  failed(error: unknown): void
  run(): unknown
  work: FollowedWork
  /** Called after each run that has succeeded. */
  succeeded(): void
}

function loop({ failed, run, work, succeeded }: LoopParts): Loop & { tick(): void } {
  let underWay: Promise<void> | null = null
  let isWanted = false
  let isOpen = true
  /** The error that was reported since the last success. */
  let reported = ''

  async function begin(): Promise<void> {
    isWanted = underWay !== null
    tick()
    await underWay
  }

  /** A run under way finds what this one would. */
  function tick(): void {
    if (!isOpen || underWay) return
    work.due()
    underWay = attempt().then(() => {
      underWay = null
      return isWanted ? begin() : undefined
    })
  }

  async function attempt(): Promise<void> {
    try {
      await run()
      reported = ''
      succeeded()
    } catch (error) {
      if (isOpen && String(error) !== reported) failed(error)
      reported = String(error)
    }
  }

  return {
    begin,
    tick,
    isUnderWay: () => underWay !== null,
    async close() {
      isOpen = false
      await underWay
      work.end()
    },
  }
}
