import type { Field } from '../../resource/field.ts'
import type { Resources } from '../../resource/path.ts'
import type { Resource } from '../../resource/resource.ts'

interface Holder {
  table: string
  column: string
  /** The type of the referring resource, for the message. */
  by: string
}

/** Returns every column that refers to this resource. */
export function holdersOf(resources: Resources, resource: Resource): Holder[] {
  return [...resources.values()].flatMap((other) =>
    Object.entries(other.fields).flatMap(([name, field]) => holdersIn(other, name, field, resource.type)),
  )
}

function holdersIn(other: Resource, name: string, field: Field, type: string): Holder[] {
  if (field.options.computed) return []
  if (field.to === type) return [{ table: other.table, column: name, by: other.type }]
  if (field.kind !== 'parts' || !field.table) return []
  const { table } = field
  return Object.entries(field.members ?? {})
    .filter(([, { to }]) => to === type)
    .map(([column]) => ({ table, column, by: other.type }))
}
