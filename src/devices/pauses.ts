import type { Clock } from '../host/clock.ts'

interface PausesOptions {
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
   * Resolves when the next attempt is due: after about as long as the device has been away, from `firstMs` to `maxMs`, up to
   * a fifth shorter or longer. It is soon as long as somebody waits for the device, and at once when the signal is aborted.
   */
  rest(signal: AbortSignal): Promise<void>
  /** The device was there, or is to be tried as if it had been: the next pause is the first one again. */
  restart(): void
  /** Somebody waits for the device now. */
  hurry(): void
}

export function pauses({ clock, firstMs, maxMs, isWanted }: PausesOptions): Pauses {
  let awaySince: number | null = null
  let attempts = 0
  let hurried = new AbortController()

  async function wait(ms: number, signal: AbortSignal): Promise<void> {
    if (ms > 0) await clock.sleep(ms, { signal, ref: false }).catch(() => {})
  }

  return {
    async rest(signal) {
      awaySince ??= clock.monotonic()
      attempts++
      const mean = Math.min(maxMs, Math.max(firstMs, clock.monotonic() - awaySince))
      const whole = mean * (0.8 + 0.4 * Math.random())
      // 200 ms, 400 ms ... 1 s where the first pause is of a second: a device that is gone is not tried without end.
      const least = Math.min(whole, firstMs, (firstMs / 5) * attempts)
      await wait(least, signal)
      if (isWanted() || signal.aborted) return
      hurried = new AbortController()
      await wait(whole - least, AbortSignal.any([signal, hurried.signal]))
    },
    restart() {
      awaySince = null
      attempts = 0
    },
    hurry: () => hurried.abort(),
  }
}
