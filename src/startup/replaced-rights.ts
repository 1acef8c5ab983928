import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import { rightKinds } from '../auth/rights/right-to-confirm.ts'
import { type Rights, rightResources } from '../auth/rights/rights-after-restore.ts'
import { dataFiles } from '../host/files/data-files.ts'
import { openVault } from '../host/vault.ts'
import type { Store } from '../jsonapi/resource-routes.ts'
import type { JournalLine } from '../resource/keeper.ts'
import { atRest, type Connection } from '../store/connection.ts'
import { rowReader } from '../store/rows/row.ts'
import { statements } from '../store/statements.ts'

/**
 * Returns the tokens, accounts and stations of the database that the newest restore replaced, if it is of the same property,
 * went on from the restored one, and has no rights to confirm itself. Null for any other, and for one that cannot be read: a
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
  const [last] = reader.journalBefore(Number.MAX_SAFE_INTEGER, 1)
  if (!last) return null
  try {
    if (openVault(key!).fingerprint !== openVault(join(data, dataFiles.key)).fingerprint) return null
    return atRest(database!, (db) => (wentOnFrom(db, last) && !isUnsure(db) ? rightsIn(db, resources) : null))
  } catch {
    return null
  }
}

/** Whether the journal of a database has this line: it is that of the restored one, and goes on after it. */
function wentOnFrom(db: Connection, { sequence, at, type, subject, actor }: JournalLine): boolean {
  const found = db.prepare('SELECT at, type, subject, actor FROM journal WHERE sequence = ?').get(sequence)
  return isDeepStrictEqual({ ...(found as object | undefined) }, { at, type, subject, actor })
}

const unsure = "SELECT EXISTS (SELECT 1 FROM right_to_confirm WHERE reason = 'restored')"

/** Whether the database was restored itself, and does not know what had been ended before. */
function isUnsure(db: Connection): boolean {
  return db.prepare(unsure).pluck().get() === 1
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
