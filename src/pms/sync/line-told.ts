import type { Linked } from './linked.ts'

/** Has it written down when the line to a PMS comes or goes, each once, in the order in which it happened. */
export function lineTold({
  write,
  changes,
  configuration,
  failed,
}: Pick<Linked, 'write' | 'changes' | 'configuration' | 'failed'>) {
  let last: boolean | null = null
  let writing: Promise<unknown> = Promise.resolve()

  /** `reason` is null for a line that is there. */
  function tell(reason: string | null): void {
    const isConnected = reason === null
    if (last === isConnected) return
    last = isConnected
    const input = { configurationId: configuration.id, isConnected, reason: reason?.slice(0, 500) ?? null }
    writing = writing
      .then(() => write(changes.tellLine, input))
      .catch((error) => {
        last = null
        failed(error)
      })
  }

  return {
    tell,
    /** Null until it is known. */
    isConnected: () => last,
    /** Resolves when what was told so far is on the disk. */
    settled: () => writing,
  }
}
