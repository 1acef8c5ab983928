import type { Clock } from '../host/clock.ts'

interface PausesOptions {
  clock: Clock
  /** The mean of the first pause and of the longest pause, in ms. */
  firstMs: number
  maxMs: number
  /** Whether a user waits for the device now. */
  isWanted(): boolean
}

/** The pauses between the attempts to open a device. */
export type OpeningPauses = ReturnType<typeof pauses>

/** Pauses between attempts that grow from `firstMs` to `maxMs` while a device is away. */
export function pauses({ clock, firstMs, maxMs, isWanted }: PausesOptions) {
  let awaySince: number | null = null
  let attempts = 0
  let hurried = new AbortController()

  async function wait(ms: number, signal: AbortSignal): Promise<void> {
    if (ms > 0) await clock.sleep(ms, { signal, ref: false }).catch(() => {})
  }

  return {
    /**
     * Resolves when the next attempt is due. The pause is about as long as the device has been offline, from `firstMs` to
     * `maxMs`, up to a fifth shorter or longer. The pause is short while a user waits for the device, and ends at once
     * when the signal is aborted.
     */
    async rest(signal: AbortSignal): Promise<void> {
      awaySince ??= clock.monotonic()
      attempts++
      const mean = Math.min(maxMs, Math.max(firstMs, clock.monotonic() - awaySince))
      const whole = mean * (0.8 + 0.4 * Math.random())
      // With a first pause of 1 s the waits are 200 ms, 400 ms ... 1 s: a device that is absent is not retried in a
      // tight loop.
      const least = Math.min(whole, firstMs, (firstMs / 5) * attempts)
      await wait(least, signal)
      if (isWanted() || signal.aborted) return
      hurried = new AbortController()
      await wait(whole - least, AbortSignal.any([signal, hurried.signal]))
    },
    /** Makes the next pause the first one again, because the device was online or must be treated so. */
    restart(): void {
      awaySince = null
      attempts = 0
    },
    /** Shortens the pause, because a user waits for the device now. */
    hurry: (): void => hurried.abort(),
  }
}
