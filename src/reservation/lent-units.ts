import type { Transaction } from '../resource/change.ts'
import { Problem } from '../resource/problem.ts'
import type { Rule } from '../resource/resource.ts'
import { datesInWords } from './dates-in-words.ts'
import { reservation } from './resources/reservation.ts'
import { unit } from './resources/unit.ts'
import { type SharingPms, sharingPms } from './sharing-pms.ts'
import { holdsUnits, type StayStatus } from './status.ts'
import { dateAfter, datesHeld } from './stay-dates.ts'
import { teller } from './told.ts'

/** A unit of a stay that was given away by a lease. */
export interface Lent {
  unitId: string
  leaseId: string
}

/** What a rule sees of a stay. */
interface Lodged {
  reservationId: string
  status: StayStatus
  startDate: string
  endDate: string
  units: { unitId?: string | null }[]
  heldUnits?: { unitId: string }[] | null
  lent?: Lent[] | null
}

interface Dates {
  first: string
  last: string
}

const lease = `SELECT leaseId FROM room_lease
  WHERE configurationId = (SELECT rid FROM pms_configuration WHERE id = unhex(replace(?, '-', '')))
    AND startDate <= ? AND endDate >= ? AND validUntil > ?
    AND EXISTS (SELECT 1 FROM json_each(unitNames) WHERE value = ?)
  ORDER BY validUntil DESC LIMIT 1`

/** The lease of a PMS by which the house may give away a unit for all of these nights now; null without one. */
export function leaseOf(
  tx: Transaction,
  configurationId: string,
  unitName: string,
  { first, last }: Dates,
): string | null {
  return tx.text(lease, configurationId, first, last, tx.now, unitName)
}

/**
 * While the PMS that lends units cannot be asked, its reservations hold units on further nights only by a valid lease,
 * whoever writes them: so the two sides never give the same room away. Keeps by which lease a unit was given.
 */
export function unitsMayBeGiven({ tx, before, after }: Parameters<Rule>[0]): void {
  const [is, was] = [after as unknown as Lodged, before as unknown as Lodged | null]
  if (is.lent) is.lent = stillThere(is)
  const nights = holdsUnits(is.status) ? newNights(is, was) : []
  if (nights.length === 0 || tx.count('SELECT count(*) FROM sync_link WHERE lends = 1') === 0) return
  const pms = sharingPms(tx, tx.find(reservation, is.reservationId).integrationId)
  if (!pms?.lends || pms.isConnected || tx.actor.by === teller(pms.configurationId)) return
  for (const each of nights) is.lent = [...others(is.lent, each.unitId), lentFor(tx, pms, is, each)]
}

function stillThere({ lent, units }: Lodged): Lent[] | null {
  const left = (lent ?? []).filter(({ unitId }) => units.some((each) => each.unitId === unitId))
  return left.length > 0 ? left : null
}

function others(lent: Lent[] | null | undefined, unitId: string): Lent[] {
  return (lent ?? []).filter((each) => each.unitId !== unitId)
}

interface NewNights extends Dates {
  unitId: string
  /** Of the place in the stay. */
  index: number
}

/** The nights for which the stay did not hold a unit until now. */
function newNights(is: Lodged, was: Lodged | null): NewNights[] {
  const { first, last } = datesHeld(is)
  return is.units.flatMap(({ unitId }, index): NewNights[] => {
    if (!unitId) return []
    if (!was?.heldUnits?.some((held) => held.unitId === unitId)) return [{ unitId, index, first, last }]
    const held = datesHeld(was)
    if (first > held.last || last < held.first) return [{ unitId, index, first, last }]
    return [
      ...(first < held.first ? [{ unitId, index, first, last: dateAfter(held.first, -1) }] : []),
      ...(last > held.last ? [{ unitId, index, first: dateAfter(held.last, 1), last }] : []),
    ]
  })
}

function lentFor(
  tx: Transaction,
  { configurationId, name: pms }: SharingPms,
  { startDate, endDate }: Lodged,
  { unitId, index, ...nights }: NewNights,
): Lent {
  const { name } = tx.find(unit, unitId)
  const leaseId = leaseOf(tx, configurationId, name, nights)
  if (leaseId !== null) return { unitId, leaseId }
  const dates = datesInWords(startDate, endDate)
  const problem = notLent(`There is no line to ${pms}, and it has not lent ${name} for ${dates}.`)
  problem.options.pointer = `/units/${index}/unitId`
  throw problem
}

/** The refusal of a unit that only the PMS can give, with what the desk is told. */
export function notLent(integrationReason: string): Problem {
  return new Problem('no-eligible-unit', 'The integration has no unit for this stay.', {
    meta: { reason: 'rejected-by-integration', integrationReason },
  })
}
