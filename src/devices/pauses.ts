import type { Clock } from '../host/clock.ts'

export interface PausesOptions {
  clock: Clock
  /** The mean of the first pause, and of the longest. */
  firstMs: number
  maxMs: number
  /** Whether somebody waits for the device now. */
  isWanted(): boolean
}

/** The pauses between two attempts to open a device. */
export interface Pauses {
  /**
   * Resolves when the next attempt is due after so many that have failed in a row: each pause is twice as long as the one
   * before, and up to a fifth shorter or longer. It is short as long as somebody waits for the device, and over at once
   * when the signal is aborted.
   */
  rest(failures: number, signal: AbortSignal): Promise<void>
  /** Somebody waits for the device now. */
  hurry(): void
}

export function pauses({ clock, firstMs, maxMs, isWanted }: PausesOptions): Pauses {
  let hurried = new AbortController()

  async function wait(ms: number, signal: AbortSignal): Promise<void> {
    if (ms > 0) await clock.sleep(ms, { signal, ref: false }).catch(() => {})
  }

  return {
    async rest(failures, signal) {
      const mean = Math.min(maxMs, firstMs * 2 ** (failures - 1))
      const whole = mean * (0.8 + 0.4 * Math.random())
      // 200 ms, 400 ms ... 1 s where the first pause is of a second: a device that is gone is not tried without end.
      const least = Math.min(whole, firstMs, (firstMs / 5) * failures)
      await wait(least, signal)
      if (isWanted() || signal.aborted) return
      hurried = new AbortController()
      await wait(whole - least, AbortSignal.any([signal, hurried.signal]))
    },
    hurry: () => hurried.abort(),
  }
}
