/**
 * The source of all time in the appliance: the wall clock, the monotonic clock, and timers. No other file
 * reads a clock or starts a timer, so a test or a replay can run hours of the program in a moment.
 */
export interface Clock {
  /** Unix milliseconds. May jump when the clock is set. */
  now(): number
  /** Whether `now` is plausible. While it is not, no key is made. */
  isPlausible(): boolean
  /**
   * Whether data may be deleted by age: not while the clock is in doubt, and not shortly after a long step.
   */
  mayForget(): boolean
  /** Milliseconds since an arbitrary start. It never goes back; durations and deadlines use it. */
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

/** A started timer. */
export interface Timer {
  /** Stops the timer. It may be called again, and after the timer has run. */
  cancel(): void
  /** Lets the process end while the timer is pending. */
  unref(): Timer
}

interface SleepOptions {
  signal?: AbortSignal
  /** `false` lets the process end meanwhile; default `true`. */
  ref?: boolean
}

/** The parts that a clock must implement; `clockOf` derives the rest. */
type ClockParts = Pick<Clock, 'now' | 'monotonic' | 'setTimeout' | 'setInterval'>

/** Completes a clock from its parts. The clock is always plausible. */
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

/** The clock of the machine, with Node's own timers. */
export const systemClock: Clock = clockOf({
  now: () => Date.now(),
  monotonic: () => performance.now(),
  setTimeout: (run, ms) => nodeTimer(setTimeout(run, ms)),
  setInterval: (run, ms) => nodeTimer(setInterval(run, ms)),
})
