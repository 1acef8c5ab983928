import type { RequestedQuery } from '../../../jsonapi/query/query.ts'
import type { Stored } from '../../../resource/field.ts'

/** Returns the query with one more filter: `path` equals `value`. */
export function narrowed(asked: RequestedQuery, path: string, value: Stored): RequestedQuery {
  const { query } = asked
  return { ...asked, query: { ...query, filters: [...query.filters, { path, operator: 'eq', value }] } }
}
