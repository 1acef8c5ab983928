import { computedSql, type Resources } from '../../resource/path.ts'
import type { Resource } from '../../resource/resource.ts'
import type { Prepare } from '../statements.ts'

/**
 * Stores the sort key values of a deleted row for 24 hours, so that a cursor to it stays valid. A row that a restore has
 * brought back under its id may be deleted again.
 */
export function entomb(
  prepare: Prepare,
  resources: Resources,
  resource: Resource,
  rid: number,
  now: number,
): void {
  const paths = sortPathsOf(resources, resource)
  const members = paths.map(([path, sql]) => `'${path}', ${sql}`)
  prepare(
    `INSERT OR REPLACE INTO tombstone (id, type, rid, deletedAt, cursor)
     SELECT id, ?, rid, ?, json_object('rid', rid, ${members.join(', ')}) FROM ${resource.table} WHERE rid = ?`,
  ).run(resource.type, now, rid)
}

/** Returns every path by which a page of this resource may be sorted, with its SQL. */
function sortPathsOf(resources: Resources, resource: Resource): [path: string, sql: string][] {
  const own = Object.entries(resource.fields).flatMap(([name, field]): [string, string][] => {
    if (field.shown === 'sealed' || (field.kind === 'scalar' && field.shown === 'json')) return []
    const computed = computedSql(resources, field.options)
    if (computed) return [[name, `(${computed})`]]
    if (field.kind === 'scalar') return [[name, name]]
    if (field.kind !== 'object') return []
    return Object.keys(field.members ?? {}).map((member) => [
      `${name}.${member}`,
      `json_extract(${name}, '$.${member}')`,
    ])
  })
  return [
    ...own,
    ['createdAt', 'createdAt'],
    ['updatedAt', 'updatedAt'],
    ['revision', 'revision'],
    ['id', 'rid'],
  ]
}
