import { reservation } from '../../reservation/resources/reservation.ts'
import type { AllottedUnit, Stay, StayDraft } from '../../reservation/resources/stay.ts'
import { unit } from '../../reservation/resources/unit.ts'
import { datesInWords } from '../../reservation/stays/rules/dates-in-words.ts'
import { holdsUnits } from '../../reservation/stays/rules/status-rules.ts'
import { dateAfter, datesHeld, rangeOf } from '../../reservation/stays/rules/stay-dates.ts'
import { partyOf, unitsOfParty } from '../../reservation/units/unit-occupancy.ts'
import type { Transaction } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import { ridOf } from '../../resource/uuid-sql.ts'
import { pmsActor } from '../pms-actor.ts'
import { sharingPms } from '../sharing-pms.ts'

interface Dates {
  first: string
  last: string
}

const allotmentQuery = `SELECT leaseId FROM room_lease
  WHERE configurationId = ${ridOf('pms_configuration')}
    AND startDate <= ? AND endDate >= ? AND validUntil > ?
    AND EXISTS (SELECT 1 FROM json_each(unitNames) WHERE value = ?)
  ORDER BY validUntil DESC LIMIT 1`

/** The allotment of a PMS that permits the assignment of a unit for all of these nights now; null without one. */
export function allotmentFor(
  tx: Transaction,
  configurationId: string,
  unitName: string,
  { first, last }: Dates,
): string | null {
  return tx.text(allotmentQuery, configurationId, first, last, tx.now, unitName)
}

/**
 * The allotments that permit the units of a stay on the nights that it did not hold them before. While a PMS that lends
 * units is offline, its reservations may hold only units of a valid allotment, whichever side writes the stay: so the two sides
 * never assign the same room. A unit of guests with whom the stay shares needs none. Throws 422 `no-eligible-unit` for a unit without an allotment.
 */
export function allotmentsFor(tx: Transaction, before: Stay | null, after: StayDraft): AllottedUnit[] {
  const nights = holdsUnits(after.status) ? newNights(before, after) : []
  if (nights.length === 0 || tx.count('SELECT count(*) FROM sync_link WHERE lends = 1') === 0) return []
  const pms = sharingPms(tx, tx.find(reservation, after.reservationId).integrationId)
  if (!pms?.lends || pms.isConnected || tx.actor.by === pmsActor(pms.configurationId)) return []
  const ofParty = unitsOfParty(tx, partyOf(before, after), rangeOf(after))
  return nights.flatMap(({ unitId, index, ...dates }) => {
    if (ofParty.some((each) => each.unitId === unitId)) return []
    const { name } = tx.find(unit, unitId)
    const leaseId = allotmentFor(tx, pms.configurationId, name, dates)
    if (leaseId !== null) return { unitId, leaseId }
    const when = datesInWords(after.startDate, after.endDate)
    const problem = rejectedByIntegration(
      `There is no connection to ${pms.name}, and it has granted no lease of ${name} for ${when}.`,
    )
    problem.options.pointer = `/units/${index}/unitId`
    throw problem
  })
}

interface NewNights extends Dates {
  unitId: string
  /** The index in the stay's units. */
  index: number
}

/** Per unit, the nights on which the stay did not hold it before. */
function newNights(before: Stay | null, after: StayDraft): NewNights[] {
  const { first, last } = datesHeld(after)
  return after.units.flatMap(({ unitId }, index): NewNights[] => {
    if (!unitId) return []
    if (!before?.heldUnits?.some((held) => held.unitId === unitId)) return [{ unitId, index, first, last }]
    const held = datesHeld(before)
    if (first > held.last || last < held.first) return [{ unitId, index, first, last }]
    return [
      ...(first < held.first ? [{ unitId, index, first, last: dateAfter(held.first, -1) }] : []),
      ...(last > held.last ? [{ unitId, index, first: dateAfter(held.last, 1), last }] : []),
    ]
  })
}

/** The refusal for a unit that only the PMS can assign; the reason is a sentence for the front desk. */
export function rejectedByIntegration(integrationReason: string): Problem {
  return new Problem('no-eligible-unit', 'The PMS has no unit for this stay.', {
    meta: { reason: 'rejected-by-integration', integrationReason },
  })
}
