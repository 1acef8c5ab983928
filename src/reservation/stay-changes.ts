import { change, type Transaction } from '../resource/change.ts'
import { expectRevision, type Written } from '../resource/plain-changes.ts'
import { Problem } from '../resource/problem.ts'
import { refuseOverbooking } from './availability-guard.ts'
import type { StayRights } from './check-in-rights.ts'
import { stayOf, staysOf } from './find-stays.ts'
import { refreshReservation } from './refresh-reservation.ts'
import { reservation } from './resources/reservation.ts'
import { type Stay, stay } from './resources/stay.ts'
import type { Effect } from './status.ts'
import { applyToStay, insertStay, type StayInput } from './stay-update.ts'

/** What another room does when a stay takes a status: keys follow their stay. Runs in the same transaction. */
export type Follower = (tx: Transaction, effect: Effect, stay: Stay) => void

interface OneStay {
  reservationId: string
  stayId: string
  /** Of the stay, as the caller has read it. */
  revision?: number | undefined
}

/** The changes of single stays. What happens elsewhere because of them is done by the followers. */
export function stayChanges(followers: readonly Follower[]) {
  const addStay = change(
    'add-stay',
    (
      tx,
      input: {
        reservationId: string
        stay: StayInput
        rights: Pick<StayRights, 'overbook'>
        /** Of the reservation. */
        revision?: number | undefined
      },
    ) => {
      const { reservationId, revision } = input
      expectRevision(tx, reservation, { type: 'reservation', id: reservationId, revision })
      const parent = tx.find(reservation, reservationId)
      const row = insertStay(tx, parent.id, input.stay)
      if (!input.rights.overbook) refuseOverbooking(tx, [], [{ stay: row, at: '' }])
      refreshReservation(tx, parent.id)
      return tx.document(stay, row.id)
    },
  )

  const updateStay = change(
    'update-stay',
    (
      tx,
      input: OneStay & {
        /** A whole stay, or some of its fields. */
        stay: StayInput
        whole: boolean
        rights: StayRights
      },
    ): Written => {
      const before = stayOf(tx, input)
      expectRevision(tx, stay, { type: 'stay', id: before.id, revision: input.revision })
      const { whole, rights } = input
      const row = applyToStay(tx, before, input.stay, { whole, rights, followers })
      if (!rights.overbook) refuseOverbooking(tx, [before], [{ stay: row, at: '' }])
      refreshReservation(tx, before.reservationId)
      return { id: row.id, revision: tx.find(stay, row.id).revision }
    },
  )

  const removeStay = change('remove-stay', (tx, input: OneStay) => {
    const { id, reservationId } = stayOf(tx, input)
    expectRevision(tx, stay, { type: 'stay', id, revision: input.revision })
    if (staysOf(tx, reservationId).length < 2)
      throw new Problem('last-stay', 'A reservation keeps at least one stay; cancel it instead.')
    tx.remove(stay, id)
    refreshReservation(tx, reservationId)
    return null
  })

  return { followers, addStay, updateStay, removeStay, all: [addStay, updateStay, removeStay] }
}

export type StayChanges = ReturnType<typeof stayChanges>
