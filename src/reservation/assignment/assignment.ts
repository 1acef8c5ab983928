import { Problem } from '../../resource/problem.ts'
import { defaultAssignableStatuses, removesAvailability, type UnitStatus } from '../values/unit-status.ts'

/** A unit that can be assigned to a stay, with its state during the stay. */
export interface Candidate {
  id: string
  name: string
  unitTypeId: string
  status: UnitStatus
  /** Priority 1 is assigned before 2. Units without a priority come last. */
  priority: number | null
  /** Unix milliseconds at which the last guest left the unit; null when it never had a guest. */
  idleSince: number | null
  amenities: readonly string[]
  /** The unit is blocked on a date of the stay. */
  blocked: boolean
  /** Another stay holds the unit, or another guest is still in it, during a part of the stay. */
  overlapping: boolean
  /** Unix milliseconds at which the guest in the unit is expected to leave; null when the unit is empty. */
  occupiedUntil: number | null
}

/** The input of `chooseUnit`: the stay, the date and the units to choose from. */
export interface AssignmentRequest {
  stay: {
    startDate: string
    unitTypeId: string
    preferredUnitId?: string | null
    amenities?: readonly string[]
  }
  /** The property's date, YYYY-MM-DD. */
  today: string
  assignableStatuses?: readonly UnitStatus[]
  units: readonly Candidate[]
}

type RefusalReason = 'no-unit-of-type' | 'all-occupied' | 'all-dirty' | 'out-of-order'

/** How many units the type has, and how many of them each obstacle excludes. Each excluded unit counts once. */
interface AssignmentCounts {
  ofType: number
  outOfOrder: number
  occupied: number
  notReady: number
  /** Unix milliseconds at which the first occupied unit is expected to become free; null when unknown. */
  nextExpectedAt: number | null
}

/** The reason why no unit is eligible, with the counts. */
export interface Refusal {
  refused: RefusalReason
  counts: AssignmentCounts
}

/**
 * Returns the unit for a stay, or the reason why no unit is eligible. The result depends only on the input. The
 * cleanliness of a unit matters only for a stay that starts today or earlier: a dirty unit is eligible for next week.
 */
export function chooseUnit<Unit extends Candidate>(
  request: Omit<AssignmentRequest, 'units'> & { units: readonly Unit[] },
): { unit: Unit } | Refusal {
  const { stay, today, assignableStatuses = defaultAssignableStatuses } = request
  const arrivesNow = stay.startDate <= today
  const ofType = request.units.filter(({ unitTypeId }) => unitTypeId === stay.unitTypeId)
  const inOrder = ofType.filter(({ status, blocked }) => !removesAvailability[status] && !blocked)
  const free = inOrder.filter(({ overlapping }) => !overlapping)
  const ready = free.filter(({ status }) => !arrivesNow || assignableStatuses.includes(status))
  const [unit] = ready.toSorted(inOrderOf(ranking(stay, arrivesNow)))
  if (unit) return { unit }
  const counts = {
    ofType: ofType.length,
    outOfOrder: ofType.length - inOrder.length,
    occupied: inOrder.length - free.length,
    notReady: free.length,
    nextExpectedAt: firstLeft(inOrder),
  }
  return { refused: reasonOf(counts), counts }
}

type Rank = (a: Candidate, b: Candidate) => number

/** The criteria in order of precedence. The id is last, so that two units of the same name have a fixed order. */
function ranking(
  { preferredUnitId, amenities = [] }: AssignmentRequest['stay'],
  arrivesNow: boolean,
): Rank[] {
  return [
    highest(({ id }) => Number(id === preferredUnitId)),
    highest((unit) => amenities.filter((amenity) => unit.amenities.includes(amenity)).length),
    highest(({ status }) => Number(arrivesNow && status === 'Inspected')),
    lowest(({ priority }) => priority ?? Number.MAX_VALUE),
    lowest(({ idleSince }) => idleSince ?? -Number.MAX_VALUE),
    (a, b) => a.name.localeCompare(b.name, 'en', { numeric: true }),
    (a, b) => (a.id < b.id ? -1 : Number(a.id > b.id)),
  ]
}

function lowest(value: (unit: Candidate) => number): Rank {
  return (a, b) => value(a) - value(b)
}

function highest(value: (unit: Candidate) => number): Rank {
  return (a, b) => value(b) - value(a)
}

function inOrderOf(ranks: readonly Rank[]): Rank {
  return (a, b) => {
    for (const rank of ranks) {
      const order = rank(a, b)
      if (order !== 0) return order
    }
    return 0
  }
}

/** The reason of the unit that is likely to be ready first: dirty before occupied, occupied before out of order. */
function reasonOf(counts: AssignmentCounts): RefusalReason {
  if (counts.ofType === 0) return 'no-unit-of-type'
  if (counts.notReady > 0) return 'all-dirty'
  return counts.occupied > 0 ? 'all-occupied' : 'out-of-order'
}

function firstLeft(units: readonly Candidate[]): number | null {
  const ends = units.flatMap(({ overlapping, occupiedUntil }) =>
    overlapping && occupiedUntil !== null ? [occupiedUntil] : [],
  )
  return ends.length > 0 ? Math.min(...ends) : null
}

const details: Record<RefusalReason, string> = {
  'no-unit-of-type': 'There is no unit of this type.',
  'all-occupied': 'All units of this type are occupied.',
  'all-dirty': 'No free unit of this type is ready yet.',
  'out-of-order': 'All units of this type are out of order.',
}

/**
 * Returns the 422 `no-eligible-unit` for a refusal. `meta` holds the reason, the counts and nextExpectedAt as a UTC
 * timestamp.
 */
export function noEligibleUnit({ refused, counts }: Refusal): Problem {
  const { nextExpectedAt } = counts
  const expected = nextExpectedAt === null ? null : new Date(nextExpectedAt).toISOString()
  return new Problem('no-eligible-unit', details[refused], {
    meta: { reason: refused, ...counts, nextExpectedAt: expected },
  })
}
