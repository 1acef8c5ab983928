import { existsSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { type KnownKeys, keysAfterRestore } from '../access/keys/pending/after-restore.ts'
import { type Rights, rightsAfterRestore } from '../auth/rights/rights-after-restore.ts'
import { dataFiles } from '../host/files/data-files.ts'
import type { Store } from '../jsonapi/resource-routes.ts'
import { linksAfterRestore } from '../pms/sync/after-restore.ts'
import { forgetPlace, isHandedOver, raiseEpoch } from '../reservation/property/epoch.ts'
import { command } from '../resource/command.ts'
import { copyTakenAt } from '../store/disk/copy.ts'
import { replacedRights } from './replaced-rights.ts'

/** The state of a property after a restore. Times in Unix milliseconds. */
interface Restored {
  takenAt: number
  /** The number of units that may have keys unknown to this property. */
  units: number
  /** When the first of those keys may have been made; null without such units. */
  unknownFrom: number | null
  /** Until this time, the segments beside the backup contain every key; null without segments. */
  keysUntil: number | null
  /** The number of tokens, accounts and stations that may have been ended after the backup. */
  rights: number
}

/**
 * The result of a restore for the next start: the keys of the segments beside the backup that was taken at `takenAt`.
 */
export interface KeysOfSegments extends KnownKeys {
  takenAt: number
}

const since = Date.UTC(2026, 0, 1)
/** The shortest average time between two journal lines of a property, in milliseconds, over years. */
const perLineMs = 10
const gap = 1 << 20

/**
 * The command that recovers a store after a restore from a backup, in one transaction. Events after the backup are
 * missing in the store. The journal therefore continues after every number that clients may have seen, and key numbers
 * continue after those that may have been used. The command also requests all data from each PMS, raises the epoch of
 * the box, and ends all sessions and what `rights` say was ended. It returns null for a store that was not restored, or was
 * recovered before.
 */
export const recoverRestored = command(
  'system/restored',
  (tx, input: { segments: KeysOfSegments | null; rights: Rights | null }): Restored | null => {
    const takenAt = tx.add(copyTakenAt, 0)
    if (takenAt === 0) return null
    const isWhole = isHandedOver(tx)
    const segments = input.segments?.takenAt === takenAt ? input.segments : null
    // A box that handed the property over has made no key since its backup.
    const known = segments ?? (isWhole ? { until: tx.now, keys: [] } : null)
    const after = tx.count('SELECT coalesce(max(sequence), 0) FROM journal')
    const lines = Math.floor((Math.max(tx.now, takenAt) - since) / perLineMs)
    const data = { takenAt: new Date(takenAt).toISOString(), after, epoch: raiseEpoch(tx) }
    tx.journal('system.restored', 'system', data, Math.max(after, lines) + gap)
    const { count: units, keysFrom: unknownFrom } = keysAfterRestore(tx, takenAt, known)
    linksAfterRestore(tx)
    const rights = rightsAfterRestore(tx, takenAt, { latest: input.rights, isWhole })
    tx.forget(copyTakenAt, copyTakenAt)
    forgetPlace(tx)
    return { takenAt, units, unknownFrom, keysUntil: segments?.until ?? null, rights }
  },
)

/**
 * Recovers a store that was restored from a backup, before the first request is answered. Returns null for
 * any other store.
 */
export async function recoverRestoredStore(
  data: string,
  store: Pick<Store, 'reader' | 'writer' | 'resources'>,
): Promise<Restored | null> {
  const { reader, writer } = store
  const file = join(data, dataFiles.restoredKeys)
  const isRestored = reader.counter(copyTakenAt) !== 0
  const segments = isRestored && existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null
  const actor = { by: 'restore', requestId: null }
  const rights = isRestored ? replacedRights(data, store) : null
  const restored = isRestored ? await writer.execute(recoverRestored, { segments, rights }, { actor }) : null
  rmSync(file, { force: true })
  return restored
}

/** Returns the consequences of the restore for a person, and the possible actions. */
export function restoredNote({ takenAt, units, unknownFrom, keysUntil, rights }: Restored): string {
  const [moment, until, unknown] = [takenAt, keysUntil ?? takenAt, unknownFrom ?? takenAt].map((each) =>
    new Date(each).toISOString(),
  )
  const segments = keysUntil === null ? '' : ` Segments of keys beside it contain each key up to ${until}.`
  const check =
    units > 0
      ? ` Keys that were made after ${unknown} may be unknown and may open doors: check ${units} rooms on the page /desk#/keys.`
      : ''
  const ended =
    rights > 0
      ? ` Tokens, accounts and stations that were ended after ${moment} are valid again: confirm or end ${rights} on the page /setup#/system/people.`
      : ''
  return `A backup was restored. The data are those of ${moment}; what happened later is not known.${segments}${check}${ended}`
}
