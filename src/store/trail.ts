import type { Field, Fields, Stored } from '../resource/fields.ts'
import type { Path } from '../resource/path.ts'
import type { Resource } from '../resource/resource.ts'
import type { Condition } from './filter.ts'

/** Where the values of a filter lie, and how rows that have one lead back to the rows of the list. */
export interface Trail {
  /** The resource whose rows hold the values, as columns, in lists or in parts. */
  resource: Resource
  field: Field | null
  /** The column of `resource` that holds the value; null where it lies inside of one, or in parts. */
  column: string | null
  /** Tables to read values from, and the number of the row that holds one. */
  from: string
  rid: string
  /** The column that an index begins with: of the value itself, or of what equal values have in common. */
  index: { name: string; converted?: (value: string) => Stored | undefined } | null
  hops: Hop[]
}

/** A step back: from a child to what it belongs to, or from what is pointed at to what points at it. */
type Hop = { via: 'children'; table: string; by: string } | Pointer
interface Pointer {
  via: 'pointer'
  table: string
  field: string
  key: 'rid' | 'owner'
}

/** Null where the way back would be a search: something computed, or a reference without an index. */
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

/** SQL for the rows of the list that `condition` leads to, read from `from`, where `rid` is the row that holds the value. */
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

/** Whether an index has all rows in the order of this column, and where it is equal in that of their numbers. */
export function isOrderedBy({ fields, indexes }: Resource, name: string): boolean {
  if ((fields as Fields)[name]?.options.unique) return true
  return indexes.some((index) => index.fields.join() === name && !index.where)
}

/** Whether rows are found by this column: by an index that begins with it and leaves out nothing but NULL. */
function isIndexedField({ fields, indexes }: Resource, name: string): boolean {
  if (name === 'id' || (fields as Fields)[name]?.options.unique) return true
  return indexes.some(
    (index) => index.fields[0] === name && (!index.where || index.where === `${name} IS NOT NULL`),
  )
}

function partIndex(holder: Field, name: string): Trail['index'] {
  if (isIndexedPart(holder, name)) return { name }
  const { foundBy } = holder.members![name]!.options
  if (foundBy === undefined || !isIndexedPart(holder, foundBy)) return null
  return { name: foundBy, converted: holder.members![foundBy]!.read }
}

function isIndexedPart({ options }: Field, member: string): boolean {
  return (options as { indexes?: readonly string[] }).indexes?.includes(member) ?? false
}
