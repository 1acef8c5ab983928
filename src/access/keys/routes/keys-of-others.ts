import { uuidText } from '../../../resource/uuid-sql.ts'
import type { Property } from '../../access.ts'
import { doorsOf, unitNamesOf } from '../../resources/door.ts'
import { type Key, key } from '../../resources/key.ts'
import type { KeyDoor } from '../../resources/key-door.ts'

/** A unit with a guest in house, and a live key of another guest that opens it. */
export interface KeyOfOther {
  row: Key
  unitName: string
  door: KeyDoor
}

type Reader = Property['reader']

/** What decides who are strangers: `stay` and `reservation` are row numbers; null for a key whose name is that of no stay. */
interface Guest {
  stay: number | null
  reservation: number | null
  shareId: string | null
}

const guest = 'stay.rid AS stay, stay.reservationId AS reservation, stay.shareId AS shareId'
const taken = `SELECT unit.name AS name, ${guest} FROM stay_held_unit AS held
  JOIN stay ON stay.rid = held.owner JOIN unit ON unit.rid = held.unitId WHERE stay.status = 'InHouse'`

const opened = `SELECT ${uuidText('key.id')} AS id, ${guest}, ${uuidText('access_provider.id')} AS providerId,
    door.lock AS lock
  FROM key LEFT JOIN stay ON stay.rid = key.stayId JOIN access_provider ON access_provider.rid = key.providerId
    JOIN key_door AS door ON door.owner = key.rid
  WHERE key.status = 'live' AND coalesce(key.usage, 'Guest') = 'Guest' AND key.validFrom <= ?
    AND (key.stayId IS NOT NULL OR key.externalId IS NOT NULL) AND door.lock IS NOT NULL AND door.proof IS NULL AND door.endedById IS NULL
  ORDER BY key.rid, door.position`

/**
 * The live keys of guests that open a unit in which others are in house, and not their own stay. Guests of one reservation, and those
 * who share a unit, are no strangers. A key that was ordered by a name that no stay has is one of a stranger; one without a name may
 * be that of a guest inside. At a lock that several units share, each key opens for all.
 */
export function keysOfOthers({ reader, clock }: Property): KeyOfOther[] {
  const inHouse = Map.groupBy(reader.all<Guest & { name: string }>(taken), ({ name }) => name)
  if (inHouse.size === 0) return []
  const known = new Map<string, ReadonlyMap<string, string[]>>()
  const behind = (providerId: string, lock: string) =>
    known.getOrInsertComputed(providerId, () => ownUnits(reader, providerId)).get(lock) ?? []
  return reader
    .all<Guest & { id: string; providerId: string; lock: string }>(opened, clock.now())
    .flatMap(({ id, providerId, lock, ...own }) => {
      const guests = behind(providerId, lock).flatMap((name) => inHouse.get(name) ?? [])
      if (guests.some(({ stay }) => stay === own.stay)) return []
      const stranger = guests.find((inside) => areStrangers(own, inside))
      const row = stranger ? reader.row(key, id) : null
      const door = row?.doorRows?.find((each) => each.lock === lock)
      return row && door ? [{ row, unitName: stranger!.name, door }] : []
    })
}

/** The names of the units behind each lock that is not shared. */
function ownUnits(reader: Reader, providerId: string): ReadonlyMap<string, string[]> {
  const doors = doorsOf(reader, providerId).filter(({ isShared }) => !isShared)
  const byLock = Map.groupBy(doors, ({ lock }) => lock)
  return new Map([...byLock].map(([lock, found]) => [lock, unitNamesOf(found)]))
}

function areStrangers(own: Guest, inside: Guest): boolean {
  return own.reservation !== inside.reservation && (!own.shareId || own.shareId !== inside.shareId)
}
