import type { Found, Statement } from './select.ts'
import type { Source, Sources } from './sources.ts'
import type { statements } from './statements.ts'

type Prepare = ReturnType<typeof statements>

/** The first rows of a page's statements, which are in its order; at most `limit`. */
export function firstRows(prepare: Prepare, page: readonly Statement[], limit: number): Found[] {
  const found: Found[] = []
  for (const { sql, values } of page) {
    if (found.length === limit) break
    const rest = limit - found.length
    found.push(
      ...(prepare(sql)
        .raw()
        .all(...values, rest) as Found[]),
    )
  }
  return found
}

/**
 * The numbers of at most `most` rows among which are all that a page can show, as the source that names the fewest has them;
 * null where each names more. The search index takes longer to say that there are few, so it is asked when no other knows.
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
    const rids = prepare(`${sql} LIMIT ?`)
      .pluck()
      .all(...values, limit + 1) as number[]
    if (rids.length <= limit) best = rids
  }
  return best
}

function hasFewValues(prepare: Prepare, { values: { sql, values } }: Source, most: number): boolean {
  const count = prepare(`SELECT count(*) FROM (${sql} LIMIT ?)`).pluck()
  return (count.get(...values, most + 1) as number) <= most
}
