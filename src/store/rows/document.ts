import type { Field } from '../../resource/field.ts'
import { type Resources, targetOf } from '../../resource/path.ts'
import type { Projection } from '../../resource/projection.ts'
import { common, type Resource } from '../../resource/resource.ts'
import { held, listed, shownAs } from './expression.ts'
import { filled, idText, slot, type Template } from './template.ts'

/** Returns the SQL that yields the text of one document, by the row number `rid`. `withHyphens` completes its ids. */
export function documentSql(resources: Resources, resource: Resource, shape: Projection): string {
  return `SELECT ${textSql(resources, resource, shape)} FROM ${resource.table} WHERE rid = ?`
}

/** Returns the SQL that yields the row numbers and texts of documents, by a JSON list of row numbers, in the same way. */
export function documentsSql(resources: Resources, resource: Resource, shape: Projection): string {
  return `SELECT rid, ${textSql(resources, resource, shape)} FROM ${resource.table} WHERE rid IN (SELECT value FROM json_each(?))`
}

function textSql(resources: Resources, resource: Resource, shape: Projection): string {
  return filled(templateOf(resources, resource, resource.table, shape))
}

/** A field whose value is the id of another row that the SQL has read already: the parent of a child. */
interface Known {
  name: string
  id: Template
}

function templateOf(
  resources: Resources,
  resource: Resource,
  row: string,
  shape: Projection,
  known?: Known,
): Template {
  const inside = (other: Resource, alias: string, of: Projection, known?: Known) =>
    templateOf(resources, other, alias, of, known)
  const id = idText(`${row}.id`)
  switch (shape.is) {
    case 'literal':
      return JSON.stringify(shape.value)
    case 'object':
      return `{${Object.entries(shape.members)
        .map(([name, member]) => `"${name}":${inside(resource, row, member, known)}`)
        .join()}}`
    case 'id':
      return `"${id}"`
    case 'path':
      return `"${shape.before}${id}${shape.after}"`
    case 'field':
      if (shape.name === known?.name) return `"${known.id}"`
      return shownAs(resources, row, shape.name, fieldOf(resource, shape.name))
    case 'one': {
      const field = fieldOf(resource, shape.field)
      const target = targetOf(resources, field)
      return slot(
        `coalesce((SELECT ${filled(inside(target, 'target', shape.of))} FROM ${target.table} AS target WHERE target.rid = ${held(resources, row, shape.field, field)}), 'null')`,
      )
    }
    case 'many': {
      const { type, by } = resource.children[shape.relationship]!
      const child = resources.get(type)!
      const { table } = child
      const item = inside(child, table, shape.of, { name: by, id })
      return listed(item, `${table} WHERE ${table}.${by} = ${row}.rid`)
    }
    case 'listed': {
      const field = fieldOf(resource, shape.field)
      const target = targetOf(resources, field.members![shape.member]!)
      const from = `${field.table} AS part CROSS JOIN ${target.table} AS target ON target.rid = part.${shape.member} WHERE part.owner = ${row}.rid`
      return listed(inside(target, 'target', shape.of), from)
    }
  }
}

function fieldOf(resource: Resource, name: string): Field {
  const field = resource.fields[name] ?? common[name as keyof typeof common]
  if (!field) throw new RangeError(`${resource.type} has no field ${name}`)
  return field
}
