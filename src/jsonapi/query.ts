import type { Field } from '../resource/fields.ts'
import { type Resources, resolvePath } from '../resource/path.ts'
import { Problem } from '../resource/problem.ts'
import { type Filter, type Operator, operators, type Query, type SortKey } from '../resource/query.ts'
import { common, type Resource } from '../resource/resource.ts'
import { isMember, isRelationship } from './document.ts'

export const defaultSize = 10
export const largestSize = 100
const mostFilters = 30
const mostSortKeys = 6
const mostIncludes = 20

/** A collection request: what to list, what to bring along, and which members to show. */
export interface Asked {
  query: Query
  include: string[]
  fields: Map<string, Set<string>>
}

const remembered = new WeakMap<URLSearchParams, Map<Resource, Asked>>()

/**
 * Reads filter, sort, page, include and fields; anything the resource does not declare is refused by name. The same
 * parameters, read again, are the same request: who adds to it makes one of his own.
 */
export function readQuery(resources: Resources, resource: Resource, search: URLSearchParams): Asked {
  const known = remembered.get(search) ?? new Map<Resource, Asked>()
  const asked = known.get(resource) ?? parse(resources, resource, search)
  remembered.set(search, known.set(resource, asked))
  return asked
}

function parse(resources: Resources, resource: Resource, search: URLSearchParams): Asked {
  const asked: Asked = {
    query: { filters: [], sort: [], page: { size: defaultSize } },
    include: [],
    fields: new Map(),
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
    if (query.filters.length >= mostFilters) throw tooMany('filters', mostFilters, key)
    query.filters.push(readFilter(resources, resource, key, first, second ?? 'eq', value))
  } else if (family === 'sort' && !first) query.sort = readSort(resources, resource, value)
  else if (family === 'page' && first && !second) readPage(query.page, first, value)
  else if (family === 'include' && !first) asked.include = readInclude(resources, resource, value)
  else if (family === 'fields' && first && !second)
    asked.fields.set(first, readFields(resources, first, value))
  else throw unknownParameter(key)
}

function unknownParameter(key: string): Problem {
  const parameter = key.slice(0, 100)
  return new Problem('unknown-parameter', `${parameter} is not a parameter here.`, {
    parameter,
    meta: {
      allowed: ['filter[…]', 'sort', 'page[size]', 'page[after]', 'page[before]', 'include', 'fields[…]'],
    },
  })
}

function tooMany(what: string, most: number, parameter: string): Problem {
  return new Problem('malformed-request', `At most ${most} ${what}.`, { parameter })
}

function readFilter(
  resources: Resources,
  resource: Resource,
  parameter: string,
  path: string,
  operator: string,
  text: string,
): Filter {
  const found = resolvePath(resources, resource, path)
  const filterable = found && (found.field === null || isFilterable(found))
  if (!filterable) {
    throw new Problem('invalid-filter-field', `${path} cannot be filtered.`, {
      parameter,
      meta: { allowed: filterableNames(resource), supportedOperators: operators },
    })
  }
  if (!isOperator(operator)) {
    throw new Problem(
      'invalid-filter-operator',
      `Unknown operator ${operator}; supported: ${operators.join(', ')}.`,
      {
        parameter,
        meta: { supportedOperators: operators },
      },
    )
  }
  if (operator === 'isnull' || operator === 'notnull') return { path, operator, value: null }
  if (operator === 'like') return { path, operator, value: text }
  const form = found.field?.form ?? 'id (UUID)'
  const value = found.field ? found.field.read(text) : readId(text)
  if (value === undefined) {
    throw new Problem('invalid-filter-value', `${parameter}: expected ${form}.`, {
      parameter,
      meta: { expected: form },
    })
  }
  return { path, operator, value }
}

/** A reference is filtered as an id; an object only by its members. */
function isFilterable({ name, field }: NonNullable<ReturnType<typeof resolvePath>>): boolean {
  if (!field || field.options.filterable === false) return false
  return field.kind === 'scalar' || name === ''
}

/** Everything of the resource itself that can be filtered; an object and parts by their members. */
function filterableNames(resource: Resource): string[] {
  const fields = Object.entries({ ...resource.fields, ...common })
  const shown = fields.filter(([, { options }]) => options.filterable !== false && !options.hidden)
  return ['id', ...shown.flatMap(([name, field]) => namesIn(name, field))]
}

function namesIn(name: string, { members, only }: Field): string[] {
  return members && !only ? Object.keys(members).map((member) => `${name}.${member}`) : [name]
}

function readId(text: string): string | undefined {
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text) ? text : undefined
}

function readSort(resources: Resources, resource: Resource, value: string): SortKey[] {
  const parts = value.split(',').filter((part) => part !== '')
  if (parts.length > mostSortKeys) throw tooMany('sort keys', mostSortKeys, 'sort')
  return parts.map((part) => {
    const path = part.replace(/^[-+]/, '')
    const found = resolvePath(resources, resource, path)
    const sortable = found?.steps.every(({ via }) => via === 'object') && isSortable(found.field)
    if (!sortable) {
      throw new Problem('invalid-sort-field', `${path.slice(0, 100)} cannot be sorted by.`, {
        parameter: 'sort',
        meta: { allowed: sortableNames(resource) },
      })
    }
    return { path, descending: part.startsWith('-') }
  })
}

function isSortable(field: NonNullable<ReturnType<typeof resolvePath>>['field']): boolean {
  return (
    field === null ||
    (field.kind === 'scalar' && !['json', 'sealed'].includes(field.shown) && !field.options.hidden)
  )
}

function sortableNames(resource: Resource): string[] {
  const fields = Object.entries({ ...resource.fields, ...common }).filter(([, field]) => isSortable(field))
  return ['id', ...fields.map(([name]) => name)]
}

function readPage(page: Query['page'], name: string, value: string): void {
  const parameter = `page[${name}]`
  if (name === 'after' || name === 'before') {
    if (!readId(value)) {
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

function readInclude(resources: Resources, resource: Resource, value: string): string[] {
  const paths = value.split(',').filter((path) => path !== '')
  const refuse = (detail: string) => new Problem('invalid-include', detail, { parameter: 'include' })
  if (paths.length > mostIncludes) throw refuse(`At most ${mostIncludes} relationships.`)
  const strange = paths.find((path) => !leadsSomewhere(resources, resource, path.split('.')))
  if (strange !== undefined) throw refuse(`${strange.slice(0, 100)} cannot be included.`)
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

function readFields(resources: Resources, type: string, value: string): Set<string> {
  const parameter = `fields[${type.slice(0, 60)}]`
  const resource = resources.get(type)
  const names = value.split(',').filter((name) => name !== '')
  const unknown = resource ? names.find((name) => !isMember(resource, name)) : type
  if (unknown !== undefined) {
    throw new Problem('invalid-fields', `${parameter}: there is no ${unknown.slice(0, 60)}.`, { parameter })
  }
  return new Set(names)
}

function isOperator(word: string): word is Operator {
  return (operators as readonly string[]).includes(word)
}
