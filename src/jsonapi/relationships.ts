import { isDeepStrictEqual } from 'node:util'
import type { Resource } from '../resource/resource.ts'

type Values = Record<string, unknown>

/** The row that a body changes, as it is kept; null for a new one. Asked for when relationships are told, and not before. */
export type KeptRow = () => Values | null

/** An attribute as a relationship tells it, and the ids that the relationship names. */
interface Told {
  attribute: string
  many: boolean
  /** Where the attribute is a list of objects, their member that is the id. */
  member?: string
  ids: unknown[]
}

/**
 * The attributes of a body with those that its relationships stand for: `unitType` for `unitTypeId`, a list of things for
 * the list of that name. A client sends back both and changes one: where they disagree, the one that is not what is
 * kept is meant; where that does not tell, the attribute.
 */
export function withRelationships(
  resource: Resource,
  attributes: Values,
  relationships: Values,
  kept: KeptRow,
): Values {
  const told = Object.entries(relationships).flatMap(([name, value]) => toldBy(resource, name, value))
  if (told.length === 0) return attributes
  const row = kept()
  const meant = told.filter((each) => isMeant(each, attributes, row))
  return {
    ...attributes,
    ...Object.fromEntries(meant.map((each) => [each.attribute, attributeOf(each, row)])),
  }
}

function toldBy({ fields }: Resource, name: string, value: unknown): Told[] {
  const data = isObject(value) ? value.data : undefined
  if (!Array.isArray(data)) {
    const id = isObject(data) ? data.id : data
    return id === null || typeof id === 'string' ? [{ attribute: `${name}Id`, many: false, ids: [id] }] : []
  }
  const field = Object.hasOwn(fields, name) ? fields[name] : undefined
  const member = Object.entries(field?.members ?? {}).find(([, { to }]) => to)?.[0]
  if (field?.kind !== 'parts' || member === undefined) return []
  const ids = data.map((each) => (isObject(each) ? each.id : each))
  return [{ attribute: name, many: true, ...(!field.only && { member }), ids }]
}

function isMeant({ attribute, member, ids }: Told, attributes: Values, row: Values | null): boolean {
  if (!Object.hasOwn(attributes, attribute)) return true
  if (row === null) return false
  const kept = idsIn(row[attribute], member)
  return isDeepStrictEqual(idsIn(attributes[attribute], member), kept) && !isDeepStrictEqual(ids, kept)
}

/** What is kept beside an id stays with it. */
function attributeOf({ attribute, many, member, ids }: Told, row: Values | null): unknown {
  const kept = row?.[attribute]
  if (row !== null && isDeepStrictEqual(ids, idsIn(kept, member))) return kept
  if (!many) return ids[0]
  if (member === undefined) return ids
  const items = (Array.isArray(kept) ? kept : []) as Values[]
  return ids.map((id) => items.find((item) => item[member] === id) ?? { [member]: id })
}

/** The ids in an attribute; a part that points nowhere has none. */
function idsIn(value: unknown, member?: string): unknown[] {
  if (!Array.isArray(value)) return [value ?? null]
  const ids = member === undefined ? value : value.map((item) => (isObject(item) ? item[member] : item))
  return ids.filter((id) => id !== null && id !== undefined)
}

/** An object with members: neither null nor a list. */
export function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
