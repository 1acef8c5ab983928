import { type Asked, readQuery } from '../jsonapi/query.ts'
import type { Resources } from '../resource/path.ts'
import { Problem } from '../resource/problem.ts'
import type { Resource } from '../resource/resource.ts'

/** What a list of availability is asked for, with the values of its filters by their names. */
interface AvailabilityQuestion<Name extends string> {
  asked: Asked
  filters: Partial<Record<Name, string>>
}

/**
 * Reads the parameters of a list of availability. Its filters are the terms of the question, so each can be given once
 * and only as an equality. Throws 400 `invalid-filter-field` and `invalid-filter-operator` with what would do.
 */
export function readAvailability<const Name extends string>(
  resources: Resources,
  resource: Resource,
  names: readonly Name[],
  search: URLSearchParams,
): AvailabilityQuestion<Name> {
  const known = new Map([...resources, [resource.type, resource]])
  const asked = readQuery(known, resource, search)
  const filters: Partial<Record<Name, string>> = {}
  for (const { path, operator, value } of asked.query.filters) {
    const parameter = `filter[${path}]`
    const name = names.find((each) => each === path)
    if (!name) {
      throw new Problem('invalid-filter-field', `${path} cannot be filtered here.`, {
        parameter,
        meta: { allowed: names, supportedOperators: ['eq'] },
      })
    }
    if (operator !== 'eq') {
      throw new Problem('invalid-filter-operator', `${path} is asked for with eq alone.`, {
        parameter: `${parameter}[${operator}]`,
        meta: { supportedOperators: ['eq'] },
      })
    }
    if (filters[name] !== undefined) {
      throw new Problem('malformed-request', `Give ${parameter} once.`, { parameter })
    }
    filters[name] = String(value)
  }
  return { asked, filters }
}
