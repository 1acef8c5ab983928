/** The only place that reads the clock; whoever needs the time is given one of these. */
export interface Clock {
  /** Unix milliseconds. May jump when the clock is set. */
  now(): number
  /** Milliseconds from an arbitrary start, which never go back: for measuring. */
  monotonic(): number
}

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() }

export interface SettableClock extends Clock {
  /** Sets the clock as a hand or a time server would: `monotonic` takes no notice. */
  set(ms: number): void
  /** Lets time go by. */
  advance(ms: number): void
}

/** A clock that stands at Unix milliseconds `startMs` until it is told otherwise. */
export function settableClock(startMs: number): SettableClock {
  let now = startMs
  let elapsed = 0
  return {
    now: () => now,
    monotonic: () => elapsed,
    set(ms) {
      now = ms
    },
    advance(ms) {
      now += ms
      elapsed += ms
    },
  }
}
