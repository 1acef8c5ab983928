import type { Clock } from '../host/clock.ts'
import type { Condition } from './filter.ts'
import type { Found, Judging } from './select.ts'
import type { statements } from './statements.ts'
import { compareStored } from './stored-order.ts'

/** Some rows to be judged. */
export interface Chunk {
  lead: Condition
  /** Whether no row of a later chunk stands before this one. */
  isBeyond(row: Found): boolean
}

/** How many rows a chunk should have, so that judging them takes a few milliseconds. */
export interface Pace {
  rows: number
}

export type Chunks = (pace: Pace) => Generator<Chunk, void>

const begin = 128
const least = 16
const most = 32_768
const quickMs = 1
const slowMs = 3

/** The first `limit` rows of the page's order among all chunks, a step for each chunk. */
export function* topRows(
  prepare: ReturnType<typeof statements>,
  { among, descending }: Judging,
  chunks: Chunks,
  limit: number,
  { monotonic }: Clock,
): Generator<void, Found[]> {
  const pace = { rows: begin }
  let found: Found[] = []
  let started = monotonic()
  for (const { lead, isBeyond } of chunks(pace)) {
    const { sql, values } = among(lead)
    found = merged(
      found,
      prepare(sql)
        .raw()
        .all(...values, limit) as Found[],
    )
    const last = found.at(-1)
    if (last && found.length === limit && isBeyond(last)) break
    const took = monotonic() - started
    if (took < quickMs) pace.rows = Math.min(most, pace.rows * 2)
    else if (took > slowMs) pace.rows = Math.max(least, pace.rows / 2)
    yield
    started = monotonic()
  }
  return found

  /** A row that two chunks name stands there once. */
  function merged(before: Found[], more: Found[]): Found[] {
    if (more.length === 0) return before
    const sorted = [...before, ...more].sort(inOrder)
    return sorted.filter(([rid], at) => rid !== sorted[at - 1]?.[0]).slice(0, limit)
  }

  /** The keys, and the row number last. */
  function inOrder([rid, , ...keys]: Found, [otherRid, , ...otherKeys]: Found): number {
    for (const [at, key] of keys.entries()) {
      const order = compareStored(key, otherKeys[at] ?? null)
      if (order !== 0) return descending[at] ? -order : order
    }
    return descending.at(-1) ? otherRid - rid : rid - otherRid
  }
}

/** The first of them to be done, each taking a step in its turn. */
export function* firstDone<T>(contenders: readonly Generator<void, T>[]): Generator<void, T> {
  try {
    for (;;) {
      for (const contender of contenders) {
        const { done, value } = contender.next()
        if (done) return value
        yield
      }
    }
  } finally {
    for (const contender of contenders) contender.return(undefined as T)
  }
}
