import { keptMs } from '../../resource/answers-since.ts'
import type { Resources } from '../../resource/path.ts'
import { Problem } from '../../resource/problem.ts'
import type { Query } from '../../resource/query.ts'
import type { Resource } from '../../resource/resource.ts'
import type { RowReader } from '../rows/row.ts'
import type { Prepare } from '../statements.ts'
import { toBlob } from '../uuid.ts'
import { type CursorValues, selectCursor } from './select.ts'

/**
 * Resolves the cursor of a page to the sort key values of the row that the cursor names. A row that was
 * deleted less than 24 hours ago still has them in its tombstone. Returns null for a page without a cursor.
 * Throws page-cursor-unknown.
 */
export function cursorReader(resources: Resources, prepare: Prepare, rows: RowReader, now: () => number) {
  return (resource: Resource, { sort, page: { after, before } }: Query): CursorValues | null => {
    const id = after ?? before
    if (id === undefined) return null
    const rid = rows.rid(resource, id)
    const sql = selectCursor(resources, resource, sort)
    // The writer may delete the row between the two statements. Its tombstone exists by then.
    const values = rid === null ? undefined : (prepare(sql).raw().get(rid) as CursorValues | undefined)
    if (values) return values
    const tombstone = prepare('SELECT cursor FROM tombstone WHERE id = ? AND type = ? AND deletedAt >= ?')
      .pluck()
      .get(toBlob(id), resource.type, now() - keptMs)
    if (typeof tombstone === 'string') {
      const gone = JSON.parse(tombstone) as Record<string, string | number | null>
      return [...sort.map(({ path }) => gone[path] ?? null), gone.rid ?? null]
    }
    throw new Problem(
      'page-cursor-unknown',
      `There is no ${resource.type} ${id} to continue after. Begin again with the first page.`,
      {
        parameter: after === undefined ? 'page[before]' : 'page[after]',
      },
    )
  }
}
