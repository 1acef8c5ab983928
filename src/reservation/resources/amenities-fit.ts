import { invalidValue } from '../../resource/problem.ts'
import type { Writing } from '../../resource/resource.ts'
import { referenced } from '../values/value-problems.ts'
import { amenity } from './amenity.ts'

/** A unit or a unit type before and after a write, reduced to its list of amenity ids. */
interface Listing {
  before: { amenities?: string[] | null } | null
  after: { amenities?: string[] | null }
}

/**
 * Returns a rule for writes of units or unit types. The rule throws 422 `validation-failed` when the write adds an
 * amenity whose scope is neither `listedBy` nor `Both`. Amenities that the row listed before are not checked again.
 */
export function amenitiesFit(listedBy: 'Unit' | 'UnitType') {
  return ({ tx, before, after }: Pick<Writing, 'tx'> & Listing): void => {
    const known = before?.amenities ?? []
    for (const [index, id] of (after.amenities ?? []).entries()) {
      if (known.includes(id)) continue
      const pointer = `/amenities/${index}`
      const { scope } = referenced(tx, amenity, id, pointer)
      if (scope === listedBy || scope === 'Both') continue
      throw invalidValue(pointer, `The amenity can only be used for a ${scope}.`, { scope })
    }
  }
}
