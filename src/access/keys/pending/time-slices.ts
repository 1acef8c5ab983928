/** Work that is done again whenever somebody asks for it, one turn at a time. */
export interface Turns {
  /** Begins a turn at once, or another one when the present one has ended. */
  begin(): void
  /** Begins none any more. Resolves when the present one has ended. */
  end(): Promise<void>
}

/** `failed` is told of a turn that rejects; the next one begins all the same. */
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
