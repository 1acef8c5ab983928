import type { Resources } from '../resource/path.ts'
import type { Query } from '../resource/query.ts'
import type { Resource } from '../resource/resource.ts'
import type { Columns } from './columns.ts'
import type { Condition } from './filter.ts'
import { type CursorValues, type Found, judging, selectPage } from './select.ts'
import { type Hint, type Source, type Sources, sourceOfRids, sourcesOf } from './sources.ts'
import type { statements } from './statements.ts'
import { isOrderedBy } from './trail.ts'

/** Row numbers of a table that may be looked through as a whole, and rows that may be looked at one by one. */
const smallTable = 2_000
const few = 500

/** A page that is asked for: where it goes on is looked up already. */
export interface Asked {
  resource: Resource
  query: Query
  cursor: CursorValues | null
}

/** Finds the rows of a page, one more than it shows. */
export interface Finder {
  /**
   * When that takes looking at a few rows only, however many there are: a range of an index, a small table, or a filter
   * that few rows can pass. Null otherwise.
   */
  atOnce(asked: Asked): Found[] | null
  /** However long it takes. */
  whole(asked: Asked): Found[]
}

export function finder(
  resources: Resources,
  prepare: ReturnType<typeof statements>,
  columns: Columns,
): Finder {
  const large = new Set<string>()

  function atOnce(asked: Asked): Found[] | null {
    const { resource } = asked
    if (isRange(asked)) return whole(asked)
    if (isSmall(resource)) return among(asked, { sql: 'TRUE', values: [] })
    const rids = fewest(sourcesOf(resources, columns, resource, asked.query))
    if (rids?.length === 0) return []
    return rids && among(asked, numbered(resource, rids))
  }

  /** Row numbers are never given twice: what was large stays it. */
  function isSmall({ table }: Resource): boolean {
    if (large.has(table)) return false
    const greatest = prepare(`SELECT max(rid) FROM ${table}`).pluck().get() as number | null
    if ((greatest ?? 0) <= smallTable) return true
    large.add(table)
    return false
  }

  function whole({ resource, query, cursor }: Asked): Found[] {
    const found: Found[] = []
    for (const { sql, values } of selectPage(resources, resource, query, cursor)) {
      const limit = query.page.size + 1 - found.length
      if (limit <= 0) break
      found.push(
        ...(prepare(sql)
          .raw()
          .all(...values, limit) as Found[]),
      )
    }
    return found
  }

  function among({ resource, query, cursor }: Asked, lead: Condition): Found[] {
    const { sql, values } = judging(resources, resource, query, cursor).among(lead)
    return prepare(sql)
      .raw()
      .all(...values, query.page.size + 1) as Found[]
  }

  /** The search index takes longer to say that there are few, so it is asked when no other knows. */
  function fewest({ indexed, searched, hints }: Sources): number[] | null {
    return leastOf(indexed) ?? leastOf(searched.filter(hasFewValues)) ?? leastOf(hints.flatMap(inMemory))
  }

  function leastOf(sources: readonly Source[]): number[] | null {
    let best: number[] | null = null
    for (const { rows } of sources) {
      const limit = best ? best.length - 1 : few
      const { sql, values } = rows
      const rids = prepare(`${sql} LIMIT ?`)
        .pluck()
        .all(...values, limit + 1) as number[]
      if (rids.length <= limit) best = rids
    }
    return best
  }

  function hasFewValues({ values: { sql, values } }: Source): boolean {
    const count = prepare(`SELECT count(*) FROM (${sql} LIMIT ?)`).pluck()
    return (count.get(...values, few + 1) as number) <= few
  }

  function inMemory({ trail, tests }: Hint): Source[] {
    const column = columns.find(trail)
    const rids = column?.isCurrent() ? column.rids(tests, few) : null
    return rids ? [sourceOfRids(trail, rids)] : []
  }

  return { atOnce, whole }
}

/** True for the rows with these numbers. */
export function numbered({ table }: Resource, rids: readonly number[]): Condition {
  if (rids.length === 1) return { sql: `${table}.rid = ?`, values: [rids[0]!] }
  return { sql: `${table}.rid IN (SELECT value FROM json_each(?))`, values: [JSON.stringify(rids)] }
}

const comparing = new Set(['eq', 'lt', 'lte', 'gt', 'gte'])

/** Whether the page is a range of one index, in the index's own order: then as many rows are read as are shown. */
function isRange({ resource, query: { filters, sort } }: Asked): boolean {
  const [key] = sort
  const name = filters[0]?.path ?? key?.path
  if (name === undefined) return true
  if (sort.length > 1 || (key && key.path !== name)) return false
  if (name === 'id') return filters.every(({ path, operator }) => path === name && operator === 'eq')
  if (!isOrderedBy(resource, name)) return false
  if (!filters.every(({ path, operator }) => path === name && comparing.has(operator))) return false
  return filters.some(({ operator }) => operator === 'eq') || (key !== undefined && !key.descending)
}
