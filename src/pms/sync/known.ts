import { type Triple, tripledGuests } from './match.ts'
import { withNames } from './places.ts'
import type { SharedGuest, SharedReservation, SharedStay } from './shared-reservation.ts'

/** What a PMS is known to have: what it tells now, and of what it does not say what it told before. */
export function knownOf(
  base: SharedReservation | null,
  told: SharedReservation,
  stays: readonly Triple<SharedStay>[],
): SharedReservation {
  return {
    ...base,
    ...defined(told),
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
  return upstream.map((told) => {
    const { base: was = null, local: is = null } = triples.find((each) => each.upstream === told) ?? {}
    return { ...was, ...defined(told), localId: is?.localId ?? was?.localId ?? null }
  })
}

/** Without what says nothing. */
function defined<Told extends object>(told: Told): Told {
  const says: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(told)) if (value !== undefined) says[name] = value
  return says as Told
}
