import type { Key } from '../resources/key.ts'
import type { RequestedChange } from '../resources/key-door.ts'
import { placesOf } from '../resources/key-door.ts'

/** The highest number of states in which a key may be while the outcomes of its changes are unknown. */
const mostPlaces = 8

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
