/** Repeatable work that runs in time slices, one at a time. */
export interface Turns {
  /** Starts a slice now, or after the running one has ended. Several calls during a slice start one more. */
  begin(): void
  /** Starts no further slice. Resolves when the running one has ended. */
  end(): Promise<void>
}

/** Returns slices that call `turn`. A slice that rejects is passed to `failed`; later slices run all the same. */
export function timeSlices(turn: () => Promise<void>, failed: (error: unknown) => void): Turns {
  let turning: Promise<void> | null = null
  let again = false
  let ended = false

  function begin(): void {
    if (ended) return
    again = turning !== null
    turning ??= turn()
      .catch(failed)
      .then(() => {
        turning = null
        if (again) begin()
      })
  }

  return {
    begin,
    async end() {
      ended = true
      await turning
    },
  }
}
