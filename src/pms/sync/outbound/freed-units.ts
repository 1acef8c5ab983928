import { isLive } from '../../../reservation/stays/rules/status-rules.ts'
import type { Transaction } from '../../../resource/command.ts'
import { syncOffer } from '../../resources/sync-offer.ts'
import type { SharedReservation, SharedStay } from '../shared-reservation.ts'
import { snapshot } from '../snapshot.ts'
import { retrySteps } from './intents.ts'
import { refusedOffers } from './outbox.ts'

/** Refused outbound changes that are looked at when units become free at the PMS. */
const mostRefused = 1_000

/**
 * Sends again the outbound changes that the PMS has refused and that contain a unit which a reservation has no longer at the
 * PMS: `before` and `after` are what the PMS has of that one.
 */
export function retryRefused(
  tx: Transaction,
  configurationId: string,
  before: SharedReservation,
  after: SharedReservation,
): void {
  const kept = after.stays.flatMap(nightsOf)
  const freed = before.stays
    .flatMap(nightsOf)
    .filter(
      (was) =>
        !kept.some(
          (is) => is.unitName === was.unitName && is.startDate <= was.startDate && is.endDate >= was.endDate,
        ),
    )
  if (freed.length === 0) return
  for (const { id, reservationId } of refusedOffers(tx, configurationId, mostRefused)) {
    const names = (snapshot(tx, reservationId)?.stays ?? []).flatMap(nightsOf)
    if (!names.some(({ unitName }) => freed.some((each) => each.unitName === unitName))) continue
    retrySteps(tx, reservationId)
    tx.patch(syncOffer, id, { refused: null, attempts: 0, notBefore: 0 })
  }
}

/** The units of a stay with its nights. */
function nightsOf({ status, units = [], startDate, endDate }: SharedStay) {
  if (status !== undefined && !isLive(status)) return []
  return units.flatMap(({ unitName }) => (unitName ? [{ unitName, startDate, endDate }] : []))
}
