import type { Transaction } from '../../resource/command.ts'
import type { Fields } from '../../resource/field.ts'
import { Problem } from '../../resource/problem.ts'
import type { Resource, Row } from '../../resource/resource.ts'

/**
 * Returns the row that an id in a body refers to. Throws 422 `reference-unknown` with the pointer when there is none.
 */
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

/** Returns the result of `work`. The pointers of Problems it throws get the prefix, such as `/stays/0`. */
export function underPointer<T>(prefix: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    if (error instanceof Problem) {
      for (const { options } of [error, ...error.others]) {
        if (options.pointer !== undefined) options.pointer = `${prefix}${options.pointer}`
      }
    }
    throw error
  }
}
