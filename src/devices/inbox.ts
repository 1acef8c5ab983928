import type { Clock } from '../host/clock.ts'

const most = 256

/**
 * A queue of items that have arrived and were not read yet, the oldest first. It holds at most 256 items and then drops
 * the oldest.
 */
export interface Inbox<Item> {
  put(item: Item): void
  /** Marks the end: no more items will arrive. */
  end(): void
  readonly ended: boolean
  /** True when no item waits to be read. */
  readonly isEmpty: boolean
  empty(): void
  /**
   * The next item; `late` when none arrived within `ms`, `gone` when none will ever arrive. For one caller at a time.
   */
  next(ms: number): Promise<Item | 'late' | 'gone'>
}

export function inbox<Item>(clock: Clock): Inbox<Item> {
  const items: Item[] = []
  let ended = false
  let wake = () => {}

  return {
    put(item) {
      items.push(item)
      if (items.length > most) items.shift()
      wake()
    },
    end() {
      ended = true
      wake()
    },
    get ended() {
      return ended
    },
    get isEmpty() {
      return items.length === 0
    },
    empty() {
      items.length = 0
    },
    async next(ms) {
      if (items.length === 0 && !ended && ms > 0) await something(ms)
      return items.shift() ?? (ended ? 'gone' : 'late')
    },
  }

  /** One more turn of the event loop after the deadline accepts items that arrived while the process was busy. */
  function something(ms: number): Promise<void> {
    return new Promise((resolve) => {
      const timer = clock.setTimeout(() => setImmediate(resolve), ms)
      wake = () => {
        timer.cancel()
        resolve()
      }
    })
  }
}

/** Counts down from `ms`. */
export function deadline({ monotonic }: Clock, ms: number): { left(): number } {
  const until = monotonic() + ms
  return { left: () => until - monotonic() }
}
