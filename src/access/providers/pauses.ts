import { DeviceFault } from '../../devices/fault.ts'
import type { Clock } from '../../host/clock.ts'
import { Problem } from '../../resource/problem.ts'

const firstMs = 10_000
const longestMs = 600_000
/** The shortest pause, which nothing ends early. */
const shortestMs = 5_000

/** Work on items that is retried after a pause, which doubles from 10 s to 10 minutes, until it succeeds. */
export type RetryPauses = ReturnType<typeof pauses>

/** The failed attempts at an item since the program started. */
export interface Attempts {
  /** How many have failed, from 1. */
  failed: number
  /** When the next one begins, Unix milliseconds. It is the present time while an attempt is due or running. */
  nextAt: number
}

/** Returns the pauses. `failed` receives errors that are neither a DeviceFault nor a Problem. */
export function pauses({ monotonic, now }: Clock, failed: (error: unknown) => void) {
  /** The last failed attempts, in milliseconds of the monotonic clock, and the pauses after them. */
  const known = new Map<string, Pause>()
  let ended = false
  return {
    /** Runs the work unless its item is paused. Never rejects. */
    async unlessPaused(id: string, work: () => Promise<void>): Promise<void> {
      if (ended) return
      const pause = known.get(id)
      if (pause && monotonic() < endOf(pause)) return
      try {
        await work()
        known.delete(id)
      } catch (error) {
        const ms = Math.min(longestMs, Math.max(firstMs, (pause?.ms ?? 0) * 2))
        known.set(id, { failedAt: monotonic(), ms, failed: (pause?.failed ?? 0) + 1 })
        if (!isAnswer(error)) failed(error)
      }
    },
    /** The failed attempts at an item. Null if there was none since the start of the program or the last success. */
    attempts(id: string): Attempts | null {
      const pause = known.get(id)
      return pause ? { failed: pause.failed, nextAt: now() + Math.max(0, endOf(pause) - monotonic()) } : null
    },
    /** Ends the pause of an item, but not within 5 s of its last attempt. If that fails, pauses begin at 10 s again. */
    wake(id: string): void {
      const pause = known.get(id)
      if (pause && monotonic() >= pause.failedAt + shortestMs) known.set(id, { ...pause, ms: 0 })
    },
    /** Forgets items whose pause ended more than 10 minutes ago. */
    tidy(): void {
      for (const [id, pause] of known) if (endOf(pause) < monotonic() - longestMs) known.delete(id)
    },
    /** Starts no further work. */
    end(): void {
      ended = true
    },
  }
}

type Pause = Record<'failedAt' | 'ms' | 'failed', number>

const endOf = ({ failedAt, ms }: Pause) => failedAt + ms

/** Whether the error is an expected refusal, of a device or of a rule. */
export function isAnswer(error: unknown): boolean {
  return error instanceof DeviceFault || error instanceof Problem
}
