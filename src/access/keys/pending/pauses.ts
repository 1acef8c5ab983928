import { DeviceFault } from '../../../devices/fault.ts'
import type { Clock } from '../../../host/clock.ts'
import { Problem } from '../../../resource/problem.ts'

const firstMs = 10_000
const longestMs = 600_000

/** Work on single things that is tried again, after a pause that doubles from 10 s to 10 minutes, until it succeeds. */
export interface Pauses {
  /** Does the work unless its thing is in a pause. Never rejects. */
  unlessPaused(id: string, work: () => Promise<void>): Promise<void>
  /** Forgets what nobody has tried for long. */
  tidy(): void
  /** Nothing is tried any more. */
  end(): void
}

/** `failed` is told of what is no answer of a device or a rule. */
export function pauses({ monotonic }: Clock, failed: (error: unknown) => void): Pauses {
  /** When a thing is tried again, on the clock that never goes back, and after how long a pause. */
  const known = new Map<string, { until: number; ms: number }>()
  let ended = false
  return {
    async unlessPaused(id, work) {
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
    tidy() {
      for (const [id, { until }] of known) if (until < monotonic() - longestMs) known.delete(id)
    },
    end() {
      ended = true
    },
  }
}

/** What a device or a rule says no with. */
export function isAnswer(error: unknown): boolean {
  return error instanceof DeviceFault || error instanceof Problem
}
