import { profile } from '../../../reservation/resources/profile.ts'
import { reservation } from '../../../reservation/resources/reservation.ts'
import { stay } from '../../../reservation/resources/stay.ts'
import { staysOf } from '../../../reservation/stays/find-stays.ts'
import { mustBeKept } from '../../../reservation/stays/kept-stay.ts'
import type { StayPorts } from '../../../reservation/stays/stay-policy.ts'
import { removeStay } from '../../../reservation/stays/write-stay.ts'
import type { Transaction } from '../../../resource/command.ts'
import { syncRecord } from '../../resources/sync-record.ts'
import { tripledGuests, tripledStays } from '../merge/match.ts'
import type { SharedReservation } from '../shared-reservation.ts'
import type { Sharing } from '../sync-changes.ts'
import { isThere } from '../sync-state.ts'

interface Named {
  externalId: string
  /** The reservation as it was sent, and as the PMS has answered it. */
  offered: SharedReservation
  value: SharedReservation | undefined
}

/** Stores the ids that the PMS has given to a reservation, its stays and its guests, where they have none yet. */
export function takeNames(
  tx: Transaction,
  { reservationId }: Sharing,
  { externalId, offered, value }: Named,
  ports: StayPorts,
): void {
  tx.patch(reservation, reservationId, { externalId })
  const stays = tripledStays({ base: [], local: offered.stays, upstream: value?.stays ?? [] })
  for (const { local, upstream } of stays) {
    if (!local?.localId || !upstream) continue
    if (upstream.externalId && !local.externalId) {
      const before = tx.find(stay, local.localId)
      patchIfFree(tx, stay, local.localId, upstream.externalId)
      ports.keysFollow(tx, before, tx.find(stay, local.localId))
    }
    const guests = { base: [], local: local.guests ?? [], upstream: upstream.guests ?? [] }
    for (const { local: here, upstream: there } of tripledGuests(guests)) {
      if (!here?.localId || here.externalId || !there?.externalId) continue
      patchIfFree(tx, profile, here.localId, there.externalId)
    }
  }
}

/** An id that another one has already is not taken from it. */
function patchIfFree(
  tx: Transaction,
  resource: typeof stay | typeof profile,
  id: string,
  externalId: string,
): void {
  tx.attempt((part) => part.patch(resource as typeof stay, id, { externalId }))
}

/**
 * The PMS may have reported the reservation as one of its own before it has answered that it has taken it: the two
 * are one. False where the twin is used by now.
 */
export function foldTwin(
  tx: Transaction,
  { configurationId, reservationId }: Sharing,
  externalId: string,
  ports: StayPorts,
): boolean {
  const [twin] = tx.rows(syncRecord, 'integrationId = +? AND externalId = +?', configurationId, externalId)
  if (!twin || twin.reservationId === reservationId) return true
  if (isThere(tx, twin.reservationId)) {
    const stays = staysOf(tx, twin.reservationId)
    if (stays.some(({ id, status }) => status === 'InHouse' || mustBeKept(tx, id, ports))) return false
    for (const each of stays) {
      ports.letKeysWait(tx, each.id)
      removeStay(tx, each)
    }
    tx.remove(reservation, twin.reservationId)
  }
  tx.remove(syncRecord, twin.id)
  return true
}
