import { command } from '../../resource/command.ts'
import type { Attributes } from '../../resource/resource.ts'
import { type AccessUnit, accessUnit } from '../resources/access-unit.ts'

type UnitRow = Attributes<typeof accessUnit.fields>

interface SyncedUnits {
  created: string[]
  changed: string[]
  unchanged: number
  /** Stored units that the lock system did not report. They are kept, because keys may have been made for them. */
  missing: string[]
}

/**
 * Stores the locks of a lock system as access units, matched by name: unknown ones are inserted, and changed codes are
 * updated.
 */
export const syncUnits = command(
  'sync-access-units',
  (tx, input: { providerId: string; units: { name: string; code: string }[] }): SyncedUnits => {
    const { providerId, units } = input
    const where = [{ path: 'providerId', operator: 'eq' as const, value: providerId }]
    const known = new Map(
      (tx.select(accessUnit, where, [], 10_000) as AccessUnit[]).map((row) => [row.name, row]),
    )
    const done: SyncedUnits = { created: [], changed: [], unchanged: 0, missing: [] }
    const named = new Map(units.map((each) => [each.name.normalize('NFC'), each.code]))
    tx.together(() => {
      for (const [name, code] of named) {
        const row = known.get(name)
        if (!row) {
          tx.insert(accessUnit, { name, code, providerId } as UnitRow)
          done.created.push(name)
        } else if (row.code !== code) {
          tx.patch(accessUnit, row.id, { code } as Partial<UnitRow>)
          done.changed.push(name)
        } else done.unchanged++
      }
    })
    done.missing = [...known.keys()].filter((name) => !named.has(name))
    return done
  },
)
