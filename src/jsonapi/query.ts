import { uuidPattern } from '../resource/fields.ts'
import type { Resources } from '../resource/path.ts'
import { Problem, type ProblemCode } from '../resource/problem.ts'
import type { Query } from '../resource/query.ts'
import type { Resource } from '../resource/resource.ts'
import { readFilter } from './filter-parameter.ts'
import { readFields, readInclude } from './include-parameter.ts'
import { readSort } from './sort-parameter.ts'

export const defaultSize = 10
export const largestSize = 100
const mostFilters = 30

/** What is wrong with the parameters of a list. */
export const listRefusals: readonly ProblemCode[] = [
  'malformed-request',
  'unknown-parameter',
  'invalid-filter-field',
  'invalid-filter-operator',
  'invalid-filter-value',
  'invalid-sort-field',
  'invalid-include',
  'invalid-fields',
  'invalid-page-size',
  'page-cursor-unknown',
  'range-pagination-unsupported',
]

/** A collection request: what to list, what to bring along, and which members to show. */
export interface Asked {
  query: Query
  include: string[]
  fields: Map<string, Set<string>>
  /** The scopes that filters and chosen fields ask for besides that of the list, each with the parameter that does. */
  scopes: Map<string, string>
}

/** Reads filter, sort, page, include and fields; anything the resource does not declare is refused by name. */
export function readQuery(resources: Resources, resource: Resource, search: URLSearchParams): Asked {
  const asked: Asked = {
    query: { filters: [], sort: [], page: { size: defaultSize } },
    include: [],
    fields: new Map(),
    scopes: new Map(),
  }
  for (const [key, value] of search) readParameter(resources, resource, asked, key, value)
  const { after, before } = asked.query.page
  if (after !== undefined && before !== undefined) {
    throw new Problem('range-pagination-unsupported', 'Give page[after] or page[before], not both.', {
      parameter: 'page[before]',
    })
  }
  return asked
}

/** As `readQuery`, for a single resource: include and fields alone. */
export function readMemberQuery(resources: Resources, resource: Resource, search: URLSearchParams): Asked {
  for (const key of search.keys()) if (!/^(include$|fields\[)/.test(key)) throw unknownParameter(key)
  return readQuery(resources, resource, search)
}

/** For lists that are the same whatever is asked: throws unknown-parameter for any. */
export function expectNoParameters(search: URLSearchParams): void {
  for (const key of search.keys()) throw unknownParameter(key, [])
}

function readParameter(
  resources: Resources,
  resource: Resource,
  asked: Asked,
  key: string,
  value: string,
): void {
  const [, family, first, second] = /^([a-z]+)(?:\[([\w.-]+)\])?(?:\[(\w+)\])?$/i.exec(key) ?? []
  const { query } = asked
  if (family === 'filter' && first) {
    if (query.filters.length >= mostFilters)
      throw new Problem('malformed-request', `At most ${mostFilters} filters.`, { parameter: key })
    const asks = { path: first, operator: second ?? 'eq', text: value }
    const { filter, scopes } = readFilter(resources, resource, key, asks)
    query.filters.push(filter)
    for (const scope of scopes) asked.scopes.set(scope, key)
  } else if (family === 'sort' && !first) query.sort = readSort(resources, resource, value)
  else if (family === 'page' && first && !second) readPage(query.page, first, value)
  else if (family === 'include' && !first) asked.include = readInclude(resources, resource, value)
  else if (family === 'fields' && first && !second) {
    const { names, scopes } = readFields(resources, first, value)
    asked.fields.set(first, names)
    for (const scope of scopes) asked.scopes.set(scope, key)
  } else throw unknownParameter(key)
}

const listParameters = [
  'filter[…]',
  'sort',
  'page[size]',
  'page[after]',
  'page[before]',
  'include',
  'fields[…]',
]

/** A 400 that names the parameter, and those there are. */
export function unknownParameter(key: string, allowed = listParameters): Problem {
  const parameter = key.slice(0, 100)
  return new Problem('unknown-parameter', `${parameter} is not a parameter here.`, {
    parameter,
    meta: { allowed },
  })
}

/** The id of a kept resource, or of one that is worked out for a resource from a date on. */
function isCursor(value: string): boolean {
  return uuidPattern.test(value.replace(/:\d{4}-\d\d-\d\d$/, ''))
}

function readPage(page: Query['page'], name: string, value: string): void {
  const parameter = `page[${name}]`
  if (name === 'after' || name === 'before') {
    if (!isCursor(value)) {
      throw new Problem(
        'page-cursor-unknown',
        `${parameter}: expected the id of a resource already received.`,
        { parameter },
      )
    }
    page[name] = value.toLowerCase()
  } else if (name !== 'size') throw unknownParameter(parameter)
  else if (/^\d{1,9}$/.test(value) && Number(value) >= 1 && Number(value) <= largestSize)
    page.size = Number(value)
  else {
    throw new Problem('invalid-page-size', `page[size]: expected a whole number from 1 to ${largestSize}.`, {
      parameter,
      meta: { page: { maxSize: largestSize } },
    })
  }
}
