import { accessProvider } from '../access/resources/access-provider.ts'
import { doorNamed } from '../access/resources/door.ts'
import { key } from '../access/resources/key.ts'
import type { DoorProgram } from '../demo/simulated-door.ts'
import type { Reader } from '../resource/keeper.ts'

/** A lock as the property configures it. */
export interface Lock extends Omit<DoorProgram, 'memory'> {
  name: string
  /** The name of its lock system. */
  provider: string
  /** The name of the file with its simulated memory. */
  file: string
}

const page = { size: 1_000 }

/** Returns the lock of a unit or of a common door, by its name; null when no lock system of the property has it. */
export function lockOfDoor(
  reader: Reader,
  name: string,
  unseal: (sealed: string, context: string) => string,
): Lock | null {
  for (const row of reader.rows(accessProvider, { filters: [], sort: [], page })) {
    const lock = doorNamed(reader, row.id, name)?.lock
    const connection = (row.connection ?? {}) as { commonDoors?: Record<string, number> }
    const bit = connection.commonDoors?.[name]
    if (lock === undefined && bit === undefined) continue
    const opened = row.credentials ? unseal(row.credentials, 'access-provider') : '{}'
    return {
      name,
      provider: row.name,
      driver: row.driver,
      connection: { ...connection },
      credentials: JSON.parse(opened) as Record<string, unknown>,
      where: lock === undefined ? { commonDoor: name } : { lock },
      file: lock ?? `common-${bit}`,
    }
  }
  return null
}

/** Returns the name of the unit of a card's live key, or else of its last key; null for an unknown card. */
export function unitOfCard(reader: Reader, uid: string): string | null {
  const keys = reader.rows(key, {
    filters: [{ path: 'uid', operator: 'eq', value: uid.toUpperCase() }],
    sort: [],
    page,
  })
  const found = keys.findLast(({ status }) => status === 'live') ?? keys.at(-1)
  return found?.unitName ?? null
}
