import type { Reader } from '../../resource/keeper.ts'
import { type Key, type KeyStatus, key } from '../resources/key.ts'

/**
 * The keys that were made on the card with this serial number, newest first, at most 100. `status` limits them to one
 * status.
 */
export function keysOnCard({ reader }: { reader: Reader }, uid: string, status?: KeyStatus): Key[] {
  const filters = [
    { path: 'uid', operator: 'eq' as const, value: uid },
    ...(status ? [{ path: 'status', operator: 'eq' as const, value: status }] : []),
  ]
  const sort = [{ path: 'id', descending: true }]
  return reader.rows(key, { filters, sort, page: { size: 100 } })
}
