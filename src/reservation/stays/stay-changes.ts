import { command } from '../../resource/command.ts'
import { expectRevision, type Written } from '../../resource/plain-changes.ts'
import { Problem } from '../../resource/problem.ts'
import { refreshReservation } from '../reservations/refresh-reservation.ts'
import { reservation } from '../resources/reservation.ts'
import { type StayInput, stay } from '../resources/stay.ts'
import type { StayRights } from './check-in-rights.ts'
import { stayOf, staysOf } from './find-stays.ts'
import { deskPolicy, removeStay, type StayPorts, writeStays } from './write-stay.ts'

interface OneStay {
  reservationId: string
  stayId: string
  /** The revision of the stay that the caller read. */
  revision?: number | undefined
}

/** The commands that write single stays. */
export function stayChanges(ports: StayPorts) {
  const addStay = command(
    'add-stay',
    (
      tx,
      input: {
        reservationId: string
        stay: StayInput
        rights: StayRights
        /** The revision of the reservation that the caller read. */
        revision?: number | undefined
      },
    ) => {
      const { reservationId, revision, rights } = input
      expectRevision(tx, reservation, { type: 'reservation', id: reservationId, revision })
      const { id } = tx.find(reservation, reservationId)
      const added = { reservationId: id, before: null, input: input.stay, at: '' }
      const [row] = writeStays(tx, [], [added], deskPolicy(ports, rights))
      refreshReservation(tx, id)
      return tx.document(stay, row!.id)
    },
  )

  const updateStay = command(
    'update-stay',
    (
      tx,
      input: OneStay & {
        /** A whole stay if `whole` is true, otherwise some of its fields. */
        stay: StayInput
        whole: boolean
        rights: StayRights
      },
    ): Written => {
      const before = stayOf(tx, input)
      expectRevision(tx, stay, { type: 'stay', id: before.id, revision: input.revision })
      const { id, reservationId } = before
      const updated = { reservationId, before, input: input.stay, whole: input.whole, at: '' }
      writeStays(tx, [before], [updated], deskPolicy(ports, input.rights))
      refreshReservation(tx, reservationId)
      return { id, revision: tx.find(stay, id).revision }
    },
  )

  const deleteStay = command('remove-stay', (tx, input: OneStay) => {
    const row = stayOf(tx, input)
    expectRevision(tx, stay, { type: 'stay', id: row.id, revision: input.revision })
    if (staysOf(tx, row.reservationId).length < 2)
      throw new Problem('last-stay', 'A reservation keeps at least one stay; cancel it instead.')
    removeStay(tx, row)
    refreshReservation(tx, row.reservationId)
    return null
  })

  return { addStay, updateStay, deleteStay, all: [addStay, updateStay, deleteStay] }
}

export type StayChanges = ReturnType<typeof stayChanges>
