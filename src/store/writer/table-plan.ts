import { memoized } from '../../host/memoized.ts'
import type { Field } from '../../resource/field.ts'
import type { Resource } from '../../resource/resource.ts'

export type AttributeValues = Record<string, unknown>

/** A field with its declared name. */
export type Named = [name: string, field: Field]

/** A field whose items are rows of a table of their own. */
export interface PartList {
  name: string
  table: string
  /** The only member, when the items are values instead of objects. */
  only: string | undefined
  members: Named[]
  /** The SQL that inserts one item. */
  sql: string
}

/** What the declaration of a resource says about writing its rows. */
interface TablePlan {
  /** The fields that have a column or a table of their own. Computed fields are never written. */
  stored: Named[]
  /** The stored fields that have a column. */
  columns: Named[]
  parts: PartList[]
  /** References whose target shows data of this resource. */
  touching: Named[]
  defaults: AttributeValues
  /** The SQL that inserts a row: rid, id, createdAt, updatedAt, revision, and the columns. */
  insertSql: string
}

/** Returns the plan of a resource. It is made once. */
export const planOf = memoized(({ table, fields }: Resource): TablePlan => {
  const stored = storedIn(fields)
  const columns = stored.filter(([, { kind }]) => kind !== 'parts')
  const withDefault = stored.filter(([, { options }]) => options.default !== undefined)
  return {
    stored,
    columns,
    parts: stored.filter(([, { kind }]) => kind === 'parts').map(partList),
    touching: stored.filter(([, { options }]) => options.touches),
    defaults: Object.fromEntries(withDefault.map(([name, { options }]) => [name, options.default])),
    insertSql: insertSql(table, ['rid', 'id', 'createdAt', 'updatedAt', 'revision', ...namesOf(columns)]),
  }
})

/** Returns the fields that are not computed. */
export function storedIn(fields: Record<string, Field>): Named[] {
  return Object.entries(fields).filter(([, { options }]) => !options.computed)
}

function partList([name, { table = '', only, members = {} }]: Named): PartList {
  const stored = storedIn(members)
  return {
    name,
    table,
    only,
    members: stored,
    sql: insertSql(table, ['owner', 'position', ...namesOf(stored)]),
  }
}

function namesOf(fields: Named[]): string[] {
  return fields.map(([name]) => name)
}

function insertSql(table: string, columns: string[]): string {
  return `INSERT INTO ${table} (${columns}) VALUES (${Array(columns.length).fill('?')})`
}
