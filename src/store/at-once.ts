import type { Resources } from '../resource/path.ts'
import type { Query } from '../resource/query.ts'
import type { Resource } from '../resource/resource.ts'
import type { Condition } from './filter.ts'
import { firstRows, namedRows } from './find-rows.ts'
import { type CursorValues, type Found, numbered, selectAmong, selectPage } from './select.ts'
import { sourcesOf } from './sources.ts'
import type { statements } from './statements.ts'
import { isOrderedBy } from './trail.ts'

/** Rows that may be looked at one by one while others wait: of what a filter names, or of a whole table. */
const few = 500

/** A page that is asked for: where it goes on is looked up already. */
export interface Asked {
  resource: Resource
  query: Query
  cursor: CursorValues | null
}

/** Finds the rows of a page, one more than it shows. */
interface Finder {
  /**
   * When that takes looking at a few rows only, however many there are: a range of an index, a small table, or a filter
   * that few rows can pass. Null otherwise.
   */
  atOnce(asked: Asked): Found[] | null
  /** However long it takes. */
  whole(asked: Asked): Found[]
}

export function finder(resources: Resources, prepare: ReturnType<typeof statements>): Finder {
  const large = new Set<string>()

  function atOnce(asked: Asked): Found[] | null {
    const { resource, query } = asked
    if (isRange(asked)) return whole(asked)
    if (isSmall(resource)) return among(asked, { sql: 'TRUE', values: [] })
    const rids = namedRows(prepare, sourcesOf(resources, resource, query), few)
    if (rids?.length === 0) return []
    return rids && among(asked, numbered(resource, rids))
  }

  /** Row numbers are never given twice: what was large stays it. */
  function isSmall({ table }: Resource): boolean {
    if (large.has(table)) return false
    const greatest = prepare(`SELECT max(rid) FROM ${table}`).pluck().get() as number | null
    if ((greatest ?? 0) <= few) return true
    large.add(table)
    return false
  }

  function whole({ resource, query, cursor }: Asked): Found[] {
    return firstRows(prepare, selectPage(resources, resource, query, cursor), query.page.size + 1)
  }

  function among({ resource, query, cursor }: Asked, lead: Condition): Found[] {
    return firstRows(prepare, [selectAmong(resources, resource, query, cursor, lead)], query.page.size + 1)
  }

  return { atOnce, whole }
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
