import { change, type Transaction } from '../resource/change.ts'
import type { Attributes } from '../resource/resource.ts'
import { summaryOf } from './refresh-reservation.ts'
import type { ReservationInput } from './reservation-changes.ts'
import { reservation } from './resources/reservation.ts'
import { type Stay, stay } from './resources/stay.ts'
import { settleProfiles } from './stay-profiles.ts'
import type { StayInput } from './stay-update.ts'
import { underPointer } from './under-pointer.ts'
import { settleUnits } from './unit-effects.ts'

type ReservationRow = Attributes<typeof reservation.fields>
type StayRow = Attributes<typeof stay.fields>

/** The reservation's id; `already` when its externalId was imported before, and nothing was changed. */
export interface Imported {
  id: string
  already: boolean
}

/**
 * A reservation as another system has kept it, with stays in whatever status they have there: history is not walked
 * through again. Everything else that holds of a stay holds of these.
 */
export const importReservation = change(
  'import-reservation',
  (tx, input: ReservationInput & { stays: StayInput[] }): Imported => {
    const there = importedBefore(tx, input.attributes)
    if (there) return { id: there, already: true }
    const { id } = tx.insert(reservation, {
      ...input.attributes,
      status: 'Tentative',
      source: 'Import',
      paid: 0,
    } as ReservationRow)
    const stays = input.stays.map((each, index) =>
      underPointer(`/stays/${index}`, () => importStay(tx, id, each)),
    )
    tx.patch(reservation, id, summaryOf(tx, stays))
    return { id, already: false }
  },
)

function importedBefore(tx: Transaction, { externalId }: Record<string, unknown>): string | null {
  if (typeof externalId !== 'string') return null
  const [there] = tx.select(reservation, [{ path: 'externalId', operator: 'eq', value: externalId }], [], 1)
  return there?.id ?? null
}

function importStay(tx: Transaction, reservationId: string, input: StayInput): Stay {
  const row = tx.insert(stay, { ...settleProfiles(tx, input), reservationId } as StayRow)
  settleUnits(tx, null, row)
  return row
}
