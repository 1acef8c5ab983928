import { ApiError } from '../lib/api.ts'
import { rowOf } from './failures.ts'
import { untilOpen } from './house.ts'
import type { Visit } from './visit.ts'

/** How often a request is repeated that the box did not answer, or was not ready for. */
const mostRepeats = 2

/** Repeats a request that may be sent again, when the box is back. */
export async function patiently<T>(visit: Visit, ask: () => Promise<T>): Promise<T> {
  for (let repeats = 0; ; repeats++) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof ApiError) || rowOf(error) !== 'outOfService' || repeats === mostRepeats)
        throw error
      await untilOpen(visit)
    }
  }
}
