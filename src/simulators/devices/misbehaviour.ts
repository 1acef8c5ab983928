/** Every way in which a simulated device can misbehave at a command. */
export const misbehaviourKinds = {
  silence: 'It neither executes the command nor answers.',
  late: 'It executes the command and does not answer.',
  garble:
    'It executes the command and answers with broken bytes, also when it is asked to repeat the answer.',
  close: 'It does not execute the command and drops the line.',
  refuse: 'It does not execute the command and answers with its own error `code`.',
  pass: 'It behaves well. The command counts.',
} as const

export type MisbehaviourKind = keyof typeof misbehaviourKinds

/** The highest number of misbehaviours that may wait at one device, and of commands that one lets pass first. */
export const mostMisbehaviours = 50
export const mostSkipped = 1_000

/**
 * An error that a simulator makes the next time it receives the command `at`, after it has let `skip` such commands
 * pass.
 */
export interface Misbehaviour {
  /** The command's name in the driver's own protocol table; `*` is any command. */
  at: string
  skip?: number
  does: MisbehaviourKind
  /** The device's own error code of a `refuse`; default one of the simulator. */
  code?: string
  /** Runs when the command arrives, before the answer: take the card away, cut the power, kill the daemon. */
  then?: () => void
}

/** Removes the misbehaviour for this command from the list, if its turn has come. */
export function misbehaviourFor<Deed extends Pick<Misbehaviour, 'at' | 'skip' | 'then'>>(
  command: string,
  list: Deed[],
): Deed | undefined {
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
