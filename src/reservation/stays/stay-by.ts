import { uuidPattern } from '../../resource/fields.ts'
import type { Reader } from '../../resource/keeper.ts'
import { type Stay, stay } from '../resources/stay.ts'

/** Returns the stay with this externalId, or else the stay with this id; null when there is none. */
export function stayBy(reader: Reader, externalId: string): Stay | null {
  const filters = [{ path: 'externalId', operator: 'eq' as const, value: externalId }]
  const [found] = reader.rows(stay, { filters, sort: [], page: { size: 1 } })
  return found ?? (uuidPattern.test(externalId) ? reader.row(stay, externalId) : null)
}
