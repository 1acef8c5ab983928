import { isLive } from '../../../../reservation/stays/status.ts'
import type { SharedReservation, SharedStay } from '../../../sync/shared-reservation.ts'
import type { WireOffer } from '../messages/message-data.ts'
import type { Book } from './book.ts'

/** A unit on the nights of a stay. */
interface AssignedUnit {
  unitName: string
  startDate: string
  endDate: string
  /** The reservation, as the PMS calls it; the house's id of one that has no name yet. */
  of: string
}

/**
 * Why offers cannot be had, by their ids: units that they give are given to somebody else on those nights. They are looked at
 * as after all of them, so that two may swap theirs; what was so before is not held against them, nor what was lent.
 */
export function unitConflicts(book: Book, offers: readonly WireOffer[]): Map<string, string> {
  const reasons = new Map<string, string>()
  let left = [...offers]
  // Who is refused keeps what it has there, which may be what another was to have.
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

/** By the unit, as it is when these offers are taken. */
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
