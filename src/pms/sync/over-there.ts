import { isLive } from '../../reservation/stays/status-rules.ts'
import type { Transaction } from '../../resource/command.ts'
import { type SyncRecord, syncRecord } from '../resources/sync-record.ts'
import { knownOf } from './known.ts'
import { tripledStays } from './match.ts'
import type { SharedReservation } from './shared-reservation.ts'

/** Whether nobody comes or is in house by this reservation. */
export function isOver({ stays }: SharedReservation): boolean {
  return stays.every(({ status }) => status !== undefined && !isLive(status))
}

/** What was deleted here and is over there, mostly because of that, does not come back: the PMS is known to have it so. */
export function keepOver(
  tx: Transaction,
  { id, base }: SyncRecord,
  upstream: SharedReservation,
  told: Pick<SyncRecord, 'upstreamRevision' | 'digest'>,
): void {
  const stays = tripledStays({ base: base?.stays ?? [], local: [], upstream: upstream.stays })
  tx.patch(syncRecord, id, { ...told, base: knownOf(base ?? null, upstream, stays) })
}
