import type { Clock, Timer } from '../../../host/clock.ts'

interface DoubtOptions {
  clock: Clock
  /** Called when a database swap is due. */
  due(): void
}

const firstMs = 30_000
const longestMs = 3_600_000
/** A line is busy with such swaps for a tenth of the time at most. */
const restsPerSwap = 9

/**
 * Remembers that a record was lost, because it could not be read: a database swap is due after a pause. The pause is 30 s; it is longer
 * after a swap that took long, and doubles up to an hour while the swaps themselves cannot be read.
 */
export function doubt({ clock, due }: DoubtOptions) {
  let timer: Timer | null = null
  /** When the swap became due, by the monotonic clock; null while none is. */
  let dueAt: number | null = null
  let pauseMs = firstMs

  function forget(): void {
    timer?.cancel()
    timer = null
    dueAt = null
  }

  return {
    /** A record was lost. */
    lost(): void {
      if (timer || dueAt !== null) return
      timer = clock
        .setTimeout(() => {
          timer = null
          dueAt = clock.monotonic()
          due()
        }, pauseMs)
        .unref()
    },
    isDue: (): boolean => dueAt !== null,
    /** A database swap is complete; `isProof`: all of it could be read. */
    swapped(isProof: boolean): void {
      const tookMs = dueAt === null ? 0 : clock.monotonic() - dueAt
      if (isProof) {
        pauseMs = Math.min(longestMs, Math.max(firstMs, restsPerSwap * tookMs))
        forget()
      } else if (dueAt !== null) {
        pauseMs = Math.min(longestMs, 2 * pauseMs)
        dueAt = null
      }
    },
    /** A database swap will be requested in any case. */
    forget,
  }
}
