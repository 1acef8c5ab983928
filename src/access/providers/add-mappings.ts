import { command } from '../../resource/command.ts'
import { type AccessProvider, accessProvider } from '../resources/access-provider.ts'

/** A unit, and the code of its lock in the lock system. */
export interface Mapping {
  unitName: string
  externalCode: string
}

export interface MappedUnits {
  /** The units that got a lock. */
  mapped: Mapping[]
  /** The units that had one already, in the mapping or among the access units of the provider. */
  kept: Mapping[]
  unmapped: { unitName: string; reason: string }[]
}

interface MapInput extends MappedUnits {
  id: string
  /** The revision of the provider that the mapping is computed from. */
  revision: number
}

/** Adds the units in `mapped` to the provider's unit mapping, and returns the whole result. Throws revision-mismatch. */
export const addMappings = command('map-units', (tx, { id, revision, ...found }: MapInput): MappedUnits => {
  tx.expectRevision(accessProvider, { id, revision })
  const unitMapping = [
    ...((tx.find(accessProvider, id) as AccessProvider).unitMapping ?? []),
    ...found.mapped,
  ]
  if (found.mapped.length > 0) tx.patch(accessProvider, id, { unitMapping })
  return found
})
