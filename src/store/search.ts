import type { Resources } from '../resource/path.ts'
import type { Asked } from './at-once.ts'
import { allRows, rowsFrom, rowsInOrder } from './chunks.ts'
import type { Column } from './column.ts'
import type { Columns } from './columns.ts'
import { type Found, judging } from './select.ts'
import { type Hint, type Source, type Sources, sourceOfRids, sourcesOf } from './sources.ts'
import type { statements } from './statements.ts'
import { firstDone, topRows } from './top-rows.ts'

/** Values that are counted to see which source has fewer. */
const mostCounted = 20_000
/** Rows that a column may name. */
const mostNamed = 200_000
/** Steps in the order of the page before a column is made: most pages are full by then. */
const patience = 8

/**
 * Finds the rows of a page, one more than it shows, by looking at as many rows as it takes, step by step: in the order of
 * the page, and by the source with the fewest values, whichever is done first.
 */
export function* search(
  resources: Resources,
  prepare: ReturnType<typeof statements>,
  columns: Columns,
  asked: Asked,
): Generator<void, Found[]> {
  const { resource, query, cursor } = asked
  const limit = query.page.size + 1
  const judge = judging(resources, resource, query, cursor)
  const ordered = rowsInOrder(prepare, asked)
  const walk = topRows(prepare, judge, ordered ?? allRows(prepare, asked), limit)
  const sources = sourcesOf(resources, columns, resource, query)
  try {
    let source = fewest(sources)
    if (!source && sources.hints.length > 0) {
      for (let step = 0; ordered && step < patience; step++) {
        const { done, value } = walk.next()
        if (done) return value
        yield
      }
      source = yield* fromColumns(sources.hints)
    }
    if (!source) return yield* walk
    const direct = topRows(prepare, judge, rowsFrom(prepare, resource, source.rows), limit)
    return yield* firstDone([walk, direct])
  } finally {
    walk.return([])
  }

  function fewest({ indexed, searched }: Sources): Source | null {
    let best: Source | null = null
    let least = mostCounted
    for (const source of [...indexed, ...searched]) {
      const { sql, values } = source.values
      const count = prepare(`SELECT count(*) FROM (${sql} LIMIT ?)`)
        .pluck()
        .get(...values, least) as number
      if (best && count >= least) continue
      best = source
      least = count
    }
    return best
  }

  /** Makes the columns that the filters lack, and takes the one that names the fewest rows. */
  function* fromColumns(hints: readonly Hint[]): Generator<void, Source | null> {
    let best: Source | null = null
    let least = mostNamed
    for (const { trail, tests } of hints) {
      const column = columns.make(trail)
      yield* current(column)
      const rids = column.rids(tests, least)
      if (!rids) continue
      least = rids.length
      best = sourceOfRids(trail, rids)
    }
    return best
  }
}

function* current(column: Column): Generator<void, void> {
  while (!column.isCurrent()) {
    column.work()
    yield
  }
}
