import type { Writing } from '../../resource/resource.ts'
import { invalidValue } from '../invalid-value.ts'
import { referenced } from '../referenced.ts'
import { amenity } from '../resources/amenity.ts'

/** What lists amenities, as it is written. */
interface Listing {
  before: { amenities?: string[] | null } | null
  after: { amenities?: string[] | null }
}

/** The rule that amenities newly listed by a unit, or by a unit type, are meant for such a thing. */
export function amenitiesFit(listedBy: 'Unit' | 'UnitType') {
  return ({ tx, before, after }: Pick<Writing, 'tx'> & Listing): void => {
    const known = before?.amenities ?? []
    for (const [index, id] of (after.amenities ?? []).entries()) {
      if (known.includes(id)) continue
      const pointer = `/amenities/${index}`
      const { scope } = referenced(tx, amenity, id, pointer)
      if (scope === listedBy || scope === 'Both') continue
      throw invalidValue(pointer, `The amenity is for a ${scope} alone.`, { scope })
    }
  }
}
