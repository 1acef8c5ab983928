import type { Transaction } from '../../resource/command.ts'
import { uuidPattern } from '../../resource/fields.ts'
import type { Reader } from '../../resource/keeper.ts'
import { Problem } from '../../resource/problem.ts'
import { ridOf } from '../../resource/uuid-sql.ts'
import { type Stay, stay } from '../resources/stay.ts'

/** Returns the stay of this reservation. Throws 404 `not-found`. */
export function stayOf(
  tx: Transaction,
  { reservationId, stayId }: { reservationId: string; stayId: string },
): Stay {
  const found = tx.find(stay, stayId)
  if (found.reservationId === reservationId.toLowerCase()) return found
  throw new Problem('not-found', `The stay ${found.id} does not belong to reservation ${reservationId}.`)
}

/** Returns the stays of a reservation in order of creation. */
export function staysOf(tx: Transaction, reservationId: string): Stay[] {
  return tx.rows(stay, `reservationId = ${ridOf('reservation')}`, reservationId)
}

/** The largest number of stays that `staysIn` returns. */
const mostStays = 1_000

/** Returns the stays of a reservation in order of creation, outside a command. */
export function staysIn(reader: Reader, reservationId: string): Stay[] {
  const filters = [{ path: 'reservationId', operator: 'eq' as const, value: reservationId }]
  return reader.rows(stay, { filters, sort: [], page: { size: mostStays } })
}

/** Returns the stay with this externalId, or else the stay with this id; null when there is none. */
export function stayBy(reader: Reader, externalId: string): Stay | null {
  const filters = [{ path: 'externalId', operator: 'eq' as const, value: externalId }]
  const [found] = reader.rows(stay, { filters, sort: [], page: { size: 1 } })
  return found ?? (uuidPattern.test(externalId) ? reader.row(stay, externalId) : null)
}
