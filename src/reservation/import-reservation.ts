import { change, type Document } from '../resource/change.ts'
import type { Attributes } from '../resource/resource.ts'
import { summaryOf } from './refresh-reservation.ts'
import { reservation } from './resources/reservation.ts'
import { type Stay, stay } from './resources/stay.ts'

type ReservationRow = Attributes<typeof reservation.fields>
type StayRow = Attributes<typeof stay.fields>

/**
 * A reservation as another system has kept it, with stays in whatever status they have there: history is not walked
 * through again. Everything else that holds of a stay holds of these.
 */
export const importReservation = change(
  'import-reservation',
  (
    tx,
    input: { attributes: Record<string, unknown>; stays: Record<string, unknown>[] },
  ): Pick<Document, 'id'> => {
    const { externalId } = input.attributes
    if (typeof externalId === 'string') {
      const [there] = tx.select(
        reservation,
        [{ path: 'externalId', operator: 'eq', value: externalId }],
        [],
        1,
      )
      if (there) return { id: there.id }
    }
    const { id } = tx.insert(reservation, {
      ...input.attributes,
      status: 'Tentative',
      source: 'Import',
    } as ReservationRow)
    const stays = input.stays.map(
      (each) => tx.insert(stay, { ...each, reservationId: id } as StayRow) as Stay,
    )
    tx.patch(reservation, id, summaryOf(tx, stays, 0))
    return { id }
  },
)
