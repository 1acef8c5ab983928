import Database from 'better-sqlite3'
import type { Field, Stored } from '../../resource/field.ts'
import type { Resources } from '../../resource/path.ts'
import { Problem } from '../../resource/problem.ts'
import type { Resource } from '../../resource/resource.ts'
import { perResource } from '../per-resource.ts'
import { targetOf } from '../query/expression.ts'
import type { SearchIndex } from '../query/search-index.ts'
import type { RowReader } from '../row.ts'
import type { Places } from '../row-versions.ts'
import type { statements } from '../statements.ts'
import { toBlob } from '../uuid.ts'

export type Attributes = Record<string, unknown>

/** A field with its declared name. */
export type Named = [name: string, field: Field]

/** The rows to write for one list of parts, in order. */
interface PartRows {
  table: string
  columns: string[]
  items: Stored[][]
}

/**
 * Writes rows and their parts. A Problem points at the field that could not be written; nothing was written
 * then.
 */
export function rowWriter(
  resources: Resources,
  prepare: ReturnType<typeof statements>,
  rows: RowReader,
  places: Places,
  index: SearchIndex,
) {
  function insert(resource: Resource, rid: number, id: string, now: number, after: Attributes): void {
    const columns = columnsOf(resource).filter(([name]) => after[name] !== undefined && after[name] !== null)
    const names = ['rid', 'id', 'createdAt', 'updatedAt', 'revision', ...columns.map(([name]) => name)]
    const values = columns.map(([name, field]) => stored(`/${name}`, field, after[name]))
    const parts = partsOf(resource).map((named) => partRows(named, after))
    unlessTaken(resource, after, () => {
      const sql = `INSERT INTO ${resource.table} (${names}) VALUES (${names.map(() => '?')})`
      prepare(sql).run(rid, toBlob(id), now, now, 1, ...values)
    })
    for (const rows of parts) insertParts(rid, rows)
    index.put(resource, rid, after)
  }

  /** Writes the changed fields and bumps the revision. */
  function update(
    resource: Resource,
    rid: number,
    now: number,
    changed: Named[],
    before: Attributes,
    after: Attributes,
  ): void {
    const columns = changed.filter(([, { kind }]) => kind !== 'parts')
    const parts = changed.filter(([, { kind }]) => kind === 'parts').map((named) => partRows(named, after))
    const sets = ['updatedAt = ?', 'revision = revision + 1', ...columns.map(([name]) => `${name} = ?`)]
    const values = columns.map(([name, field]) => stored(`/${name}`, field, after[name]))
    unlessTaken(resource, after, () =>
      prepare(`UPDATE ${resource.table} SET ${sets} WHERE rid = ?`).run(now, ...values, rid),
    )
    places.moved(resource, rid)
    for (const rows of parts) replaceParts(rid, rows)
    index.replace(resource, rid, before, after)
  }

  function remove(resource: Resource, rid: number, before: Attributes): void {
    for (const [, { table }] of partsOf(resource)) prepare(`DELETE FROM ${table} WHERE owner = ?`).run(rid)
    prepare(`DELETE FROM ${resource.table} WHERE rid = ?`).run(rid)
    places.gone(resource, rid)
    index.drop(resource, rid, before)
  }

  /** Returns the stored value of a column; a reference becomes the row number of its target. */
  function stored(pointer: string, field: Field, value: unknown): Stored {
    if (value === undefined || value === null) return null
    if (!field.to) return field.encode(value)
    const target = targetOf(resources, field)
    const rid = rows.rid(target, String(value))
    if (rid !== null) return rid
    throw new Problem('reference-unknown', `There is no ${target.type} ${value}.`, { pointer })
  }

  /** Replaces all parts of a list. */
  function replaceParts(owner: number, rows: PartRows): void {
    prepare(`DELETE FROM ${rows.table} WHERE owner = ?`).run(owner)
    insertParts(owner, rows)
  }

  function insertParts(owner: number, { table, columns, items }: PartRows): void {
    const names = ['owner', 'position', ...columns]
    const sql = `INSERT INTO ${table} (${names}) VALUES (${names.map(() => '?')})`
    for (const [position, values] of items.entries()) prepare(sql).run(owner, position, ...values)
  }

  /**
   * Called before any write, because its lookups can throw and a caller may catch that Problem and continue.
   */
  function partRows([name, field]: Named, attributes: Attributes): PartRows {
    const members = Object.entries(field.members ?? {}).filter(([, { options }]) => !options.computed)
    const items = ((attributes[name] ?? []) as unknown[]).map((item, position) => {
      const given = field.only ? { [field.only]: item } : (item as Attributes)
      const pointer = `/${name}/${position}`
      return members.map(([member, each]) =>
        stored(field.only ? pointer : `${pointer}/${member}`, each, given[member] ?? each.options.default),
      )
    })
    return { table: field.table!, columns: members.map(([member]) => member), items }
  }

  return { insert, update, remove }
}

const columnsOf = perResource(({ fields }): Named[] =>
  Object.entries(fields).filter(([, { kind, options }]) => kind !== 'parts' && !options.computed),
)

const partsOf = perResource(({ fields }): Named[] =>
  Object.entries(fields).filter(([, { kind }]) => kind === 'parts'),
)

/** Converts a violated unique index into the problem that the index declares. */
function unlessTaken(resource: Resource, after: Attributes, write: () => unknown): void {
  try {
    write()
  } catch (error) {
    if (!(error instanceof Database.SqliteError) || error.code !== 'SQLITE_CONSTRAINT_UNIQUE') throw error
    const columns = [...error.message.matchAll(/\w+\.(\w+)/g)].map(([, column = '']) => column)
    const name = columns.at(-1) ?? 'id'
    const index = resource.indexes.find(({ fields }) => fields.join() === columns.join())
    throw new Problem(
      index?.problem ?? 'validation-failed',
      `Another ${resource.type} has ${name} ${after[name]}.`,
      {
        pointer: `/${name}`,
        cause: error,
      },
    )
  }
}
