import { command, type Document } from '../../resource/command.ts'
import type { Written } from '../../resource/plain-commands.ts'
import { Problem } from '../../resource/problem.ts'
import { refuseOverbooking } from '../availability/availability-guard.ts'
import { type NewPrice, newPriceOf } from '../pricing/price-follows-dates.ts'
import { reservation } from '../resources/reservation.ts'
import { type StayInput, stay } from '../resources/stay.ts'
import { stayOf, staysOf } from './find-stays.ts'
import { refuseWhileBeingPaid } from './kept-stay.ts'
import { refreshReservation } from './refresh-reservation.ts'
import { deskPolicy, type StayPorts } from './stay-policy.ts'
import type { StayRights } from './stay-rights.ts'
import { removeStay, writeStay, writeStays } from './write-stay.ts'

interface OneStay {
  reservationId: string
  stayId: string
  /** The revision of the stay that the caller read. */
  revision?: number | undefined
}

/** What came of a change of a stay. */
interface UpdatedStay extends Written {
  hasEntered: boolean
  /** Null unless the dates changed the price, which the caller did not state. */
  repriced: { price: NewPrice; document: Document } | null
}

/** The commands that write single stays. */
export function stayCommands(ports: StayPorts) {
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
      const reservationId = input.reservationId.toLowerCase()
      tx.expectRevision(reservation, { id: reservationId, revision: input.revision })
      const policy = deskPolicy(ports, input.rights)
      const row = writeStay(tx, { reservationId, before: null, input: input.stay }, policy)
      if (!policy.skips.overbooking) refuseOverbooking(tx, [], [row], [{ at: '' }])
      refreshReservation(tx, reservationId)
      return tx.document(stay, row.id)
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
    ): UpdatedStay => {
      const before = stayOf(tx, input)
      tx.expectRevision(stay, { id: before.id, revision: input.revision })
      const { id, reservationId } = before
      const updated = { reservationId, before, input: input.stay, whole: input.whole, at: '' }
      const [after] = writeStays(tx, [before], [updated], deskPolicy(ports, input.rights))
      refreshReservation(tx, reservationId)
      const hasEntered = before.status !== 'InHouse' && after?.status === 'InHouse'
      const newPrice = input.stay.amount === undefined && !input.whole ? newPriceOf(before, after!) : null
      return {
        id,
        revision: tx.revision(stay, id)!,
        hasEntered,
        repriced: newPrice && { price: newPrice, document: tx.document(stay, id) },
      }
    },
  )

  const deleteStay = command('remove-stay', (tx, input: OneStay) => {
    const row = stayOf(tx, input)
    tx.expectRevision(stay, { id: row.id, revision: input.revision })
    if (staysOf(tx, row.reservationId).length < 2)
      throw new Problem(
        'last-stay',
        'A reservation needs at least one stay. Cancel the stay instead of deleting it.',
      )
    refuseWhileBeingPaid(tx, row.id, ports)
    removeStay(tx, row)
    refreshReservation(tx, row.reservationId)
    return null
  })

  return { addStay, updateStay, deleteStay, all: [addStay, updateStay, deleteStay] }
}

export type StayCommands = ReturnType<typeof stayCommands>
