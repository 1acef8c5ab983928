import type { Questions, Transaction } from '../../resource/command.ts'
import { uuidPattern } from '../../resource/fields.ts'
import type { Reader } from '../../resource/keeper.ts'
import { Problem } from '../../resource/problem.ts'
import { ridOf, uuidBytes, uuidText } from '../../resource/uuid-sql.ts'
import { type Stay, stay } from '../resources/stay.ts'
import { isLive, type StayStatus } from './rules/status-rules.ts'

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

const named = `SELECT ${uuidText('id')} AS id, status FROM stay WHERE externalId = ?`
const namedOrItself = `${named} OR id = ${uuidBytes()}`

/**
 * Returns the ids of the stays that a name means, the newest first: a name is an externalId, or the id of a stay. Stays that are
 * not over go before those that are, because portals give a number again; of several that are over, the newest is meant.
 * Several that are not over may have one externalId, because two PMSs both count from 1.
 */
export function staysNamed(db: Questions, name: string): string[] {
  const mayBeId = uuidPattern.test(name)
  const found = db.all<{ id: string; status: StayStatus }>(
    `${mayBeId ? namedOrItself : named} ORDER BY rid DESC`,
    name,
    ...(mayBeId ? [name] : []),
  )
  const open = found.filter(({ status }) => isLive(status))
  return (open.length > 0 ? open : found.slice(0, 1)).map(({ id }) => id)
}
