import { Problem } from '../resource/problem.ts'
import type { Candidate } from './assignment.ts'
import type { UnitAnswer } from './integration.ts'
import type { Stay } from './resources/stay.ts'
import { removesAvailability } from './unit-status.ts'

/** What an integration has said about the units of a stay, as plain input of a change. */
export type Picked =
  | UnitAnswer
  /** It could not be asked. */
  | { is: 'failed'; code: string; detail: string; meta: Record<string, unknown> }

/** By stay; null where the appliance picks. A stay that nobody was asked about gets none. */
export type Picks = Readonly<Record<string, Picked>> | null

/** The units of a type as candidates for a stay, of which some are taken already. */
type CandidatesOf = (unitTypeId: string, taken: readonly string[]) => Candidate[]

/**
 * The stay's places, each with the unit that was picked for it. The appliance has the last word: a unit that is not there, of
 * another type, out of order, blocked or held by another stay is refused.
 */
export function pickedUnits(
  row: Stay,
  picked: Picked | undefined,
  candidatesOf: CandidatesOf,
): Stay['units'] | Problem {
  if (!picked) return rejected(hasChanged)
  if (picked.is !== 'chosen') return refusalOf(picked)
  const left = [...picked.unitIds]
  const taken = row.units.flatMap(({ unitId }) => (unitId ? [unitId] : []))
  const places: Stay['units'] = []
  for (const { unitTypeId, unitId } of row.units) {
    const chosen = unitId ?? left.shift()
    if (!chosen) return rejected(hasChanged)
    const problem = unitId
      ? null
      : problemWith(candidatesOf(unitTypeId, taken).find(({ id }) => id === chosen))
    if (problem) return rejected(`The integration chose ${chosen}, ${problem}.`)
    taken.push(chosen)
    places.push({ unitTypeId, unitId: chosen })
  }
  return places
}

const hasChanged = 'The stay has changed while the integration was asked.'

function problemWith(unit: Candidate | undefined): string | null {
  if (!unit) return 'which is no unit of the type'
  if (removesAvailability[unit.status]) return 'which is out of order'
  if (unit.blocked) return 'which is blocked at that time'
  return unit.overlapping ? 'which another stay holds at that time' : null
}

function refusalOf(picked: Exclude<Picked, { is: 'chosen' }>): Problem {
  if (picked.is === 'none-eligible' || picked.is === 'lent-only') return rejected(picked.reason)
  if (picked.is === 'failed') return Problem.upstream(picked.code, '', picked.detail, { meta: picked.meta })
  return new Problem('unit-change-refused', 'The integration does not change the unit of this stay.', {
    meta: { integrationReason: picked.reason },
  })
}

function rejected(integrationReason: string): Problem {
  return new Problem('no-eligible-unit', 'The integration has no unit for this stay.', {
    meta: { reason: 'rejected-by-integration', integrationReason },
  })
}
