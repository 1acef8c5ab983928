import { clockOf, type Timer } from './clock.ts'

/**
 * A clock that stands still until a test or a replay moves it. Its timers run only when they are fired, the
 * earliest first.
 */
export type VirtualClock = ReturnType<typeof virtualClock>

interface Pending {
  due: number
  order: number
  /** Null for a timer that runs once. */
  every: number | null
  ref: boolean
  run: () => void
}

/** Creates a virtual clock that shows `wallMs` in Unix milliseconds and `monotonicMs` at its start. */
export function virtualClock(wallMs: number, monotonicMs = 0) {
  const pending = new Set<Pending>()
  let monotonic = monotonicMs
  let offset = wallMs - monotonicMs
  let order = 0
  let started = () => {}

  function begin(run: () => void, ms: number, isRepeated: boolean): Timer {
    // As in Node, an invalid duration counts as one millisecond.
    const after = ms >= 1 && ms < 2 ** 31 ? ms : 1
    const every = isRepeated ? after : null
    const entry: Pending = { due: monotonic + after, order: order++, every, ref: true, run }
    pending.add(entry)
    started()
    const timer: Timer = {
      cancel: () => void pending.delete(entry),
      unref() {
        entry.ref = false
        return timer
      },
    }
    return timer
  }

  function earliest(isWanted: (entry: Pending) => boolean): Pending | null {
    let found: Pending | null = null
    for (const entry of pending) {
      if (!isWanted(entry)) continue
      if (!found || entry.due < found.due || (entry.due === found.due && entry.order < found.order))
        found = entry
    }
    return found
  }

  const clock = clockOf({
    // Sleeps may have fractions; Unix milliseconds have none.
    now: () => Math.floor(offset + monotonic),
    monotonic: () => monotonic,
    setTimeout: (run, ms) => begin(run, ms, false),
    setInterval: (run, ms) => begin(run, ms, true),
  })
  return {
    ...clock,
    /**
     * Sets the wall clock to Unix milliseconds, as a person or a time server would. `monotonic` does not
     * change.
     */
    set(wall: number): void {
      offset = wall - monotonic
    },
    /** Moves both clocks forward by `ms`. It does not run the timers that become due. */
    advance(ms: number): void {
      monotonic += ms
    },
    /**
     * Returns when the earliest pending timer is due, in `monotonic` milliseconds: of all timers, or of those
     * that keep the process running. Null without one.
     */
    next: (which: 'all' | 'ref' = 'all'): number | null =>
      earliest(({ ref }) => which === 'all' || ref)?.due ?? null,
    /**
     * Moves to the earliest pending timer, unless it is already due, and runs it. Returns false when there is
     * none.
     */
    fire(): boolean {
      const entry = earliest(() => true)
      if (!entry) return false
      monotonic = Math.max(monotonic, entry.due)
      if (entry.every === null) pending.delete(entry)
      else {
        entry.due = monotonic + entry.every
        entry.order = order++
      }
      entry.run()
      return true
    },
    /** Calls `listener` each time a timer is started; replaces the previous listener. */
    onTimer(listener: () => void): void {
      started = listener
    },
  }
}
