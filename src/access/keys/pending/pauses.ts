import { DeviceFault } from '../../../devices/fault.ts'
import type { Clock } from '../../../host/clock.ts'
import { Problem } from '../../../resource/problem.ts'

const firstMs = 10_000
const longestMs = 600_000

/** Work on items that is retried after a pause, which doubles from 10 s to 10 minutes, until it succeeds. */
export type RetryPauses = ReturnType<typeof pauses>

/** Returns the pauses. `failed` receives errors that are neither a DeviceFault nor a Problem. */
export function pauses({ monotonic }: Clock, failed: (error: unknown) => void) {
  /** The end and the length of each item's pause, in milliseconds of the monotonic clock. */
  const known = new Map<string, { until: number; ms: number }>()
  let ended = false
  return {
    /** Runs the work unless its item is paused. Never rejects. */
    async unlessPaused(id: string, work: () => Promise<void>): Promise<void> {
      if (ended) return
      const pause = known.get(id)
      if (pause && monotonic() < pause.until) return
      try {
        await work()
        known.delete(id)
      } catch (error) {
        const ms = Math.min(longestMs, (pause?.ms ?? firstMs / 2) * 2)
        known.set(id, { until: monotonic() + ms, ms })
        if (!isAnswer(error)) failed(error)
      }
    },
    /** Forgets items whose pause ended more than 10 minutes ago. */
    tidy(): void {
      for (const [id, { until }] of known) if (until < monotonic() - longestMs) known.delete(id)
    },
    /** Starts no further work. */
    end(): void {
      ended = true
    },
  }
}

/** Whether the error is an expected refusal, of a device or of a rule. */
export function isAnswer(error: unknown): boolean {
  return error instanceof DeviceFault || error instanceof Problem
}
