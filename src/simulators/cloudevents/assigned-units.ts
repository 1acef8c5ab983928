import type { WireOffer } from '../../pms/adapters/cloudevents/messages/message-data.ts'
import type { SharedReservation, SharedStay } from '../../pms/sync/shared-reservation.ts'
import { isLive } from '../../reservation/stays/rules/status-rules.ts'
import type { Book } from './book.ts'

/** A unit on the nights of a stay. */
interface AssignedUnit {
  unitName: string
  startDate: string
  endDate: string
  /** The PMS's id of the reservation; the appliance's id while it has none. */
  of: string
}

/**
 * The refusals of outbound changes by their ids, because another reservation has the unit on those nights. The state after
 * all changes counts, so that two reservations may swap their units. Units that a reservation had before, and units of an
 * allotment, are not refused.
 */
export function unitConflicts(book: Book, offers: readonly WireOffer[]): Map<string, string> {
  const reasons = new Map<string, string>()
  let left = [...offers]
  // A refused change leaves its reservation with its old units, which may be the new units of another one.
  for (let isNew = true; isNew; ) {
    const given = assignedAfter(book, left)
    const found = left.flatMap((offer) => {
      const other = otherHolder(book, offer, given)
      return other ? [[offer.id, reasonOf(other)] as const] : []
    })
    for (const [id, reason] of found) reasons.set(id, reason)
    left = left.filter(({ id }) => !reasons.has(id))
    isNew = found.length > 0
  }
  return reasons
}

/** The assigned units by name, after these changes. */
function assignedAfter({ reservations }: Book, offers: readonly WireOffer[]): Map<string, AssignedUnit[]> {
  const offered = new Map(offers.map((offer) => [nameOf(offer), offer.reservation]))
  const all = new Map<string, SharedReservation | null>()
  for (const [name, { value }] of reservations) all.set(name, value)
  for (const [name, value] of offered) all.set(name, value)
  return Map.groupBy(
    [...all].flatMap(([name, value]) => assignedIn(name, value)),
    ({ unitName }) => unitName,
  )
}

function nameOf({ externalId, localId }: WireOffer): string {
  return externalId ?? localId
}

function assignedIn(of: string, value: SharedReservation | null | undefined): AssignedUnit[] {
  return (value?.stays ?? [])
    .filter(holdsUnits)
    .flatMap(({ units = [], startDate, endDate }) =>
      units.flatMap(({ unitName }) => (unitName ? [{ unitName, startDate, endDate, of }] : [])),
    )
}

function holdsUnits({ status = 'Confirmed' }: SharedStay): boolean {
  return isLive(status) && status !== 'Waitlisted'
}

function otherHolder(
  book: Book,
  offer: WireOffer,
  given: ReadonlyMap<string, AssignedUnit[]>,
): AssignedUnit | undefined {
  const name = nameOf(offer)
  const before = assignedIn(name, book.reservations.get(name)?.value)
  const lent = offer.leaseIds.flatMap((id) => book.leases.get(id)?.unitNames ?? [])
  const anew = assignedIn(name, offer.reservation).filter(
    (each) => !lent.includes(each.unitName) && !before.some((was) => isWithin(each, was)),
  )
  for (const each of anew) {
    const other = given.get(each.unitName)?.find(({ of, ...its }) => of !== name && overlap(its, each))
    if (other) return other
  }
  return undefined
}

type Nights = Pick<AssignedUnit, 'startDate' | 'endDate'>

function isWithin(each: AssignedUnit, was: AssignedUnit): boolean {
  return each.unitName === was.unitName && each.startDate >= was.startDate && each.endDate <= was.endDate
}

function overlap(one: Nights, other: Nights): boolean {
  return one.startDate < other.endDate && other.startDate < one.endDate
}

function reasonOf({ unitName, startDate, endDate, of }: AssignedUnit): string {
  return `${unitName} is given to ${of} from ${startDate} to ${endDate}.`
}
