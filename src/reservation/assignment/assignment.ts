import { Problem } from '../../resource/problem.ts'
import { defaultAssignableStatuses, removesAvailability, type UnitStatus } from '../property/unit-status.ts'

/** A unit that might be given to a stay, with what is known of it for the stay's range. */
export interface Candidate {
  id: string
  name: string
  unitTypeId: string
  status: UnitStatus
  /** 1 is given out before 2; units without one come last. */
  priority: number | null
  /** Unix milliseconds since when nobody has been in it; null when nobody ever was. */
  idleSince: number | null
  amenities: readonly string[]
  /** Somebody has taken it out for a date of the stay. */
  blocked: boolean
  /** Another stay holds it, or a guest is still in it, somewhere in the range. */
  overlapping: boolean
  /** Unix milliseconds until when the guest who is in it stays; null when empty. */
  occupiedUntil: number | null
}

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

/** How many units of the type there are, and what keeps each from being given: each is counted once. */
interface AssignmentCounts {
  ofType: number
  outOfOrder: number
  occupied: number
  notReady: number
  /** Unix milliseconds at which the first occupied unit is expected to be left; null when not known. */
  nextExpectedAt: number | null
}

export interface Refusal {
  refused: RefusalReason
  counts: AssignmentCounts
}

/**
 * The unit a stay gets, or why it gets none. A unit's cleanliness counts only for a stay that starts today or has
 * started: a dirty unit is fine for next week. Same input, same answer.
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

/** In this order; the id at the end makes two units of one name no toss-up. */
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

/** The reason that gives most hope: a dirty unit is ready sooner than an occupied one, that sooner than a broken one. */
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

/** The 422 `no-eligible-unit` for a refusal; `meta` holds reason, the counts and nextExpectedAt as a UTC timestamp. */
export function noEligibleUnit({ refused, counts }: Refusal): Problem {
  const { nextExpectedAt } = counts
  const expected = nextExpectedAt === null ? null : new Date(nextExpectedAt).toISOString()
  return new Problem('no-eligible-unit', details[refused], {
    meta: { reason: refused, ...counts, nextExpectedAt: expected },
  })
}
