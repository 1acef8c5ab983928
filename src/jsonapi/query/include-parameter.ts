import { didYouMean } from '../../resource/nearest.ts'
import type { Resources } from '../../resource/path.ts'
import { Problem } from '../../resource/problem.ts'
import type { Resource } from '../../resource/resource.ts'
import { isMember, isRelationship, memberNames, relationshipNames } from '../document.ts'

const mostPaths = 20

/**
 * Reads `include=a,b.c`: at most 20 paths of at most three relationships each. Throws invalid-include with
 * the allowed first steps.
 */
export function readInclude(resources: Resources, resource: Resource, value: string): string[] {
  const paths = value.split(',').filter((path) => path !== '')
  const meta = { allowed: relationshipNames(resource) }
  const refuse = (detail: string, strange = '') =>
    new Problem('invalid-include', detail, {
      parameter: 'include',
      meta,
      didYouMean: didYouMean(strange, meta.allowed),
    })
  if (paths.length > mostPaths) throw refuse(`At most ${mostPaths} relationships.`)
  const strange = paths.find((path) => !leadsSomewhere(resources, resource, path.split('.')))
  if (strange !== undefined)
    throw refuse(`The relationship ${strange.slice(0, 100)} cannot be included.`, strange)
  return paths
}

function leadsSomewhere(resources: Resources, resource: Resource, [name, ...rest]: string[]): boolean {
  if (name === undefined) return true
  if (rest.length > 2 || !isRelationship(resource, name)) return false
  const next = relatedType(resource, name)
  const target = next === undefined ? undefined : resources.get(next)
  return target !== undefined && leadsSomewhere(resources, target, rest)
}

function relatedType(resource: Resource, name: string): string | undefined {
  const child = Object.hasOwn(resource.children, name) ? resource.children[name] : undefined
  if (child) return child.type
  const reference = resource.fields[`${name}Id`]
  if (reference?.to) return reference.to
  return Object.values(resource.fields[name]?.members ?? {}).find(({ to }) => to)?.to
}

/**
 * Reads `fields[type]=a,b`: the chosen members of that type, and the scopes for reading them. Throws
 * invalid-fields.
 */
export function readFields(
  resources: Resources,
  type: string,
  value: string,
): { names: Set<string>; scopes: string[] } {
  const parameter = `fields[${type.slice(0, 60)}]`
  const resource = resources.get(type)
  const names = value.split(',').filter((name) => name !== '')
  const unknown = resource ? names.find((name) => !isMember(resource, name)) : type
  if (unknown !== undefined) {
    const known = resource ? memberNames(resource) : [...resources.keys()]
    throw new Problem('invalid-fields', `${parameter}: there is no ${unknown.slice(0, 60)}.`, {
      parameter,
      didYouMean: didYouMean(unknown, known),
    })
  }
  const scopes = names.flatMap((name) => resource?.fields[name]?.options.scope ?? [])
  return { names: new Set(names), scopes }
}
