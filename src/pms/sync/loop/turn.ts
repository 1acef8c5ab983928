import type { Clock } from '../../../host/clock.ts'

/** A step's share of a round: what it leaves is done in the next, after the others have had theirs. */
export interface Turn {
  /** Whether there is time for one more page, or one more batch. Counts it as taken. */
  goesOn(): boolean
}

/** Milliseconds after which no further page or batch is begun, and how many of them a turn has at most. */
const longestMs = 5_000
const most = 100

/** Begins a turn: it goes on until it has taken enough steps, or long enough. */
export function turnOf({ monotonic }: Clock): Turn {
  const until = monotonic() + longestMs
  let taken = 0
  return { goesOn: () => taken++ < most && monotonic() < until }
}

/**
 * Does the work for each item in their order, with at most `width` under way at once, and resolves when all is done. The first
 * that rejects lets no further one begin, and is what this rejects with once those under way have ended.
 */
export async function eachOf<Item>(
  items: Iterable<Item>,
  width: number,
  work: (item: Item) => Promise<unknown>,
): Promise<void> {
  const left = items[Symbol.iterator]()
  let failure: { reason: unknown } | null = null
  const worker = async () => {
    while (!failure) {
      const { done, value } = left.next()
      if (done) return
      try {
        await work(value)
      } catch (reason) {
        failure ??= { reason }
      }
    }
  }
  await Promise.all(Array.from({ length: width }, worker))
  if (failure) throw (failure as { reason: unknown }).reason
}
