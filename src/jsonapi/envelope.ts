import { isDeepStrictEqual } from 'node:util'
import { Problem } from '../resource/problem.ts'
import type { Resource } from '../resource/resource.ts'

type Values = Record<string, unknown>

/**
 * Returns the stored row that a body changes; null for a create. Called only when the body has relationships.
 */
export type KeptRow = () => Values | null

/** The kept row of a create. */
export const nothingKept: KeptRow = () => null

/** Returns the attributes of an enveloped or bare body, merged with the ids from its relationships. */
export function unwrap(resource: Resource, body: unknown, kept: KeptRow = nothingKept): Values {
  const { attributes, relationships } = opened(resource, body)
  return withRelationships(resource, attributes, relationships, kept)
}

function opened({ type, path }: Resource, body: unknown): { attributes: Values; relationships: Values } {
  const refuse = (place: string, detail: string, meta?: Record<string, unknown>) =>
    new Problem('validation-failed', detail, { place, ...(meta && { meta }) })
  if (!isObject(body))
    throw refuse('', 'Expected an object: attributes, or {"data": {"type", "attributes"}}.')
  if (!('data' in body)) return { attributes: body, relationships: {} }
  const { data } = body
  if (!isObject(data)) throw refuse('/data', 'data must be an object.')
  // Many clients use the collection's name as the type.
  if (data.type !== undefined && data.type !== type && data.type !== path.split('/').at(-1))
    throw refuse('/data/type', `data.type must be ${type}.`, { allowed: [type] })
  const { attributes = {}, relationships = {} } = data
  if (!isObject(attributes)) throw refuse('/data/attributes', 'data.attributes must be an object.')
  if (!isObject(relationships)) throw refuse('/data/relationships', 'data.relationships must be an object.')
  return { attributes, relationships }
}

/** The attribute that a relationship stands for, and the ids in the relationship. */
interface Reference {
  attribute: string
  many: boolean
  /** For an attribute that is a list of objects: the member that contains the id. */
  member?: string
  ids: unknown[]
}

/**
 * Merges the relationships of a body into its attributes: `unitType` sets `unitTypeId`, and a to-many
 * relationship sets the list of that name. A client may send back both and change only one of them. When both
 * are present and differ, the one that differs from the stored row counts; when both differ from it, the
 * attribute counts.
 */
function withRelationships(
  resource: Resource,
  attributes: Values,
  relationships: Values,
  kept: KeptRow,
): Values {
  const references = Object.entries(relationships).flatMap(([name, value]) =>
    referencesOf(resource, name, value),
  )
  if (references.length === 0) return attributes
  const row = kept()
  const meant = references.filter((each) => isMeant(each, attributes, row))
  return {
    ...attributes,
    ...Object.fromEntries(meant.map((each) => [each.attribute, attributeOf(each, row)])),
  }
}

function referencesOf({ fields }: Resource, name: string, value: unknown): Reference[] {
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

function isMeant({ attribute, member, ids }: Reference, attributes: Values, row: Values | null): boolean {
  if (!Object.hasOwn(attributes, attribute)) return true
  if (row === null) return false
  const kept = idsIn(row[attribute], member)
  return isDeepStrictEqual(idsIn(attributes[attribute], member), kept) && !isDeepStrictEqual(ids, kept)
}

/** Items whose ids stay in the list keep their other stored members. */
function attributeOf({ attribute, many, member, ids }: Reference, row: Values | null): unknown {
  const kept = row?.[attribute]
  if (row !== null && isDeepStrictEqual(ids, idsIn(kept, member))) return kept
  if (!many) return ids[0]
  if (member === undefined) return ids
  const items = (Array.isArray(kept) ? kept : []) as Values[]
  return ids.map((id) => items.find((item) => item[member] === id) ?? { [member]: id })
}

/** Returns the ids in an attribute. A part without a reference has none. */
function idsIn(value: unknown, member?: string): unknown[] {
  if (!Array.isArray(value)) return [value ?? null]
  const ids = member === undefined ? value : value.map((item) => (isObject(item) ? item[member] : item))
  return ids.filter((id) => id !== null && id !== undefined)
}

/** Returns the parameters of an action: a bare body, or the attributes of an enveloped one. They are not checked. */
export function parametersIn(body: unknown): unknown {
  return isObject(body) && isObject(body.data) ? (body.data.attributes ?? {}) : body
}

/** Whether the value is an object: neither null nor an array. */
export function isObject(value: unknown): value is Values {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
