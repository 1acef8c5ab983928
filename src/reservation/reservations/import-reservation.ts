import { command, type Transaction } from '../../resource/command.ts'
import { type ReservationInput, reservation } from '../resources/reservation.ts'
import type { StayInput } from '../resources/stay.ts'
import { importPolicy, type StayPorts } from '../stays/stay-policy.ts'
import { writeStays } from '../stays/write-stay.ts'
import { summaryOf } from './refresh-reservation.ts'

/**
 * The id of the reservation. `already` is true when its externalId was imported before; the import then changed
 * nothing.
 */
export interface Imported {
  id: string
  already: boolean
}

/**
 * Imports a reservation of another system. The stays are created directly in their current status: no transition runs.
 * The rate plan need not be open, and no unit need be left. All other rules of a stay apply.
 */
export const reservationImport = (ports: StayPorts) =>
  command('import-reservation', (tx, input: ReservationInput & { stays: StayInput[] }): Imported => {
    const known = importedBefore(tx, input.attributes)
    if (known) return { id: known, already: true }
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
    tx.patch(reservation, id, summaryOf(stays, stays))
    return { id, already: false }
  })

function importedBefore(tx: Transaction, { externalId }: ReservationInput['attributes']): string | null {
  if (!externalId) return null
  const [known] = tx.select(reservation, [{ path: 'externalId', operator: 'eq', value: externalId }], [], 1)
  return known?.id ?? null
}
