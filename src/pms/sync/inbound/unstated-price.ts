import type { StayInput } from '../../../reservation/resources/stay.ts'
import type { SharedReservation, SharedStay } from '../shared-reservation.ts'

/**
 * Returns whether a report changes the dates of a stay without stating a price. The price then follows the dates here, and
 * the one that the PMS stated for the former dates counts no more.
 */
export function movesWithoutPrice(has: SharedStay, reported: SharedStay): boolean {
  return !hasDatesOf(has, reported) && reported.amount === undefined
}

/**
 * Returns a report without the prices of dates that a stay here has no more. A price followed the dates here, so the one
 * that the PMS had stated was forgotten; a report that still has the former dates repeats it.
 */
export function withoutPricesOfFormerDates(
  report: SharedReservation,
  base: SharedReservation | null,
  here: SharedReservation,
): SharedReservation {
  if (!base) return report
  const stays = report.stays.map((reported) => {
    const has = base.stays.find((each) => inReport(report, each, base) === reported)
    const own = here.stays.find(({ localId }) => localId && localId === has?.localId)
    if (!has || !own?.amount || has.amount || !hasDatesOf(has, reported) || hasDatesOf(own, reported))
      return reported
    return withoutPrice(reported)
  })
  return { ...report, stays }
}

/** Returns a stay without its price, as one of which the price is not known. */
export function withoutPrice({ amount: _, ...known }: SharedStay): SharedStay {
  return known
}

function hasDatesOf(stay: SharedStay, { startDate, endDate }: SharedStay): boolean {
  return stay.startDate === startDate && stay.endDate === endDate
}

/** Returns what a PMS is known to have, without the prices that count no more after a report. */
export function withoutFormerPrices(
  base: SharedReservation | null,
  report: SharedReservation | null,
): SharedReservation | null {
  if (!base || !report) return base
  const stays = base.stays.map((has) => {
    const reported = inReport(report, has, base)
    return reported && movesWithoutPrice(has, reported) ? withoutPrice(has) : has
  })
  return { ...base, stays }
}

/**
 * Adds the price that the PMS states to a change of the dates, also where it is the same as before: it is that of the new
 * dates.
 */
export function withStatedPrice(given: StayInput, reported: SharedStay): StayInput {
  const isMoved = 'startDate' in given || 'endDate' in given
  return isMoved && reported.amount ? { ...given, amount: reported.amount } : given
}

/** Returns whether the report states a price for a stay of the reservation. */
export function statesPrice(
  report: SharedReservation | null,
  stay: SharedStay,
  reservation: SharedReservation,
): boolean {
  return Boolean(report && inReport(report, stay, reservation)?.amount)
}

/** A stay in a report: by its id at the PMS, or the only one. */
function inReport(report: SharedReservation, { externalId }: SharedStay, of: SharedReservation) {
  if (report.stays.length === 1 && of.stays.length === 1) return report.stays[0]
  return report.stays.find((each) => each.externalId && each.externalId === externalId)
}
