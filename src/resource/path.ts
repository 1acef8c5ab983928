import type { Field, FieldOptions } from './field.ts'
import { common, type Resource, relationshipName } from './resource.ts'

/** One step of a dotted path, from a resource to a field. */
export type PathStep =
  | { via: 'reference'; field: string; computed?: string | undefined; resource: Resource }
  | { via: 'children'; by: string; resource: Resource }
  | { via: 'parts'; table: string }
  | { via: 'list'; field: string }
  | { via: 'object'; field: string }

export interface Path {
  steps: PathStep[]
  /** The last name, or the column that filters compare instead, and its field; null for the resource's own id. */
  name: string
  field: Field | null
  /** The SQL of a computed field. */
  computed?: string | undefined
}

/** All resources of the appliance, by type. */
export type Resources = ReadonlyMap<string, Resource>

/** Returns the SQL of a computed field; undefined for any other field. */
export function computedSql(resources: Resources, { computed }: FieldOptions): string | undefined {
  if (typeof computed !== 'object') return computed
  const sql = resources.get(computed.by)?.computes[computed.as]
  if (sql === undefined) throw new RangeError(`no resource ${computed.by} computes ${computed.as}`)
  return sql
}

/** Returns the resource that a reference field refers to. Throws RangeError for any other field. */
export function targetOf(resources: Resources, field: Field): Resource {
  const target = resources.get(field.to ?? '')
  if (!target) throw new RangeError(`a field points at ${field.to}, which is not a resource`)
  return target
}

/** Caches the resolved paths of a resource: declarations never change. */
const followed = new WeakMap<Resource, Map<string, Path>>()
const mostFollowed = 500

/**
 * Resolves a dotted path through relationships, parts, lists and objects. Returns null when a name is not
 * declared.
 */
export function resolvePath(resources: Resources, resource: Resource, path: string): Path | null {
  const known = followed.getOrInsertComputed(resource, () => new Map())
  const before = known.get(path)
  if (before) return before
  const found = followPath(resources, resource, path)
  if (found && known.size < mostFollowed) known.set(path, found)
  return found
}

function followPath(resources: Resources, resource: Resource, path: string): Path | null {
  const [first = '', ...rest] = path.split('.')
  const names = [...(own(resource.aliases, first) ?? first).split('.'), ...rest]
  if (names.length > 6) return null
  const steps: PathStep[] = []
  let scope = scopeOf(resource)
  for (const name of names.slice(0, -1)) {
    scope = reaching(scope, name, steps)
    const next = follow(resources, scope, name)
    if (!next) return null
    steps.push(next.step)
    scope = next.scope
  }
  const name = names.at(-1) ?? ''
  scope = reaching(scope, name, steps)
  if (name === 'id' && scope.resource) return { steps, name, field: null }
  const field = own(scope.fields, name)
  if (!field) return null
  if (field.kind === 'list' && !field.members) {
    return { steps: [...steps, { via: 'list', field: name }], name: '', field }
  }
  if (field.kind === 'parts' && field.table && field.only) {
    const member = field.members?.[field.only]
    return member
      ? { steps: [...steps, { via: 'parts', table: field.table }], name: field.only, field: member }
      : null
  }
  const { comparedBy } = field.options
  return { steps, name: comparedBy?.column ?? name, field, computed: computedSql(resources, field.options) }
}

interface Scope {
  resource: Resource | null
  fields: Record<string, Field>
  /**
   * The resource that parts refer to by their first reference. A path may use its fields as if the parts had
   * them.
   */
  stands?: { by: string; resource: Resource } | undefined
}

function scopeOf(resource: Resource): Scope {
  return { resource, fields: { ...resource.fields, ...common } }
}

/** Returns the scope that declares the name: this one, or the resource that the parts refer to. */
function reaching(scope: Scope, name: string, steps: PathStep[]): Scope {
  if (!scope.stands || own(scope.fields, name) || pointerNamed(scope.fields, name)) return scope
  const { by, resource } = scope.stands
  steps.push({ via: 'reference', field: by, resource })
  return scopeOf(resource)
}

function follow(resources: Resources, scope: Scope, name: string): { step: PathStep; scope: Scope } | null {
  const child = scope.resource && own(scope.resource.children, name)
  if (child) {
    const resource = resources.get(child.type)
    return resource ? { step: { via: 'children', by: child.by, resource }, scope: scopeOf(resource) } : null
  }
  const field = own(scope.fields, name)
  if (field?.members) {
    const inside = { resource: null, fields: field.members }
    if (field.kind === 'parts' && field.table) {
      const stands = stoodFor(resources, field.members)
      return { step: { via: 'parts', table: field.table }, scope: { ...inside, stands } }
    }
    if (field.kind === 'list') return { step: { via: 'list', field: name }, scope: inside }
    if (field.kind === 'object') return { step: { via: 'object', field: name }, scope: inside }
  }
  const pointer = pointerNamed(scope.fields, name)
  const resource = pointer?.[1].to ? resources.get(pointer[1].to) : undefined
  return pointer && resource
    ? {
        step: {
          via: 'reference',
          field: pointer[0],
          computed: computedSql(resources, pointer[1].options),
          resource,
        },
        scope: scopeOf(resource),
      }
    : null
}

/** Returns the reference whose relationship has this name. */
function pointerNamed(fields: Record<string, Field>, name: string): [string, Field] | undefined {
  return Object.entries(fields).find(([each, { to }]) => to && relationshipName(each) === name)
}

function stoodFor(resources: Resources, members: Record<string, Field>): Scope['stands'] {
  const [by, member] = Object.entries(members).find(([, { to }]) => to) ?? []
  const resource = resources.get(member?.to ?? '')
  return by !== undefined && resource ? { by, resource } : undefined
}

function own<T>(record: Record<string, T>, name: string): T | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined
}
