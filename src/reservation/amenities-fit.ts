import type { Rule } from '../resource/resource.ts'
import { invalidValue } from './invalid-value.ts'
import { referenced } from './referenced.ts'
import { amenity } from './resources/amenity.ts'

/** The rule that amenities newly listed by a unit, or by a unit type, are meant for such a thing. */
export function amenitiesFit(listedBy: 'Unit' | 'UnitType'): Rule {
  return ({ tx, before, after }) => {
    const known = (before?.amenities ?? []) as string[]
    for (const [index, id] of ((after.amenities ?? []) as string[]).entries()) {
      if (known.includes(id)) continue
      const pointer = `/amenities/${index}`
      const { scope } = referenced(tx, amenity, id, pointer)
      if (scope === listedBy || scope === 'Both') continue
      throw invalidValue(pointer, `The amenity is for a ${scope} alone.`, { scope })
    }
  }
}
