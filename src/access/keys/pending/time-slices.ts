import type { FollowedWork } from '../../../host/background-work.ts'

/** Repeatable work that runs in time slices, one at a time. */
export type Turns = ReturnType<typeof timeSlices>

/** Returns slices that call `turn`. A slice that rejects is passed to `failed`, and the work stays due; later slices run all the same. */
export function timeSlices(turn: () => Promise<void>, work: FollowedWork, failed: (error: unknown) => void) {
  let turning: Promise<void> | null = null
  let again = false
  let ended = false

  /** Starts a slice now, or after the running one has ended. Several calls during a slice start one more. */
  function begin(): void {
    if (ended) return
    again = turning !== null
    work.due()
    turning ??= turn()
      .then(work.done, failed)
      .then(() => {
        turning = null
        if (again) begin()
      })
  }

  return {
    begin,
    /** Starts no further slice. Resolves when the running one has ended. */
    async end(): Promise<void> {
      ended = true
      await turning
      work.end()
    },
  }
}
