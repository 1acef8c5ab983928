import type { Stored } from './field.ts'

export const operators = ['eq', 'ne', 'lt', 'lte', 'gt', 'gte', 'like', 'isnull', 'notnull'] as const
export type Operator = (typeof operators)[number]

export interface Filter {
  /** A field name, or a dotted path through relationships, objects and parts. */
  path: string
  /** `in` is for the program, not for requests: the field has one of several values, which `value` has as a JSON list. */
  operator: Operator | 'in'
  value: Stored
}

export interface SortKey {
  path: string
  descending: boolean
}

export interface Page {
  size: number
  after?: string
  before?: string
}

/** The parameters of a collection request, already checked against the resource. */
export interface Query {
  filters: Filter[]
  sort: SortKey[]
  page: Page
}

/** The filters for rows with these values; null finds rows without one, and a list those with one of its values. */
export function having(values: Record<string, Stored | readonly Stored[]>): Filter[] {
  return Object.entries(values).map(([path, value]) =>
    typeof value === 'object' && value !== null
      ? { path, operator: 'in', value: JSON.stringify(value) }
      : { path, operator: value === null ? 'isnull' : 'eq', value },
  )
}

/** The query for the first `size` rows that pass these filters, in the order of creation. */
export function first(filters: Filter[] = [], size = 1_000): Query {
  return { filters, sort: [], page: { size } }
}
