import { keysAfterRestore } from './access/keys/after-restore.ts'
import type { Keeping } from './jsonapi/resource-routes.ts'
import { change } from './resource/change.ts'
import { copyTakenAt } from './store/copy.ts'
import { linksAfterRestore } from './upstream/sync/after-restore.ts'

/** What a house was found to be that is started from a backup. Moments in Unix milliseconds. */
interface Restored {
  takenAt: number
  /** How many units may have keys that it does not know. */
  units: number
}

const since = Date.UTC(2026, 0, 1)
/** No house writes so many lines in ten milliseconds, for years. */
const perLineMs = 10
const gap = 1 << 20

/**
 * A store that is a copy begins a time of its own: something happened after the copy was taken that it does not know. The journal
 * goes on beyond every number that was told to somebody meanwhile, keys are numbered beyond those that were made, and each PMS is
 * asked for everything. All of it, or nothing; null for a store that is no copy, or was settled before.
 */
export const settleRestore = change('system/restored', (tx): Restored | null => {
  const takenAt = tx.add(copyTakenAt, 0)
  if (takenAt === 0) return null
  const after = tx.count('SELECT coalesce(max(sequence), 0) FROM journal')
  const lines = Math.floor((Math.max(tx.now, takenAt) - since) / perLineMs)
  const data = { takenAt: new Date(takenAt).toISOString(), after }
  tx.journal('system.restored', 'system', data, Math.max(after, lines) + gap)
  const units = keysAfterRestore(tx, takenAt)
  linksAfterRestore(tx)
  tx.forget(copyTakenAt, copyTakenAt)
  return { takenAt, units }
})

/** Settles a store that was started from a backup, before anybody is answered; null for any other. */
export async function settledRestore({
  reader,
  door,
}: Pick<Keeping, 'reader' | 'door'>): Promise<Restored | null> {
  if (reader.counter(copyTakenAt) === 0) return null
  return door.write(settleRestore, null, { actor: { by: 'restore', requestId: null } })
}

/** What a person has to know of it, and can do. */
export function restoredNote({ takenAt, units }: Restored): string {
  const moment = new Date(takenAt).toISOString()
  const check =
    units > 0
      ? ` Keys made since are not known and may open: ${units} units are to be checked (GET /api/config/v1/units-to-check).`
      : ''
  return `This is the property as of ${moment}: a backup was restored. What happened since is not known.${check}`
}
