import { command } from '../resource/command.ts'
import type { Ended } from './update-state.ts'

const finishedPrefix = 'update/'

/** The event of an update that has ended. */
interface Finished extends Pick<Ended, 'id' | 'result' | 'version' | 'from' | 'slot'> {
  seconds: number
  /** Why the update failed or was rolled back, in English; null when it was confirmed. */
  reason: string | null
}

/** The command that records the end of an update. Repeats for the same update do nothing. */
export const noteFinished = command('update/finished', (tx, { id, version, ...ended }: Finished): null => {
  if (tx.counters(finishedPrefix + id, finishedPrefix + id).size > 0) return null
  tx.forget(finishedPrefix, `${finishedPrefix}~`)
  tx.add(finishedPrefix + id, 1)
  tx.journal('system.update-finished', 'system', { ...ended, to: version })
  return null
})

/** The command that records the request of a person. */
export const noteAsked = command(
  'update/asked',
  (tx, asked: { action: 'install' | 'hold' | 'confirm'; version: string | null }): null => {
    tx.journal('system.update-requested', 'system', asked)
    return null
  },
)

export const updateCommands = [noteFinished, noteAsked]
