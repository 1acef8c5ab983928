import type { Store } from '../jsonapi/resource-routes.ts'
import { property } from '../reservation/resources/property.ts'

const first = { filters: [], sort: [], page: { size: 1 } }

/** Returns the source of every event: `urn:property:` and the property's id. */
export function sourceOf({ reader }: Pick<Store, 'reader'>): string {
  const [house] = reader.rows(property, first)
  return `urn:property:${house?.id ?? 'none'}`
}
