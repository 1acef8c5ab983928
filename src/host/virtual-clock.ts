import { type Clock, clockOf, type Timer } from './clock.ts'

/**
 * A clock that stands still until it is moved. Its timers run when they are fired, the earliest first, whatever the machine's
 * own clock says meanwhile.
 */
export interface VirtualClock extends Clock {
  /** Sets the wall clock to Unix milliseconds, as a hand or a time server would: `monotonic` takes no notice. */
  set(wallMs: number): void
  /** Moves both clocks forward by `ms`. Timers that are due by then have not run yet. */
  advance(ms: number): void
  /** The earliest pending timer that would keep a process running, or the earliest of all; in `monotonic` milliseconds. */
  next(which?: 'all' | 'ref'): number | null
  /** Moves to the earliest pending timer, if it is not due already, and runs it. False when there is none. */
  fire(): boolean
  /** Is called each time a timer is started; replaces who was called before. */
  onTimer(listener: () => void): void
}

interface Pending {
  due: number
  order: number
  /** Null for a timer that runs once. */
  every: number | null
  ref: boolean
  run: () => void
}

/** A virtual clock that shows `wallMs` in Unix milliseconds and `monotonicMs` at its start. */
export function virtualClock(wallMs: number, monotonicMs = 0): VirtualClock {
  const pending = new Set<Pending>()
  let monotonic = monotonicMs
  let offset = wallMs - monotonicMs
  let order = 0
  let started = () => {}

  function begin(run: () => void, ms: number, isRepeated: boolean): Timer {
    // As Node does: what is no duration counts as one millisecond.
    const after = ms >= 1 && ms < 2 ** 31 ? ms : 1
    const entry: Pending = {
      due: monotonic + after,
      order: order++,
      every: isRepeated ? after : null,
      ref: true,
      run,
    }
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
    // Pauses may have fractions; Unix milliseconds have none.
    now: () => Math.floor(offset + monotonic),
    monotonic: () => monotonic,
    setTimeout: (run, ms) => begin(run, ms, false),
    setInterval: (run, ms) => begin(run, ms, true),
  })
  return {
    ...clock,
    set(wall) {
      offset = wall - monotonic
    },
    advance(ms) {
      monotonic += ms
    },
    next: (which = 'all') => earliest(({ ref }) => which === 'all' || ref)?.due ?? null,
    fire() {
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
    onTimer(listener) {
      started = listener
    },
  }
}
