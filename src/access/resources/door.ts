import type { Questions, Transaction } from '../../resource/command.ts'
import { invalidValue } from '../../resource/problem.ts'
import { ridOf } from '../../resource/uuid-sql.ts'

/** A door of a lock system: the name by which keys ask for it, and its lock. */
export interface Door {
  /** The unitName of keys. */
  name: string
  /** The code of the lock in the lock system. */
  lock: string
  /** The name of the unit to which the door leads: its own name, unless an access unit names another unit. */
  unit: string
  /** Several units lie behind the lock, and their keys open it side by side. */
  isShared: boolean
}

interface DoorRow extends Pick<Door, 'name' | 'lock' | 'unit'> {
  /** Whether the entry says that the lock is shared: 0 or 1. */
  shared: number
  /** The index in the unitMapping; null for an access unit. */
  place: number | null
  /** 1 for an entry of the unitMapping and for a door that leads to a unit of the property; 0 for another access unit. */
  isUnit: number
}

/** The doors of a provider. An entry of its unitMapping takes precedence over an access unit of that name. */
const doors = `WITH provider AS (SELECT * FROM access_provider WHERE rid = ${ridOf('access_provider')}),
  mapped AS (SELECT entry.value ->> '$.unitName' AS name, entry.value ->> '$.externalCode' AS lock,
    coalesce(entry.value ->> '$.shared', 0) AS shared, entry.key AS place
    FROM provider, json_each(coalesce(provider.unitMapping, '[]')) AS entry),
  door AS (SELECT * FROM mapped UNION ALL
    SELECT access_unit.name, coalesce(code, access_unit.name), coalesce(shared, 0), NULL
    FROM access_unit JOIN provider ON provider.rid = access_unit.providerId
    WHERE access_unit.name NOT IN (SELECT name FROM mapped)),
  leading AS (SELECT access_unit.name, unit.name AS unit FROM access_unit JOIN provider ON provider.rid = access_unit.providerId
    JOIN unit ON unit.rid = access_unit.unitId),
  named AS (SELECT door.*, coalesce((SELECT unit FROM leading WHERE leading.name = door.name), door.name) AS unit FROM door)
  SELECT name, lock, shared, place, unit, place IS NOT NULL OR unit IN (SELECT name FROM unit) AS isUnit FROM named`

const inOrder = 'ORDER BY place IS NULL, place'

/**
 * The doors of rows that have every entry of their locks: one entry that says so makes its lock a shared one. An access unit with a
 * name of its own says it only for a lock without units: it does not open the room of a guest to others.
 */
function shown(rows: readonly DoorRow[]): Door[] {
  const ofUnits = new Set(rows.flatMap(({ lock, isUnit }) => (isUnit ? [lock] : [])))
  const says = ({ shared, isUnit, lock }: DoorRow) => shared && (isUnit || !ofUnits.has(lock))
  const shared = new Set(rows.flatMap((row) => (says(row) ? [row.lock] : [])))
  return rows.map(({ name, lock, unit }) => ({ name, lock, unit, isShared: shared.has(lock) }))
}

/** Returns every door of a provider: those of the unitMapping in its order, then the other access units. */
export function doorsOf(db: Questions, providerId: string): Door[] {
  return shown(db.all<DoorRow>(`${doors} ${inOrder}`, providerId))
}

/** Returns the door with this name; null when the lock system has no lock for it. */
export function doorNamed(db: Questions, providerId: string, name: string): Door | null {
  return doorsBehind(db, providerId, name).find((door) => door.name === name) ?? null
}

/** Returns the door with this name and the others with its lock; none when the lock system has no lock for it. */
export function doorsBehind(db: Questions, providerId: string, name: string): Door[] {
  const sql = `${doors} WHERE lock = (SELECT lock FROM door WHERE name = ?) ${inOrder}`
  return shown(db.all<DoorRow>(sql, providerId, name))
}

/** Returns the doors with this lock, those of the unitMapping first. A lock that unit-sync has found may have two names. */
export function doorsWithLock(db: Questions, providerId: string, lock: string): Door[] {
  return shown(db.all<DoorRow>(`${doors} WHERE lock = ? ${inOrder}`, providerId, lock))
}

/** Returns the doors whose lock may be this one: a lock system may take capital and small letters for the same. */
export function doorsAlike(db: Questions, providerId: string, lock: string): Door[] {
  return shown(db.all<DoorRow>(`${doors} WHERE lock = ? COLLATE NOCASE ${inOrder}`, providerId, lock))
}

/** Returns the doors that lead to a unit: that of its name, and others that name it. */
export function doorsOfUnit(db: Questions, providerId: string, unitName: string): Door[] {
  const own = 'named.unit = ? OR named.name = ?'
  return shown(
    db.all<DoorRow>(
      `${doors} WHERE lock IN (SELECT lock FROM named WHERE ${own}) ${inOrder}`,
      providerId,
      unitName,
      unitName,
    ),
  ).filter(({ name, unit }) => name === unitName || unit === unitName)
}

/** Returns the names by which the units behind these doors may be known, each once. */
export function unitNamesOf(doors: readonly Pick<Door, 'name' | 'unit'>[]): string[] {
  return [...new Set(doors.flatMap(({ name, unit }) => [name, unit]))]
}

/** Whether several units lie behind a lock, and their keys open it side by side. */
export function isSharedLock(db: Questions, providerId: string, lock: string): boolean {
  return doorsWithLock(db, providerId, lock).some(({ isShared }) => isShared)
}

/** Two units with one lock: a card for one of them would open the other. */
export interface LockClash {
  units: [one: string, other: string]
  lock: string
  /** The index in the unitMapping of the entry that repeats the lock; null where only access units have it. */
  place: number | null
}

/**
 * Returns the units of a provider that have the lock of another. Locks that really have several units behind them say so: all
 * their entries are `shared`. An access unit that is no unit of the property may repeat a lock, but not share it: a lock system has
 * its own name for the lock of a unit, and the guard of the doors asks for the unit then.
 */
export function lockClashes(db: Questions, providerId: string): LockClash[] {
  const units = db.all<DoorRow>(`${doors} WHERE isUnit OR shared ${inOrder}`, providerId)
  // A lock system may take capital and small letters for the same.
  const byLock = [...Map.groupBy(units, ({ lock }) => lock.toUpperCase()).values()]
  return byLock.flatMap(([first, ...others]) =>
    others.flatMap(({ name, lock, shared, place, unit }) =>
      first && first.unit !== unit && !(first.shared && shared && first.lock === lock)
        ? [{ units: [first.name, name] as [string, string], lock, place: place ?? first.place }]
        : [],
    ),
  )
}

/** Throws validation-failed when one of these units has the lock of another. `pointer` locates the entry at an index. */
export function expectOwnLocks(
  tx: Transaction,
  providerId: string,
  names: ReadonlySet<string>,
  pointer: (place: number | null) => string,
): void {
  const clash = lockClashes(tx, providerId).find(({ units }) => units.some((name) => names.has(name)))
  if (!clash) return
  const { units, lock, place } = clash
  throw invalidValue(
    pointer(place),
    `${units.join(' and ')} would have one lock, ${lock}: a card for one would open the other. Correct the code; if both lie behind this lock, such as beds of a dormitory, set shared to true for both.`,
    { units, lock },
  )
}
