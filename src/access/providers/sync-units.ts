import { command } from '../../resource/command.ts'
import { having } from '../../resource/query.ts'
import { accessUnit } from '../resources/access-unit.ts'

interface SyncedUnits {
  created: string[]
  changed: string[]
  unchanged: number
  /** Stored units that the lock system did not report. They are kept, because keys may have been made for them. */
  missing: string[]
}

/** Stores the locks of a lock system as access units, by name: inserts unknown ones, and updates changed codes. */
export const syncUnits = command(
  'sync-access-units',
  (tx, input: { providerId: string; units: { name: string; code: string }[] }): SyncedUnits => {
    const { providerId, units } = input
    const rows = tx.select(accessUnit, having({ providerId }), [], 10_000)
    const known = new Map(rows.map((row) => [row.name, row]))
    const done: SyncedUnits = { created: [], changed: [], unchanged: 0, missing: [] }
    const named = new Map(units.map((each) => [each.name.normalize('NFC'), each.code]))
    tx.together(() => {
      for (const [name, code] of named) {
        const row = known.get(name)
        if (!row) {
          tx.insert(accessUnit, { name, code, providerId })
          done.created.push(name)
        } else if (row.code !== code) {
          tx.patch(accessUnit, row.id, { code })
          done.changed.push(name)
        } else done.unchanged++
      }
    })
    done.missing = [...known.keys()].filter((name) => !named.has(name))
    return done
  },
)
