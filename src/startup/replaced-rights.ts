import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { rightKinds } from '../auth/rights/right-to-confirm.ts'
import { type Rights, rightResources } from '../auth/rights/rights-after-restore.ts'
import { dataFiles } from '../host/data-files.ts'
import { openVault } from '../host/vault.ts'
import type { Store } from '../jsonapi/resource-routes.ts'
import { epochOf } from '../reservation/property/epoch.ts'
import { atRest, type Connection } from '../store/connection.ts'
import { rowReader } from '../store/row.ts'
import { statements } from '../store/statements.ts'

/** How far a database is: a later one has a higher epoch, or a longer journal in the same epoch. */
interface Reach {
  epoch: number
  sequence: number
}

/**
 * Returns the tokens, accounts and stations of the database that the newest restore replaced, if it is of the same property,
 * later than the restored one, and has no rights to confirm itself. Null for any other, and for one that cannot be read: a
 * person may restore a backup for that very reason.
 */
export function replacedRights(
  data: string,
  { reader, resources }: Pick<Store, 'reader' | 'resources'>,
): Rights | null {
  const [database, key] = [dataFiles.database, dataFiles.key].map((name) =>
    join(data, dataFiles.replaced, name),
  )
  if (!existsSync(database!) || !existsSync(key!)) return null
  const restored = { epoch: epochOf(reader).own, sequence: reader.lastSequence() }
  try {
    if (openVault(key!).fingerprint !== openVault(join(data, dataFiles.key)).fingerprint) return null
    return atRest(database!, (db) =>
      isLater(reachOf(db), restored) && !isUnsure(db) ? rightsIn(db, resources) : null,
    )
  } catch {
    return null
  }
}

function isLater(one: Reach, other: Reach): boolean {
  return one.epoch >= other.epoch && one.sequence >= other.sequence
}

const unsure = "SELECT EXISTS (SELECT 1 FROM right_to_confirm WHERE reason = 'restored')"

/** Whether the database was restored itself, and does not know what had been ended before. */
function isUnsure(db: Connection): boolean {
  return db.prepare(unsure).pluck().get() === 1
}

function reachOf(db: Connection): Reach {
  const rows = db.prepare('SELECT name, value FROM counter').raw().all() as [string, number][]
  const counters = () => new Map(rows)
  const sequence = db.prepare('SELECT coalesce(max(sequence), 0) FROM journal').pluck().get()
  return { epoch: epochOf({ counters }).own, sequence: Number(sequence) }
}

function rightsIn(db: Connection, resources: Store['resources']): Rights {
  const rows = rowReader(resources, statements(db))
  const all = rightKinds.map((kind) => {
    const resource = rightResources[kind]
    const rids = db.prepare(`SELECT rid FROM ${resource.table}`).pluck().all() as number[]
    return [kind, rids.flatMap((rid) => rows.read(resource, rid) ?? [])]
  })
  return Object.fromEntries(all) as Rights
}
