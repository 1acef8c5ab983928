import { command, type Transaction } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import { type ReservationInput, reservation } from '../resources/reservation.ts'
import { summaryOf } from '../stays/refresh-reservation.ts'
import { importPolicy, type StayPorts } from '../stays/stay-policy.ts'
import { writeImported } from './alike-profiles.ts'
import type { Difference } from './difference.ts'
import { isOfIntegration, withExternalId } from './external-id.ts'
import { importAgain, type UpdateRights, type WholeInput } from './import-again.ts'

/**
 * The id of the reservation. `already` is true when a reservation of its integration has the externalId. `differences` are then
 * those of the import from what was stored before; none otherwise.
 */
export interface Imported {
  id: string
  already: boolean
  differences: Difference[]
}

/**
 * Imports a reservation of another system. The stays are created directly in their current status: no transition runs.
 * The rate plan need not be open, and no unit need be left. All other rules of a stay apply. Profiles that are alike in
 * several stays of a reservation are one guest who has booked several rooms, and become one profile. A reservation that
 * is stored already is compared, and is changed if `update` has the rights for that.
 */
export const reservationImport = (ports: StayPorts) =>
  command('import-reservation', (tx, input: WholeInput & { update?: UpdateRights | null }): Imported => {
    const before = importedBefore(tx, input.attributes)
    if (before) {
      const differences = importAgain(tx, before, input, { ports, rights: input.update ?? null })
      return { id: before, already: true, differences }
    }
    const { id } = tx.insert(reservation, {
      ...input.attributes,
      status: 'Tentative',
      source: 'Import',
      paid: 0,
    })
    const known = new Map<string, string>()
    const stays = input.stays.map((each, index) => {
      const write = { reservationId: id, before: null, input: each, at: `/stays/${index}` }
      return writeImported(tx, write, importPolicy(ports), known)
    })
    tx.patch(reservation, id, summaryOf(stays, stays))
    return { id, already: false, differences: [] }
  })

/**
 * The reservation of an earlier import, also of one before the PMS of this import was connected. Throws 409 `external-id-conflict`
 * where an import without an integration cannot tell it from that of a PMS which has taken it over since.
 */
function importedBefore(tx: Transaction, attributes: ReservationInput['attributes']): string | null {
  const same = withExternalId(tx, attributes)
  const imported = same.filter(({ source }) => source === 'Import')
  const known =
    same.find((row) => isOfIntegration(row, attributes)) ??
    imported.find(({ integrationId }) => !integrationId)
  if (known) return known.id
  const [taken] = imported
  if (!taken || attributes.integrationId) return null
  throw new Problem(
    'external-id-conflict',
    `Reservation ${taken.id} of a PMS was imported with this externalId. Give its integrationId if this is the same booking, or another externalId.`,
    { pointer: '/externalId', meta: { id: taken.id } },
  )
}
