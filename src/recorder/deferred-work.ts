import type { Clock, Timer } from '../host/clock.ts'

/** Collects small pieces of work and does them together, when there is time. */
export type DeferredWork = ReturnType<typeof deferredWork>

const maxWaitMs = 200
const maxWaiting = 2_000
const maxBytes = 1 << 20

/**
 * Creates the queue. When it is full, the caller that adds the last piece does all of it, so nothing is
 * dropped. An error in a piece of work is passed to `failed`; the rest continues.
 */
export function deferredWork(clock: Clock, failed: (error: unknown) => void) {
  let waiting: (() => void)[] = []
  let held = 0
  let timer: Timer | null = null

  /** Does all queued work at once. */
  function catchUp(): void {
    timer?.cancel()
    timer = null
    const works = waiting
    waiting = []
    held = 0
    for (const work of works) {
      try {
        work()
      } catch (error) {
        failed(error)
      }
    }
  }

  return {
    /** Queues work after all earlier work. `bytes` is about what the work keeps in memory until then. */
    put(bytes: number, work: () => void): void {
      waiting.push(work)
      held += bytes
      if (waiting.length >= maxWaiting || held >= maxBytes) catchUp()
      else timer ??= clock.setTimeout(catchUp, maxWaitMs).unref()
    },
    catchUp,
  }
}
