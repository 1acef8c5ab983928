import type { Transaction } from '../../resource/command.ts'
import type { SyncOffer } from '../resources/sync-offer.ts'
import { houseView } from './house-view.ts'
import { type Given, givenIn } from './let-go-there.ts'
import { tripledStays } from './match.ts'
import { refusedOffers } from './refused-offers.ts'
import { differences, same } from './same.ts'
import type { SharedReservation } from './shared-reservation.ts'
import { snapshot } from './snapshot.ts'
import { recordOf } from './sync-state.ts'

/** Refused offers that are looked at for a ring: rooms that went round were given on the same days. */
const mostLookedAt = 100

/** A reservation whose offer was refused, by what it has at the PMS and is to have. */
interface Standing {
  row: SyncOffer
  givesUp: Given[]
  wants: Given[]
  /** Nobody is in its units, and it was not without them in vain: it can be so for a moment. */
  canWait: boolean
}

/**
 * Of reservations that have at the PMS what the next of them is to have, the last what the first is: a PMS that looks at one
 * offer after the other refuses them all for ever. Gives the offer of one that can let go before the others have moved;
 * null where the one that was refused is in no such ring, or everybody in it is in house.
 */
export function firstToLetGo(tx: Transaction, own: SyncOffer): SyncOffer | null {
  const first = standingOf(tx, own)
  if (!first || first.givesUp.length === 0 || first.wants.length === 0) return null
  const refused = refusedOffers(tx, own.configurationId, mostLookedAt, 'newest')
  const others = refused.filter(({ id }) => id !== own.id).flatMap((row) => standingOf(tx, row) ?? [])
  return ringFrom(first, others)?.find(({ canWait }) => canWait)?.row ?? null
}

function standingOf(tx: Transaction, row: SyncOffer): Standing | null {
  const record = recordOf(tx, row.reservationId)
  const here = record?.base ? snapshot(tx, row.reservationId) : null
  if (!record?.base || !here) return null
  const view = houseView(here, record.differing)
  const [has, is] = [record.base.stays.flatMap(givenIn), view.stays.flatMap(givenIn)]
  return {
    row,
    givesUp: missingIn(is, has),
    wants: missingIn(has, is),
    canWait: row.withoutUnits !== 'done' && view.stays.every(({ status }) => status !== 'InHouse'),
  }
}

/** Of the second what the first does not have. */
function missingIn(others: readonly Given[], given: readonly Given[]): Given[] {
  return given.filter((each) => !others.some((other) => areTogether(each, other)))
}

/** The shortest way from one that was refused over those whose units are wanted back to it; null where there is none. */
function ringFrom(first: Standing, others: readonly Standing[]): Standing[] | null {
  let ways = [[first]]
  let left = [...others]
  while (ways.length > 0) {
    const closed = ways.find((way) => way.length > 1 && isInTheWay(way.at(-1)!, first))
    if (closed) return closed
    ways = ways.flatMap((way) => {
      const next = left.filter((each) => isInTheWay(way.at(-1)!, each))
      left = left.filter((each) => !next.includes(each))
      return next.map((each) => [...way, each])
    })
  }
  return null
}

function isInTheWay({ wants }: Standing, { givesUp }: Standing): boolean {
  return wants.some((each) => givesUp.some((other) => areTogether(each, other)))
}

function areTogether(one: Given, other: Given): boolean {
  if (one.unitName !== other.unitName) return false
  // Who leaves on the day of his arrival has the unit on that day.
  return one.startDate === other.startDate || (one.startDate < other.endDate && other.startDate < one.endDate)
}

/** The reservation without the units that it has not got there yet; whole where that would say nothing new. */
export function withoutWanted(base: SharedReservation | null, whole: SharedReservation): SharedReservation {
  if (!base) return whole
  const has = base.stays.flatMap(givenIn)
  const stays = whole.stays.map((stay) => {
    const wanted = missingIn(has, givenIn(stay)).map(({ unitName }) => unitName)
    const units = stay.units?.map((each) =>
      each.unitName && wanted.includes(each.unitName) ? { ...each, unitName: null } : each,
    )
    return { ...stay, ...(units && { units }) }
  })
  const value = { ...whole, stays }
  return differences(base, value).length > 0 ? value : whole
}

/** What a PMS has taken of that: where it has kept a unit all the same, this is no word of its own about it. */
export function takenWithout(
  base: SharedReservation | null,
  offered: SharedReservation,
  value: SharedReservation | undefined,
): SharedReservation {
  if (!base || !value) return offered
  const triples = tripledStays({ base: base.stays, local: offered.stays, upstream: value.stays })
  const stays = offered.stays.map((stay) => {
    const triple = triples.find(({ local }) => local === stay)
    const had = triple?.base?.units
    return had && same(had, triple.upstream?.units) ? { ...stay, units: had } : stay
  })
  return { ...offered, stays }
}
