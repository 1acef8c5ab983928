/** The reservations that are to be fetched, whenever they were changed: the stream or an order for a key has named them. */
export interface Hints {
  add(externalId: string): void
  /** Some of them, the oldest first. */
  some(): readonly string[]
  /** These were fetched. */
  remove(externalIds: readonly string[]): void
  /** The offset of the stream's last event, from which it is replayed; null when none is known. */
  offset(): string | null
  /** The stream has come to this offset. */
  reached(offset: string | null): void
}

/** The maximum number of hints. One that is dropped is found by the next round of all stays. */
const mostHints = 1_000
/** The maximum number in one request: its URL stays short. */
const mostAtOnce = 50

/** The reservations of which the stream has said that something changed, and the place in the stream. */
export function hintsOf(): Hints {
  const ids = new Set<string>()
  let offset: string | null = null
  return {
    add(externalId) {
      if (ids.size < mostHints) ids.add(externalId)
    },
    some: () => [...ids].slice(0, mostAtOnce),
    remove(externalIds) {
      for (const id of externalIds) ids.delete(id)
    },
    offset: () => offset,
    reached(next) {
      offset = next
    },
  }
}
