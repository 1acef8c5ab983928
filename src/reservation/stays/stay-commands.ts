import { command, type Document } from '../../resource/command.ts'
import type { Written } from '../../resource/plain-commands.ts'
import { Problem } from '../../resource/problem.ts'
import { toDecimal } from '../../resource/values/currency.ts'
import { refuseOverbooking } from '../availability/availability-guard.ts'
import { newPriceOf } from '../pricing/price-follows-dates.ts'
import { reservation } from '../resources/reservation.ts'
import { type Stay, type StayInput, stay } from '../resources/stay.ts'
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
  /** What the box has set that the caller did not state, and the stay: a price that followed the dates, or a fee. Null for nothing. */
  set: { message: SetByBox; document: Document } | null
}

/** A message for the answer. */
export interface SetByBox {
  code: 'price-of-nights' | 'price-in-proportion' | 'fee-fixed'
  values: Record<string, string | number>
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
      const message = input.whole ? null : setByBox(before, after!, input.stay)
      return {
        id,
        revision: tx.revision(stay, id)!,
        hasEntered,
        set: message && { message, document: tx.document(stay, id) },
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

function setByBox(before: Stay, after: Stay, { amount }: StayInput): SetByBox | null {
  const fee = after.cancellationFee
  if (fee && fee.amount > 0 && !before.cancellationFee) {
    const { currency } = fee
    return { code: 'fee-fixed', values: { fee: toDecimal(fee.amount, currency), currency } }
  }
  const price = amount === undefined ? newPriceOf(before, after) : null
  if (!price) return null
  const { isByNight, ...values } = price
  return { code: isByNight ? 'price-of-nights' : 'price-in-proportion', values }
}
