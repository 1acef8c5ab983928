import { keysAfterRestore } from '../access/keys/after-restore.ts'
import { endAllSessions } from '../auth/sessions/session-commands.ts'
import type { Store } from '../jsonapi/resource-routes.ts'
import { linksAfterRestore } from '../pms/sync/after-restore.ts'
import { command } from '../resource/command.ts'
import { copyTakenAt } from '../store/disk/copy.ts'

/** The state of a property after a restore. Times in Unix milliseconds. */
interface Restored {
  takenAt: number
  /** The number of units that may have keys unknown to this property. */
  units: number
}

const since = Date.UTC(2026, 0, 1)
/** No property writes journal lines faster than one in ten milliseconds, averaged over years. */
const perLineMs = 10
const gap = 1 << 20

/**
 * The command that recovers a store after a restore from a backup, in one transaction. Events after the
 * backup are missing in the store. So the journal continues after every number that clients may have seen
 * meanwhile, key numbers continue after those that may have been used, each PMS is asked for all its
 * data, and all sessions end. Returns null for a store that was not restored, or was recovered before.
 */
export const recoverRestored = command('system/restored', (tx): Restored | null => {
  const takenAt = tx.add(copyTakenAt, 0)
  if (takenAt === 0) return null
  const after = tx.count('SELECT coalesce(max(sequence), 0) FROM journal')
  const lines = Math.floor((Math.max(tx.now, takenAt) - since) / perLineMs)
  const data = { takenAt: new Date(takenAt).toISOString(), after }
  tx.journal('system.restored', 'system', data, Math.max(after, lines) + gap)
  const units = keysAfterRestore(tx, takenAt)
  linksAfterRestore(tx)
  endAllSessions(tx)
  tx.forget(copyTakenAt, copyTakenAt)
  return { takenAt, units }
})

/**
 * Recovers a store that was restored from a backup, before the first request is answered. Returns null for
 * any other store.
 */
export async function recoverRestoredStore({
  reader,
  writer,
}: Pick<Store, 'reader' | 'writer'>): Promise<Restored | null> {
  if (reader.counter(copyTakenAt) === 0) return null
  return writer.execute(recoverRestored, null, { actor: { by: 'restore', requestId: null } })
}

/** Returns what a person must know about the restore, and can do. */
export function restoredNote({ takenAt, units }: Restored): string {
  const moment = new Date(takenAt).toISOString()
  const check =
    units > 0
      ? ` Keys that were made after it are not known and may open doors: check ${units} units (GET /api/config/v1/units-to-check).`
      : ''
  return `A backup was restored. The data are those of ${moment}; what happened later is not known.${check}`
}
