import type { SharedGuest, SharedReservation, SharedStay } from '../shared-reservation.ts'
import { type Triple, tripledGuests } from './match.ts'

type Units = NonNullable<SharedStay['units']>

/** Places for which the report names no unit keep the unit of before: a missing member says nothing. */
export function withNames(units: Units | undefined, before: Units | undefined): Units | undefined {
  return units?.map((place, index) => {
    if (place.unitName !== undefined) return place
    const known = before?.[index]
    const isSame = known?.unitTypeCode === place.unitTypeCode
    return { ...place, unitName: (isSame && known?.unitName) || null }
  })
}

/** What a PMS is known to have: what it reports now, and for members that it leaves out what it reported before. */
export function knownOf(
  base: SharedReservation | null,
  reported: SharedReservation,
  stays: readonly Triple<SharedStay>[],
): SharedReservation {
  return {
    ...base,
    ...defined(reported),
    stays: stays.flatMap(({ base: was, local: is, upstream: there }) =>
      there ? [knownStay(was, is, there)] : [],
    ),
  }
}

function knownStay(was: SharedStay | null, is: SharedStay | null, there: SharedStay): SharedStay {
  const localId = is?.localId ?? was?.localId ?? null
  const stay: SharedStay = { ...was, ...defined(there), localId }
  const units = withNames(there.units, was?.units)
  if (units) stay.units = units
  if (there.guests) stay.guests = knownGuests(was?.guests ?? [], is?.guests ?? [], there.guests)
  return stay
}

function knownGuests(
  base: readonly SharedGuest[],
  local: readonly SharedGuest[],
  upstream: readonly SharedGuest[],
): SharedGuest[] {
  const triples = tripledGuests({ base, local, upstream })
  return upstream.map((reported) => {
    const { base: was = null, local: is = null } = triples.find((each) => each.upstream === reported) ?? {}
    return { ...was, ...defined(reported), localId: is?.localId ?? was?.localId ?? null }
  })
}

/** The same without the members that are undefined, which say nothing. */
export function defined<Members extends object>(reported: Members): Members {
  const says: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(reported)) if (value !== undefined) says[name] = value
  return says as Members
}
