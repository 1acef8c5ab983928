import type { Clock } from '../host/clock.ts'
import type { Resources } from '../resource/path.ts'
import type { Asked } from './at-once.ts'
import { allRows, rowsFrom, rowsInOrder } from './chunks.ts'
import { type Column, ridsOf } from './column.ts'
import type { Columns } from './columns.ts'
import { type Found, judging } from './select.ts'
import { type Hint, type Source, type Sources, sourceOfRids, sourcesOf } from './sources.ts'
import type { statements } from './statements.ts'
import { firstDone, topRows } from './top-rows.ts'

/** Values that are counted: sources with more are as good as none. */
const mostCounted = 60_000
/** So few are looked at before anything else could be done. */
const fewValues = 3_000
/** A source with more than this part of all rows is worse than looking at all of them. */
const largePart = 1 / 4
/** Steps in the order of the page before anything is counted, and before a column is made: most pages are full by then. */
const firstSteps = 4
const headStart = 12

interface Counted {
  source: Source
  values: number
}

/**
 * Finds the rows of a page, one more than it shows, by looking at as many rows as it takes, step by step. Looking in the
 * order of the page is short where many rows pass, and looking at those that a filter names where few do; in between it
 * depends on where they stand, so both go on side by side until one is done.
 */
export function* search(
  resources: Resources,
  prepare: ReturnType<typeof statements>,
  columns: Columns,
  clock: Clock,
  asked: Asked,
): Generator<void, Found[]> {
  const { resource, query, cursor } = asked
  const limit = query.page.size + 1
  const judge = judging(resources, resource, query, cursor)
  const ordered = rowsInOrder(prepare, asked)
  const walk = topRows(prepare, judge, ordered ?? allRows(prepare, asked), limit, clock)
  const sources = sourcesOf(resources, columns, resource, query)
  const enough = Math.min(mostCounted, (ridsOf(prepare, resource).to + 1) * largePart)
  try {
    let best = yield* fromColumns(sources.hints.filter(isReady), null)
    if (!isShort(best)) {
      const full = ordered && (yield* stepsOf(walk, firstSteps))
      if (full) return full
      best = leastOf(sources, best)
    }
    if (!isShort(best)) {
      const full = ordered && (yield* stepsOf(walk, headStart))
      if (full) return full
      best = yield* fromColumns(sources.hints, best)
    }
    if (!best || best.values >= enough) return yield* walk
    const direct = topRows(prepare, judge, rowsFrom(prepare, resource, best.source.rows), limit, clock)
    return yield* ordered && !isShort(best) ? firstDone([direct, walk]) : direct
  } finally {
    walk.return([])
  }

  function isReady({ trail }: Hint): boolean {
    return columns.find(trail)?.isCurrent() ?? false
  }

  function leastOf({ indexed, searched }: Sources, best: Counted | null): Counted | null {
    for (const source of [...indexed, ...searched]) {
      const { sql, values } = source.values
      const most = best?.values ?? enough
      const count = prepare(`SELECT count(*) FROM (${sql} LIMIT ?)`).pluck()
      const found = count.get(...values, Math.ceil(most)) as number
      if (!best || found < best.values) best = { source, values: found }
    }
    return best
  }

  /** Makes the columns that the filters lack, and takes one that names fewer rows than `best`. */
  function* fromColumns(hints: readonly Hint[], best: Counted | null): Generator<void, Counted | null> {
    for (const { trail, tests } of hints) {
      const column = columns.make(trail)
      yield* current(column)
      const rids = column.rids(tests, best?.values ?? enough)
      if (rids) best = { source: sourceOfRids(trail, rids), values: rids.length }
    }
    return best
  }
}

function isShort(best: Counted | null): boolean {
  return best !== null && best.values <= fewValues
}

/** What is found when these steps are enough; null otherwise. */
function* stepsOf<T>(work: Generator<void, T>, steps: number): Generator<void, T | null> {
  for (let step = 0; step < steps; step++) {
    const { done, value } = work.next()
    if (done) return value
    yield
  }
  return null
}

function* current(column: Column): Generator<void, void> {
  while (!column.isCurrent()) {
    column.work()
    yield
  }
}
