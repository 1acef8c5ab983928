import type { Field } from '../resource/field.ts'
import { type Resources, targetOf } from '../resource/path.ts'
import type { Projection } from '../resource/projection.ts'
import { common, type Resource } from '../resource/resource.ts'
import { uuidText } from '../resource/uuid-sql.ts'
import { held, shownAs } from './query/expression.ts'

/** Returns the SQL that yields the text of one document, by the row number `rid`. */
export function documentSql(resources: Resources, resource: Resource, shape: Projection): string {
  return `SELECT ${expression(resources, resource, resource.table, shape)} FROM ${resource.table} WHERE rid = ?`
}

function expression(resources: Resources, resource: Resource, row: string, shape: Projection): string {
  const inside = (other: Resource, alias: string, of: Projection) => expression(resources, other, alias, of)
  switch (shape.is) {
    case 'literal':
      return quoted(shape.value)
    case 'object':
      return `json_object(${Object.entries(shape.members)
        .map(([name, member]) => `${quoted(name)}, ${expression(resources, resource, row, member)}`)
        .join(', ')})`
    case 'id':
      return uuidText(`${row}.id`)
    case 'path':
      return `${quoted(shape.before)} || ${uuidText(`${row}.id`)} || ${quoted(shape.after)}`
    case 'field':
      return shownAs(resources, row, shape.name, fieldOf(resource, shape.name))
    case 'one': {
      const field = fieldOf(resource, shape.field)
      const target = targetOf(resources, field)
      return `json((SELECT ${inside(target, 'target', shape.of)} FROM ${target.table} AS target WHERE target.rid = ${held(resources, row, shape.field, field)}))`
    }
    case 'many': {
      const { type, by } = resource.children[shape.relationship]!
      const child = resources.get(type)!
      return `json((SELECT json_group_array(${inside(child, child.table, shape.of)} ORDER BY ${child.table}.rid) FROM ${child.table} WHERE ${child.table}.${by} = ${row}.rid))`
    }
    case 'listed': {
      const field = fieldOf(resource, shape.field)
      const target = targetOf(resources, field.members![shape.member]!)
      return `json((SELECT json_group_array(${inside(target, 'target', shape.of)} ORDER BY part.position) FROM ${field.table} AS part JOIN ${target.table} AS target ON target.rid = part.${shape.member} WHERE part.owner = ${row}.rid))`
    }
  }
}

function fieldOf(resource: Resource, name: string): Field {
  const field = resource.fields[name] ?? common[name as keyof typeof common]
  if (!field) throw new RangeError(`${resource.type} has no field ${name}`)
  return field
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`
}
