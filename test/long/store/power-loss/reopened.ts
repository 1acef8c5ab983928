import assert from 'node:assert/strict'
import { foundProperty, resources, shapeOf } from '../../../../src/composition/api.ts'
import { openDataFolder } from '../../../../src/startup/data-folder.ts'
import { openWritingConnection, quickCheck } from '../../../../src/store/connection.ts'
import { foundedWith } from '../../../../src/store/founded.ts'
import { migrate } from '../../../../src/store/migrate.ts'
import { transactions } from '../../../../src/store/writer/transaction.ts'

export interface Reopened {
  /** Amenities by code. */
  names: Map<string, string>
  settingsId: string
}

const settings = { checkInTime: '15:00', checkOutTime: '11:00', timeZone: 'UTC', country: 'PT' }
const pms = { name: 'This house', adapter: 'standalone' }

/**
 * Opens the store of a folder as the next start does, in its steps: key, database, migrations, the check, and the founding
 * where it is not over. Throws where a start would be refused.
 */
export function reopened(data: string): Reopened {
  const { database, vault, isFounded, founded } = openDataFolder(data, null)
  const db = openWritingConnection(database)
  try {
    migrate(db, database)
    quickCheck(db)
    assert.equal(db.pragma('integrity_check', { simple: true }), 'ok')
    assert.deepEqual(db.pragma('foreign_key_check'), [])
    if (!isFounded) {
      const { begin } = transactions(db, resources, shapeOf)
      const { fingerprint } = vault
      const tx = begin(0, { by: 'test', requestId: null })
      db.transaction(() =>
        foundProperty.run(tx, { fingerprint, settings, pms, assumed: [], sample: null }),
      ).immediate()
      founded()
    }
    assert.equal(foundedWith(db), vault.fingerprint)
    assert.equal(openDataFolder(data, null).isFounded, true)
    const amenities = db.prepare('SELECT code, name FROM amenity').raw().all() as [string, string][]
    const ids = db.prepare('SELECT lower(hex(id)) FROM settings').pluck().all() as string[]
    assert.equal(ids.length, 1)
    return { names: new Map(amenities), settingsId: ids[0]! }
  } finally {
    db.close()
  }
}
