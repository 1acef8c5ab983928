import type { Field, Fields } from '../resource/field.ts'
import { literal, members, type Projection } from '../resource/projection.ts'
import { common, type Resource, relationshipName } from '../resource/resource.ts'

/** The path of a resource without its id. */
function pathOf({ base, path }: Resource): string {
  return `${base}/${path}/`
}

/**
 * Returns the projection of a resource's document: type, id, attributes, relationships, links. `chosen`
 * restricts attributes and relationships. A field with a scope is shown only when `may` returns true for that
 * scope.
 */
export function documentShape(
  resource: Resource,
  resourceOf: (type: string) => Resource,
  chosen?: ReadonlySet<string>,
  may: (scope: string) => boolean = () => false,
): Projection {
  const wanted = (name: string) => !chosen || chosen.has(name)
  const fields: Fields = { ...resource.fields, ...common }
  const shown = ({ options: { hidden, scope } }: Field) => !hidden && (scope === undefined || may(scope))
  const attributes = Object.entries(fields).filter(([name, field]) => shown(field) && wanted(name))
  const inline = Object.entries(resource.children).filter(([name, child]) => child.inline && wanted(name))
  const related = relationshipsOf(resource).filter(([name]) => wanted(name))
  return members({
    type: literal(resource.type),
    id: { is: 'id' },
    attributes: members({
      ...Object.fromEntries(attributes.map(([name]) => [name, { is: 'field', name }])),
      ...Object.fromEntries(
        inline.map(([name, child]) => [
          name,
          { is: 'many', relationship: name, of: itemShape(resourceOf(child.type)) },
        ]),
      ),
    }),
    ...(related.length > 0 && { relationships: members(Object.fromEntries(related)) }),
    links: members({ self: { is: 'path', before: pathOf(resource), after: '' } }),
  })
}

/** The projection of a resource inside another's attributes: its id and attributes, without an envelope. */
function itemShape(resource: Resource): Projection {
  const names = Object.entries<Field>({ ...resource.fields, ...common })
    .filter(([, { options }]) => !options.hidden && options.scope === undefined)
    .map(([name]) => name)
  return members({
    id: { is: 'id' },
    ...Object.fromEntries(names.map((name) => [name, { is: 'field', name }])),
  })
}

/** Returns the names of a resource's relationships, with the projections of their linkage. */
function relationshipsOf(resource: Resource): [name: string, shape: Projection][] {
  const own = Object.entries(resource.fields).flatMap(([name, field]) => linkage(name, field))
  const children = Object.entries(resource.children).map(([name, { type }]): [string, Projection] => [
    name,
    data({ is: 'many', relationship: name, of: identifier(type) }),
  ])
  return [...own, ...children]
}

function linkage(name: string, field: Field): [name: string, shape: Projection][] {
  if (field.options.hidden) return []
  if (field.to) return [[relationshipName(name), data({ is: 'one', field: name, of: identifier(field.to) })]]
  const member = Object.entries(field.members ?? {}).find(([, { to }]) => to)
  if (field.kind !== 'parts' || !member?.[1].to) return []
  return [[name, data({ is: 'listed', field: name, member: member[0], of: identifier(member[1].to) })]]
}

/** Returns the names of the resource's relationships. */
export function relationshipNames(resource: Resource): string[] {
  return relationshipsOf(resource).map(([name]) => name)
}

/** Whether `name` is a relationship of the resource. */
export function isRelationship(resource: Resource, name: string): boolean {
  return relationshipNames(resource).includes(name)
}

/** Returns the names that `isMember` knows, without hidden fields. */
export function memberNames(resource: Resource): string[] {
  const shown = Object.entries({ ...resource.fields, ...common }).filter(([, { options }]) => !options.hidden)
  return [...shown.map(([name]) => name), ...relationshipNames(resource)]
}

/** Whether `fields[type]` may contain `name`. */
export function isMember(resource: Resource, name: string): boolean {
  return Object.hasOwn({ ...resource.fields, ...common }, name) || isRelationship(resource, name)
}

function data(of: Projection): Projection {
  return members({ data: of })
}

function identifier(type: string): Projection {
  return members({ type: literal(type), id: { is: 'id' } })
}
