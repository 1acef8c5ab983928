import { uuidPattern } from '../../resource/fields.ts'
import { didYouMean } from '../../resource/nearest.ts'
import type { Resources } from '../../resource/path.ts'
import { Problem, type ProblemCode } from '../../resource/problem.ts'
import type { Query, SortKey } from '../../resource/query.ts'
import type { Resource } from '../../resource/resource.ts'
import { totalParameter } from '../list-total.ts'
import { namesOfFilter, readFilter } from './filter-parameter.ts'
import { readFields, readInclude } from './include-parameter.ts'
import { readSort } from './sort-parameter.ts'

export const defaultSize = 10
export const largestSize = 100
const mostFilters = 30

/** The problems that the parameters of a list can cause. */
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

/**
 * The parsed parameters of a collection request: the query, the relationships to include, and the members to
 * show.
 */
export interface RequestedQuery {
  query: Query
  include: string[]
  fields: Map<string, Set<string>>
  /** Whether the answer contains the number of resources that match the filters. */
  isTotalWanted?: true
  /**
   * The scopes that filters and chosen fields need in addition to the list's scope, each with its parameter.
   */
  scopes: Map<string, string>
}

/**
 * Reads filter, sort, page, include and fields. Throws a 400 for anything that the resource does not declare.
 */
export function readQuery(resources: Resources, resource: Resource, search: URLSearchParams): RequestedQuery {
  const requested: RequestedQuery = {
    query: { filters: [], sort: [], page: { size: defaultSize } },
    include: [],
    fields: new Map(),
    scopes: new Map(),
  }
  for (const [key, value] of search) readParameter(resources, resource, requested, key, value)
  const { after, before } = requested.query.page
  if (after !== undefined && before !== undefined) {
    throw new Problem('range-pagination-unsupported', 'Give page[after] or page[before], not both.', {
      parameter: 'page[before]',
    })
  }
  if (requested.query.sort.length === 0) requested.query.sort = ownOrder(resource, requested.query)
  return requested
}

function ownOrder({ sorted }: Resource, { filters }: Query): SortKey[] {
  const isFiltered = filters.some(({ path, operator }) => operator === 'eq' && sorted?.by.includes(path))
  return sorted && isFiltered ? [...sorted.sort] : []
}

/** Like `readQuery`, for a single resource: only include and fields are allowed. */
export function readMemberQuery(
  resources: Resources,
  resource: Resource,
  search: URLSearchParams,
): RequestedQuery {
  for (const key of search.keys()) if (!/^(include$|fields\[)/.test(key)) throw unknownParameter(key)
  return readQuery(resources, resource, search)
}

/** Throws unknown-parameter for any parameter. */
export function expectNoParameters(search: URLSearchParams): void {
  for (const key of search.keys()) throw unknownParameter(key, [])
}

function readParameter(
  resources: Resources,
  resource: Resource,
  requested: RequestedQuery,
  key: string,
  value: string,
): void {
  const [, family, first] = /^([a-z]+)(?:\[([\w.-]+)\])?$/.exec(key) ?? []
  const names = namesOfFilter(key)
  const { query } = requested
  if (names) {
    if (query.filters.length >= mostFilters)
      throw new Problem('malformed-request', `At most ${mostFilters} filters.`, { parameter: key })
    const { filter, scopes } = readFilter(resources, resource, key, names, value)
    query.filters.push(filter)
    for (const scope of scopes) requested.scopes.set(scope, key)
  } else if (family === 'sort' && !first) query.sort = readSort(resources, resource, value)
  else if (family === 'page' && first) readPage(query.page, first, value)
  else if (family === 'include' && !first) requested.include = readInclude(resources, resource, value)
  else if (family === 'fields' && first) {
    const { names, scopes } = readFields(resources, first, value)
    requested.fields.set(first, names)
    for (const scope of scopes) requested.scopes.set(scope, key)
  } else if (key === totalParameter) readTotal(requested, value)
  else throw unknownParameter(key)
}

const listParameters = [
  'filter[…]',
  'sort',
  'page[size]',
  'page[after]',
  'page[before]',
  'include',
  'fields[…]',
  totalParameter,
]

/** A 400 that names the parameter and lists the allowed ones. */
export function unknownParameter(key: string, allowed: readonly string[] = listParameters): Problem {
  const parameter = key.slice(0, 100)
  return new Problem('unknown-parameter', `This operation has no parameter ${parameter}.`, {
    parameter,
    meta: { allowed },
    didYouMean: didYouMean(parameter, allowed) ?? didYouMean(parameter.split('[')[0]!, allowed),
  })
}

/** Whether the value is the id of a stored resource, or an id with a date, as computed entries have. */
function isCursor(value: string): boolean {
  return uuidPattern.test(value.replace(/:\d{4}-\d\d-\d\d$/, ''))
}

function readTotal(requested: RequestedQuery, value: string): void {
  if (value === 'true') requested.isTotalWanted = true
  else if (value !== 'false') {
    const detail = `${totalParameter}: expected true or false.`
    throw new Problem('malformed-request', detail, { parameter: totalParameter })
  }
}

function readPage(page: Query['page'], name: string, value: string): void {
  const parameter = `page[${name}]`
  if (name === 'after' || name === 'before') {
    if (!isCursor(value)) {
      throw new Problem(
        'page-cursor-unknown',
        `${parameter}: expected the id of a resource from an earlier page.`,
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
