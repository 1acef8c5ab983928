import type { Asked } from '../../jsonapi/query/query.ts'
import type { Stored } from '../../resource/fields.ts'

/** The same question, asked of what has this value alone. */
export function narrowed(asked: Asked, path: string, value: Stored): Asked {
  const { query } = asked
  return { ...asked, query: { ...query, filters: [...query.filters, { path, operator: 'eq', value }] } }
}
