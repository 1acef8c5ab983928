import { type Prepare, plannedOnce } from '../statements.ts'
import type { FoundRow, Statement } from './select.ts'
import type { Source, Sources } from './sources.ts'

/** Runs the statements of a page in order until `limit` rows are found. */
export function firstRows(prepare: Prepare, page: readonly Statement[], limit: number): FoundRow[] {
  const found: FoundRow[] = []
  for (const { sql, values } of page) {
    if (found.length === limit) break
    const rest = limit - found.length
    found.push(
      ...(prepare(sql)
        .raw()
        .all(...values, rest) as FoundRow[]),
    )
  }
  return found
}

/**
 * Returns candidate row numbers, at most `most`, from the most selective source; null when every source has
 * more. The candidates include every row of the page. The search index counts more slowly, so it is read only
 * when no other source is selective enough.
 */
export function namedRows(prepare: Prepare, { indexed, searched }: Sources, most: number): number[] | null {
  return (
    fewestOf(prepare, indexed, most) ??
    fewestOf(
      prepare,
      searched.filter((each) => hasFewValues(prepare, each, most)),
      most,
    )
  )
}

function fewestOf(prepare: Prepare, sources: readonly Source[], most: number): number[] | null {
  let best: number[] | null = null
  for (const { rows } of sources) {
    const limit = best ? best.length - 1 : most
    const { sql, values } = rows
    const rids = prepare(plannedOnce(`${sql} LIMIT ?`))
      .pluck()
      .all(...values, limit + 1) as number[]
    if (rids.length <= limit) best = rids
  }
  return best
}

function hasFewValues(prepare: Prepare, { values: { sql, values } }: Source, most: number): boolean {
  const count = prepare(plannedOnce(`SELECT count(*) FROM (${sql} LIMIT ?)`)).pluck()
  return (count.get(...values, most + 1) as number) <= most
}
