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

/**
 * Runs a task in a queue. Rejects with `refusal()` when the signal is aborted before the task has begun, and never
 * starts it then. A task that has begun always runs to its end.
 */
export async function begunUnlessAborted<Args extends unknown[], T>(
  signal: AbortSignal,
  refusal: () => Error,
  queue: (task: (...args: Args) => Promise<T>) => Promise<T>,
  task: (...args: Args) => Promise<T>,
): Promise<T> {
  if (signal.aborted) throw refusal()
  const { promise: dropped, reject } = Promise.withResolvers<never>()
  let hasBegun = false
  const drop = () => hasBegun || reject(refusal())
  signal.addEventListener('abort', drop, { once: true })
  const done = queue(async (...args) => {
    if (signal.aborted) throw refusal()
    hasBegun = true
    return task(...args)
  })
  try {
    return await Promise.race([done, dropped])
  } finally {
    signal.removeEventListener('abort', drop)
  }
}

/** Resolves when `work` has resolved, or after `ms` milliseconds. `work` must not reject. */
export async function atMost(clock: Clock, ms: number, work: Promise<unknown>): Promise<void> {
  const { promise: tooLong, resolve } = Promise.withResolvers<void>()
  const timer = clock.setTimeout(resolve, ms)
  await Promise.race([work, tooLong])
  timer.cancel()
}
