import type { Transaction } from '../resource/command.ts'
import type { Fields } from '../resource/fields.ts'
import { Problem } from '../resource/problem.ts'
import type { Resource, Row } from '../resource/resource.ts'

/** What a body points at by its id. Throws 422 `reference-unknown` with the pointer when it is not there. */
export function referenced<F extends Fields>(
  tx: Transaction,
  resource: Resource<F>,
  id: string,
  pointer: string,
): Row<F> {
  try {
    return tx.find(resource, id)
  } catch (error) {
    if (!(error instanceof Problem) || error.code !== 'not-found') throw error
    throw new Problem('reference-unknown', `There is no ${resource.type} ${id}.`, { pointer })
  }
}
