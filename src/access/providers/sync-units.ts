import { command } from '../../resource/command.ts'
import type { Attributes } from '../../resource/resource.ts'
import { type AccessUnit, accessUnit } from '../resources/access-unit.ts'

type UnitRow = Attributes<typeof accessUnit.fields>

interface SyncedUnits {
  created: string[]
  changed: string[]
  unchanged: number
  /** Units we have that the lock system did not name: they stay, as keys may have been made for them. */
  missing: string[]
}

/** The locks of a lock system as access units, found by their names: new ones are made, others get their code. */
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
    done.missing = [...known.keys()].filter((name) => !named.has(name))
    return done
  },
)
