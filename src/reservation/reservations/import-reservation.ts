import { command, type Transaction } from '../../resource/command.ts'
import { reservation } from '../resources/reservation.ts'
import type { StayInput } from '../resources/stay.ts'
import { importPolicy, type StayPorts, writeStays } from '../stays/write-stay.ts'
import { summaryOf } from './refresh-reservation.ts'
import type { ReservationInput } from './reservation-changes.ts'

/** The reservation's id; `already` when its externalId was imported before, and nothing was changed. */
export interface Imported {
  id: string
  already: boolean
}

/**
 * A reservation as another system has kept it, with stays in whatever status they have there: history is not walked
 * through again. Everything else that holds of a stay holds of these.
 */
export const reservationImport = (ports: StayPorts) =>
  command('import-reservation', (tx, input: ReservationInput & { stays: StayInput[] }): Imported => {
    const there = importedBefore(tx, input.attributes)
    if (there) return { id: there, already: true }
    const { id } = tx.insert(reservation, {
      ...input.attributes,
      status: 'Tentative',
      source: 'Import',
      paid: 0,
    })
    const writes = input.stays.map((each, index) => ({
      reservationId: id,
      before: null,
      input: each,
      at: `/stays/${index}`,
    }))
    const stays = writeStays(tx, [], writes, importPolicy(ports))
    tx.patch(reservation, id, summaryOf(tx, id, stays))
    return { id, already: false }
  })

function importedBefore(tx: Transaction, { externalId }: ReservationInput['attributes']): string | null {
  if (!externalId) return null
  const [there] = tx.select(reservation, [{ path: 'externalId', operator: 'eq', value: externalId }], [], 1)
  return there?.id ?? null
}
