import type { Field, Fields } from '../resource/fields.ts'
import { common, type Resource, relationshipName } from '../resource/resource.ts'
import { literal, members, type Shape } from '../resource/shape.ts'

/** Where one resource is found, less its id. */
function pathOf({ base, path }: Resource): string {
  return `${base}/${path}/`
}

/**
 * The document of a resource: type, id, attributes, relationships, links. `chosen` narrows attributes and relationships.
 * What asks for a scope is shown where `may` says that the reader holds it, and nowhere else.
 */
export function documentShape(
  resource: Resource,
  resourceOf: (type: string) => Resource,
  chosen?: ReadonlySet<string>,
  may: (scope: string) => boolean = () => false,
): Shape {
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

/** A resource inside another's attributes: its id and its own attributes, without an envelope. */
function itemShape(resource: Resource): Shape {
  const names = Object.entries<Field>({ ...resource.fields, ...common })
    .filter(([, { options }]) => !options.hidden && options.scope === undefined)
    .map(([name]) => name)
  return members({
    id: { is: 'id' },
    ...Object.fromEntries(names.map((name) => [name, { is: 'field', name }])),
  })
}

/** Names and linkage of a resource's relationships. */
function relationshipsOf(resource: Resource): [name: string, shape: Shape][] {
  const own = Object.entries(resource.fields).flatMap(([name, field]) => linkage(name, field))
  const children = Object.entries(resource.children).map(([name, { type }]): [string, Shape] => [
    name,
    data({ is: 'many', relationship: name, of: identifier(type) }),
  ])
  return [...own, ...children]
}

function linkage(name: string, field: Field): [name: string, shape: Shape][] {
  if (field.options.hidden) return []
  if (field.to) return [[relationshipName(name), data({ is: 'one', field: name, of: identifier(field.to) })]]
  const member = Object.entries(field.members ?? {}).find(([, { to }]) => to)
  if (field.kind !== 'parts' || !member?.[1].to) return []
  return [[name, data({ is: 'listed', field: name, member: member[0], of: identifier(member[1].to) })]]
}

/** The relationships of the resource, by name. */
export function relationshipNames(resource: Resource): string[] {
  return relationshipsOf(resource).map(([name]) => name)
}

/** Whether a word names a relationship of the resource. */
export function isRelationship(resource: Resource, name: string): boolean {
  return relationshipNames(resource).includes(name)
}

/** Whether a word names anything that `fields[type]` may choose. */
export function isMember(resource: Resource, name: string): boolean {
  return Object.hasOwn({ ...resource.fields, ...common }, name) || isRelationship(resource, name)
}

function data(of: Shape): Shape {
  return members({ data: of })
}

function identifier(type: string): Shape {
  return members({ type: literal(type), id: { is: 'id' } })
}
