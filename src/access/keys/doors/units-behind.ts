import { noParty, staysInHouse } from '../../../reservation/units/unit-occupancy.ts'
import type { Questions } from '../../../resource/command.ts'
import { uuidText } from '../../../resource/uuid-sql.ts'

const named = `SELECT ${uuidText('unit.id')} AS id
  FROM json_each(?) AS wanted JOIN unit ON unit.name = wanted.value ORDER BY wanted.key`

/** Returns the ids of the units with these names, each once, in this order. */
export function unitsNamed(db: Questions, names: readonly string[]): string[] {
  return db.all<{ id: string }>(named, JSON.stringify([...new Set(names)])).map(({ id }) => id)
}

/** Returns the ids of the stays that are in house in these units, each once. */
export function guestsIn(db: Questions, unitIds: readonly string[]): string[] {
  return [...new Set(unitIds.flatMap((id) => staysInHouse(db, id, noParty)))]
}
