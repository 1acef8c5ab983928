import type { Store } from '../jsonapi/resource-routes.ts'
import { uuidText } from '../resource/uuid-sql.ts'

const first = `SELECT ${uuidText('id')} FROM property ORDER BY rid LIMIT 1`

/** Returns the source of every event: `urn:property:` and the property's id. */
export function sourceOf({ reader }: Pick<Store, 'reader'>): string {
  return `urn:property:${reader.text(first) ?? 'none'}`
}
