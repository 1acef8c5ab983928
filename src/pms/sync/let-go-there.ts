import { isLive } from '../../reservation/stays/status-rules.ts'
import type { Transaction } from '../../resource/command.ts'
import { syncOffer } from '../resources/sync-offer.ts'
import { refusedOffers } from './refused-offers.ts'
import type { SharedReservation, SharedStay } from './shared-reservation.ts'
import { snapshot } from './snapshot.ts'

/** Refused offers that are looked at when units become free at the PMS. */
const mostRefused = 1_000

/** Offers again what the PMS has refused of whoever has one of the units here that it has let go of. */
export function offerWhatMayBeHad(
  tx: Transaction,
  configurationId: string,
  before: SharedReservation,
  after: SharedReservation,
): void {
  const names = unitsLetGo(before, after)
  if (names.length === 0) return
  const refused = refusedOffers(tx, configurationId, mostRefused)
  for (const { id, reservationId } of refused) {
    const stays = snapshot(tx, reservationId)?.stays ?? []
    const hasOne = stays.some(({ units = [] }) =>
      units.some(({ unitName }) => unitName && names.includes(unitName)),
    )
    if (hasOne) tx.patch(syncOffer, id, { refused: null, attempts: 0, notBefore: 0 })
  }
}

/** Names of units that a reservation had, and has no more for all of its nights. */
function unitsLetGo(before: SharedReservation, after: SharedReservation): string[] {
  const kept = after.stays.flatMap(givenIn)
  const lost = before.stays
    .flatMap(givenIn)
    .filter(
      (was) =>
        !kept.some(
          (is) => is.unitName === was.unitName && is.startDate <= was.startDate && is.endDate >= was.endDate,
        ),
    )
  return [...new Set(lost.map(({ unitName }) => unitName))]
}

/** A unit on the nights of a stay. */
export interface Given {
  unitName: string
  startDate: string
  endDate: string
}

/** Those of a stay that is not over. */
export function givenIn({ status, units = [], startDate, endDate }: SharedStay): Given[] {
  if (status !== undefined && !isLive(status)) return []
  return units.flatMap(({ unitName }) => (unitName ? [{ unitName, startDate, endDate }] : []))
}
