import { invalidValue, Problem } from '../../resource/problem.ts'
import { closedObject } from './value-schema.ts'

const count = { type: 'integer', minimum: 0, maximum: 99 }

/** The JSON Schema of StayPersonCountDefinition. */
export const personCountSchema = closedObject(
  {
    adults: count,
    children: count,
    childrenAges: { type: 'array', maxItems: 99, items: { type: 'integer', minimum: 0, maximum: 17 } },
    infants: count,
    total: { type: 'integer', readOnly: true },
  },
  ['adults'],
)

/** The type of a value that `personCountSchema` accepts. */
export interface PersonCountInput {
  adults: number
  children?: number | null
  childrenAges?: readonly number[] | null
  infants?: number | null
}

/**
 * The persons of a stay. `total` is adults plus children; infants share a bed. `childrenAges` is null when not given.
 */
interface PersonCount {
  adults: number
  children: number
  childrenAges: number[] | null
  infants: number
  total: number
}

/** The limits of a unit type. An absent or null limit means unlimited. */
export interface OccupancyLimits {
  maxOccupancy?: number | null
  maxAdults?: number | null
  maxChildren?: number | null
}

/**
 * Returns the complete person count. Throws 422 `validation-failed` unless there is one age per child, and 422
 * `person-count-exceeds-occupancy` with `meta.max` when there is no person or more than the limits.
 */
export function personCount(input: PersonCountInput, limits: OccupancyLimits): PersonCount {
  const { adults, infants } = input
  const ages = input.childrenAges ?? null
  const children = input.children ?? ages?.length ?? 0
  if (ages && ages.length !== children) {
    throw invalidValue('/personCount/childrenAges', 'There must be one age for each child.', {
      expected: children,
    })
  }
  const total = adults + children
  refuseAbove(limits.maxAdults, adults, '/personCount/adults')
  refuseAbove(limits.maxChildren, children, '/personCount/children')
  refuseAbove(limits.maxOccupancy, total, '/personCount')
  if (total === 0) throw doesNotFit('/personCount', 'At least one person stays.', limits.maxOccupancy ?? null)
  return { adults, children, childrenAges: ages && [...ages], infants: infants ?? 0, total }
}

/** Returns the limits of several units together. If one unit has no limit, the sum has none. */
export function sharedLimits(units: readonly OccupancyLimits[]): OccupancyLimits {
  const sums: OccupancyLimits = {}
  for (const limit of ['maxOccupancy', 'maxAdults', 'maxChildren'] as const) {
    for (const [index, { [limit]: more = null }] of units.entries()) {
      const sum = index === 0 ? 0 : sums[limit]
      sums[limit] = more === null || typeof sum !== 'number' ? null : sum + more
    }
  }
  return sums
}

function refuseAbove(max: number | null | undefined, persons: number, pointer: string): void {
  if (max === null || max === undefined || persons <= max) return
  throw doesNotFit(pointer, `At most ${max} persons are allowed, not ${persons}.`, max)
}

function doesNotFit(pointer: string, detail: string, max: number | null): Problem {
  return new Problem('person-count-exceeds-occupancy', detail, { pointer, meta: { max } })
}
