import type { Clock } from '../host/clock.ts'

/**
 * Settles as `work` does, or rejects with the signal's reason once it is aborted. If `work` resolves after that, its
 * value is passed to `late`.
 */
export function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal,
  late?: (value: T) => void,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason)
    if (signal.aborted) stop()
    signal.addEventListener('abort', stop, { once: true })
    work
      .then((value) => {
        if (signal.aborted) late?.(value)
        else resolve(value)
      }, reject)
      .finally(() => signal.removeEventListener('abort', stop))
  })
}

/** Resolves when `work` has resolved, or after `ms` milliseconds. `work` must not reject. */
export async function atMost(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  const { promise: tooLong, resolve } = Promise.withResolvers<void>()
  const timer = clock.setTimeout(resolve, ms)
  await Promise.race([work, tooLong])
  timer.cancel()
}
