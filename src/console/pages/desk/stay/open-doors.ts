import { dateText, momentText } from '../../lib/language/format.ts'
import type { Resource } from '../../lib/server/api.ts'
import type { Key } from '../../lib/server/resources.ts'
import { g } from './texts.ts'

/** The names of the doors of a key; empty for none. */
interface NamedDoors {
  /** The units that it may still open. */
  units: string
  /** The common doors that it may still open: no newer card closes them. */
  common: string
  /** The units that it opens no more. */
  closed: string
}

/** Returns the doors of a key in words: those that it opens, and those that it opens no more. */
export function doorsOf({ attributes: { doors } }: Resource<Key>): NamedDoors {
  const named = (isOpen: boolean, kind: 'unitName' | 'authorization') =>
    doors.flatMap((door) => (door.mayOpen === isOpen && door[kind]) || []).join(', ')
  return {
    units: named(true, 'unitName'),
    common: named(true, 'authorization'),
    closed: named(false, 'unitName'),
  }
}

/** The common doors of a key that opens no unit any more; empty for none, and for a key that may open a unit. */
export function onlyCommon(key: Resource<Key>): string {
  const { units, common } = doorsOf(key)
  return units ? '' : common
}

/** Says until when a key opens its common doors; empty if it opens none. */
export function commonText(key: Resource<Key>): string {
  const { common } = doorsOf(key)
  const { validUntil, endDate, keyType } = key.attributes
  const says = g.value.opensUntil(common, validUntil ? momentText(validUntil) : dateText(endDate))
  return common && (keyType === 'keyCard' ? `${says} ${g.value.onlyErasing}` : says)
}
