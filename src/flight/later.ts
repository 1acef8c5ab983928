import type { Clock, Timer } from '../host/clock.ts'

/** Small pieces of work that nobody waits for, done together when there is time. */
export interface Later {
  /** Takes work to be done soon, after what was put before. `bytes` is about what it holds until then. */
  put(bytes: number, work: () => void): void
  /** Does at once what is waiting. */
  catchUp(): void
}

const longestWaitMs = 200
const mostWaiting = 2_000
const mostBytes = 1 << 20

/**
 * What is too much to wait is done by whoever puts the last of it: nothing is dropped. `failed` is told of work that throws,
 * and the rest is done all the same.
 */
export function later(clock: Clock, failed: (error: unknown) => void): Later {
  let waiting: (() => void)[] = []
  let held = 0
  let timer: Timer | null = null

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
    put(bytes, work) {
      waiting.push(work)
      held += bytes
      if (waiting.length >= mostWaiting || held >= mostBytes) catchUp()
      else timer ??= clock.setTimeout(catchUp, longestWaitMs).unref()
    },
    catchUp,
  }
}
