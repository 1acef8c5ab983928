/** What a simulator is told to do wrong: the next time `at` is asked of it (after letting `skip` pass). */
export interface Misbehaviour {
  /** The command's name in the driver's own protocol table; `*` is any command. */
  at: string
  skip?: number
  /**
   * silence: carry nothing out, answer nothing. late: carry it out, answer nothing. garble: carry it out, answer
   * with broken bytes, each time it is asked to repeat. close: carry nothing out, drop the line. refuse: answer with
   * the device's own error `code`. pass: behave well; for `then` alone.
   */
  does: 'silence' | 'late' | 'garble' | 'close' | 'refuse' | 'pass'
  code?: string
  /** Runs when the command is met, before anything is answered: take the card away, cut the power, kill the daemon. */
  then?: () => void
}

/** Takes the misbehaviour meant for this command off the list, if its turn has come. */
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
