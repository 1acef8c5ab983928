import type { Clock } from '../host/clock.ts'

const most = 256

/**
 * A queue of items that have arrived and were not read yet, the oldest first. It holds at most 256 items and then drops
 * the oldest.
 */
export type Inbox<Item> = ReturnType<typeof inbox<Item>>

/** A queue between a wire and a driver. It keeps the newest items only, and ends with the wire. */
export function inbox<Item>(clock: Clock) {
  const items: Item[] = []
  let ended = false
  let wake = () => {}

  return {
    put(item: Item): void {
      items.push(item)
      if (items.length > most) items.shift()
      wake()
    },
    /** Marks the end: no more items will arrive. */
    end(): void {
      ended = true
      wake()
    },
    get ended(): boolean {
      return ended
    },
    /** True when no item waits to be read. */
    get isEmpty(): boolean {
      return items.length === 0
    },
    empty(): void {
      items.length = 0
    },
    /**
     * The next item; `late` when none arrived within `ms`, `gone` when none will ever arrive. For one caller at a time.
     */
    async next(ms: number): Promise<Item | 'late' | 'gone'> {
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
