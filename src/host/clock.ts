/**
 * Time, as everything in the appliance is given it: the wall clock, the monotonic clock, and the timers that run on it. No
 * other file reads a clock or starts a timer, so a test or a replay can run hours of the program in a moment.
 */
export interface Clock {
  /** Unix milliseconds. May jump when somebody sets the clock. */
  now(): number
  /** Whether `now` can be believed. While it cannot, no key is made. */
  isPlausible(): boolean
  /** Whether something may be deleted because it is old: not while the clock is in doubt, or has just made a long step. */
  mayForget(): boolean
  /** Milliseconds since an arbitrary start. Never goes back: use it to measure, and for deadlines. */
  monotonic(): number
  /** Calls `run` once after `ms` milliseconds. */
  setTimeout(run: () => void, ms: number): Timer
  /** Calls `run` every `ms` milliseconds. */
  setInterval(run: () => void, ms: number): Timer
  /** Resolves after `ms` milliseconds; rejects with the signal's reason as soon as that is aborted. */
  sleep(ms: number, options?: SleepOptions): Promise<void>
  /** A signal that is aborted with a `TimeoutError` after `ms` milliseconds. Does not keep the process running. */
  timeout(ms: number): AbortSignal
}

/** A timer that has been started. */
export interface Timer {
  /** Ends it: it does not run (any more). May be called again, and after it ran. */
  cancel(): void
  /** Lets the process end while the timer is pending. */
  unref(): Timer
}

interface SleepOptions {
  signal?: AbortSignal
  /** `false` lets the process end meanwhile; `true` unless said otherwise. */
  ref?: boolean
}

/** What a clock is made of; the rest follows from it. */
type ClockParts = Pick<Clock, 'now' | 'monotonic' | 'setTimeout' | 'setInterval'>

/** Completes a clock from its parts. It is believed. */
export function clockOf(parts: ClockParts): Clock {
  return {
    isPlausible: () => true,
    mayForget: () => true,
    ...parts,
    sleep: (ms, options) => sleep(parts, ms, options),
    timeout(ms) {
      const controller = new AbortController()
      const expire = () => controller.abort(new DOMException(`timed out after ${ms} ms`, 'TimeoutError'))
      parts.setTimeout(expire, ms).unref()
      return controller.signal
    },
  }
}

function sleep(
  { setTimeout: begin }: ClockParts,
  ms: number,
  { signal, ref = true }: SleepOptions = {},
): Promise<void> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason)
    const timer = begin(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (!ref) timer.unref()
    const stop = () => {
      timer.cancel()
      reject(signal?.reason)
    }
    signal?.addEventListener('abort', stop, { once: true })
  })
}

function nodeTimer(timer: NodeJS.Timeout): Timer {
  const own: Timer = {
    cancel: () => clearTimeout(timer),
    unref() {
      timer.unref()
      return own
    },
  }
  return own
}

/** The clock of the machine, and Node's own timers. */
export const systemClock: Clock = clockOf({
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimeout: (run, ms) => nodeTimer(setTimeout(run, ms)),
  setInterval: (run, ms) => nodeTimer(setInterval(run, ms)),
})
