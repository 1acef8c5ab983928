import type { Resource } from '../../lib/api.ts'
import type { View } from '../../lib/el.ts'
import type { Stay } from '../../lib/resources.ts'

/** Who did what with a stay. */
export function History(_options: { stay: Resource<Stay> }): View | null {
  return null
}
