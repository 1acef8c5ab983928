/**
 * An error that a simulator makes the next time it receives the command `at`, after it has let `skip` such commands
 * pass.
 */
export interface Misbehaviour {
  /** The command's name in the driver's own protocol table; `*` is any command. */
  at: string
  skip?: number
  /**
   * silence: do not execute, do not answer. late: execute, do not answer. garble: execute, answer with broken bytes,
   * also at each repeat request. close: do not execute, drop the line. refuse: answer with the device's own error
   * `code`. pass: behave well; use it with `then`.
   */
  does: 'silence' | 'late' | 'garble' | 'close' | 'refuse' | 'pass'
  code?: string
  /** Runs when the command arrives, before the answer: take the card away, cut the power, kill the daemon. */
  then?: () => void
}

/** Removes the misbehaviour for this command from the list, if its turn has come. */
export function misbehaviourFor(command: string, list: Misbehaviour[]): Misbehaviour | undefined {
  const index = list.findIndex(({ at }) => at === command || at === '*')
  const found = list[index]
  if (!found) return undefined
  if (found.skip) {
    found.skip--
    return undefined
  }
  list.splice(index, 1)
  found.then?.()
  return found
}
