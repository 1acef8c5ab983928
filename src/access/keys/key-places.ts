import { isDeepStrictEqual } from 'node:util'
import type { Key, KeyPlace, RequestedChange } from '../resources/key.ts'

/** The highest number of states in which a key may be while the outcomes of its changes are unknown. */
const mostPlaces = 8

/** The locks and the window of these fields. */
export function placeOf({
  unitName,
  lock,
  extraLocks,
  validFrom,
  validUntil,
}: Pick<Partial<Key>, keyof KeyPlace>): KeyPlace {
  return {
    unitName: unitName ?? null,
    lock: lock ?? null,
    extraLocks: extraLocks ?? [],
    validFrom: validFrom ?? 0,
    validUntil: validUntil ?? 0,
  }
}

/** Every state in which the lock system may have the key: one, or several while the outcome of a change is unknown. */
export function placesOf(row: Key): KeyPlace[] {
  const requested = row.changeAsked
  return requested ? distinct([...requested.maybe, placeOf(requested.to)]) : [placeOf(row)]
}

/** The change to store before it is sent to the lock system; null when too many changes are unfinished. */
export function changeRequest(row: Key, to: RequestedChange['to']): RequestedChange | null {
  const maybe = placesOf(row)
  return maybe.length > mostPlaces ? null : { to, maybe }
}

/** The units that a key may open although it should not, because the outcome of a move is unknown. */
export function doubtfulUnits(row: Key): string[] {
  const names = row.changeAsked ? placesOf(row).map(({ unitName }) => unitName) : []
  return [...new Set(names)].filter(
    (name): name is string => name !== null && name !== row.changeAsked?.to.unitName,
  )
}

function distinct(places: KeyPlace[]): KeyPlace[] {
  return places.filter((place, at) => places.findIndex((each) => isDeepStrictEqual(each, place)) === at)
}
