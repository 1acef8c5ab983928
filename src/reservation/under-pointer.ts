import { Problem } from '../resource/problem.ts'

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
