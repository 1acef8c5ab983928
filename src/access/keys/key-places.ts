import { isDeepStrictEqual } from 'node:util'
import type { AskedChange, Key, KeyPlace } from '../resources/key.ts'

/** How many states a key may be in for all anybody knows. */
const mostPlaces = 8

/** The doors that these values say, and when they open. */
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

/** Every place where the lock system may have the key: one, unless a change was asked of which nobody knows the outcome. */
export function placesOf(row: Key): KeyPlace[] {
  const asked = row.changeAsked
  return asked ? distinct([...asked.maybe, placeOf(asked.to)]) : [placeOf(row)]
}

/** A change that is about to be asked of the lock system; null when as many as that are unfinished already. */
export function askedChange(row: Key, to: AskedChange['to']): AskedChange | null {
  const maybe = placesOf(row)
  return maybe.length > mostPlaces ? null : { to, maybe }
}

/** Units, other than where it shall be, in which a key may open because nobody knows whether it was moved. */
export function doubtfulUnits(row: Key): string[] {
  const names = row.changeAsked ? placesOf(row).map(({ unitName }) => unitName) : []
  return [...new Set(names)].filter(
    (name): name is string => name !== null && name !== row.changeAsked?.to.unitName,
  )
}

function distinct(places: KeyPlace[]): KeyPlace[] {
  return places.filter((place, at) => places.findIndex((each) => isDeepStrictEqual(each, place)) === at)
}
