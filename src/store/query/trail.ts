import type { Field, Fields, Stored } from '../../resource/field.ts'
import type { Path } from '../../resource/path.ts'
import type { Resource } from '../../resource/resource.ts'
import type { Condition } from './filter.ts'

/**
 * The join path of a filter: where its values are stored, and how those rows join back to the rows of the
 * list.
 */
export interface Trail {
  /** The resource whose rows contain the values, in columns, lists or parts. */
  resource: Resource
  field: Field | null
  /** The column of `resource` that contains the value; null for a value inside a column or in parts. */
  column: string | null
  /** SQL: the table with the values. */
  from: string
  /** SQL: the column with the number of the row to which the values belong. */
  rid: string
  /**
   * The indexed column: that of the value, or one derived from it, which is equal for equal values. `converted`
   * derives it.
   */
  index: { name: string; converted?: (value: string) => Stored | undefined } | null
  hops: Hop[]
}

/** A join back: from a child to its owner, or from the target of a reference to the rows that refer to it. */
type Hop = { via: 'children'; table: string; by: string } | Pointer
interface Pointer {
  via: 'pointer'
  table: string
  field: string
  key: 'rid' | 'owner'
}

/**
 * Returns the join path; null when it would need a scan, because a step is computed or a reference has no
 * index.
 */
export function trailOf(resource: Resource, { steps, name, field }: Path): Trail | null {
  const hops: Hop[] = []
  let here = resource
  let holder: Field | null = null
  for (const [at, step] of steps.entries()) {
    if (step.via === 'parts') holder = Object.values(here.fields).find(({ table }) => table === step.table)!
    else if (step.via === 'children') {
      hops.push({ via: 'children', table: step.resource.table, by: step.by })
      here = step.resource
    } else if (step.via === 'reference') {
      const hop: Pointer = holder
        ? { via: 'pointer', table: holder.table!, field: step.field, key: 'owner' }
        : { via: 'pointer', table: here.table, field: step.field, key: 'rid' }
      const isIndexed = holder ? isIndexedPart(holder, step.field) : isIndexedField(here, step.field)
      if (step.computed || !isIndexed) return null
      hops.push(hop)
      holder = null
      here = step.resource
    } else {
      const isLast = at === steps.length - 1
      return isLast ? { ...rowOf(here), resource: here, field, column: null, index: null, hops } : null
    }
  }
  if (field?.options.computed) return null
  if (holder)
    return { ...partOf(holder), resource: here, field, column: null, index: partIndex(holder, name), hops }
  const column = field === null ? 'id' : name
  const index = isIndexedField(here, column) ? { name: column } : null
  return { ...rowOf(here), resource: here, field, column, index, hops }
}

/**
 * Returns the SQL for the list's rows that match `condition`. `from` is the table that contains the values,
 * and `rid` is the row number in it.
 */
export function backFrom(
  { resource, hops }: Trail,
  from: string,
  rid: string,
  condition: Condition,
): Condition {
  const joins: string[] = []
  let found = rid
  let row = from === `${resource.table} AS s` ? 's' : null
  for (const [at, hop] of hops.toReversed().entries()) {
    const next = `b${at}`
    if (hop.via === 'pointer') {
      joins.push(`CROSS JOIN ${hop.table} AS ${next} ON ${next}.${hop.field} = ${found}`)
      found = `${next}.${hop.key}`
      row = hop.key === 'rid' ? next : null
      continue
    }
    if (row === null) joins.push(`CROSS JOIN ${hop.table} AS ${next} ON ${next}.rid = ${found}`)
    found = `${row ?? next}.${hop.by}`
    row = null
  }
  const sql = `SELECT ${found} FROM ${[from, ...joins].join(' ')} WHERE ${condition.sql}`
  return { sql, values: condition.values }
}

function rowOf({ table }: Resource) {
  return { from: `${table} AS s`, rid: 's.rid' }
}

function partOf({ table }: Field) {
  return { from: `${table} AS s`, rid: 's.owner' }
}

/**
 * Whether an index sorts all rows by this column, then by row number; without those with NULL where they are not `wanted`.
 */
export function isOrderedBy(
  { fields, indexes }: Resource,
  name: string,
  wanted: 'all' | 'values' = 'all',
): boolean {
  if ((fields as Fields)[name]?.options.unique) return true
  const isEnough = (where?: string) => !where || (wanted === 'values' && where === `${name} IS NOT NULL`)
  return indexes.some((index) => index.fields.join() === name && isEnough(index.where))
}

/** Whether an index begins with this column and leaves out at most the rows with NULL. */
function isIndexedField({ fields, indexes }: Resource, name: string): boolean {
  if (name === 'id' || (fields as Fields)[name]?.options.unique) return true
  return indexes.some(
    (index) => index.fields[0] === name && (!index.where || index.where === `${name} IS NOT NULL`),
  )
}

function partIndex(holder: Field, name: string): Trail['index'] {
  if (isIndexedPart(holder, name)) return { name }
  const sibling = holder.members![holder.members![name]?.options.foundBy ?? '']
  const column = sibling?.options.comparedBy?.column
  if (!sibling || !column || !isIndexedPart(holder, column)) return null
  // An empty form is not stored.
  return { name: column, converted: (value) => sibling.read(value) || undefined }
}

function isIndexedPart({ options }: Field, member: string): boolean {
  return (options as { indexes?: readonly string[] }).indexes?.includes(member) ?? false
}
