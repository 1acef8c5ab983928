import type { Unanswered } from '../../devices/lock-system.ts'
import type { Clock } from '../../host/clock.ts'
import type { Reader } from '../../resource/keeper.ts'
import { type Filter, first, having } from '../../resource/query.ts'
import { runOfKey } from '../cards/run-of-key.ts'
import type { Workshop } from '../controllers/workshop.ts'
import { heldKey } from '../keys/held-key.ts'
import { accessController } from '../resources/access-controller.ts'
import { type KeyStatus, key } from '../resources/key.ts'

/** No lock system answers later. */
const longestMs = 300_000
/** More requests than a lock system has encoders. */
const most = 100

/**
 * The statuses of keys whose request may have no answer. A key with an unknown outcome may have been revoked since,
 * which changes nothing at the encoder.
 */
const statuses = [
  'pendingWrite',
  'unknown',
  'blocked',
  'revocationPending',
  'invalidated',
  'removed',
] as const satisfies KeyStatus[]

/** The requests for keys of a provider that have no known outcome, and whose answers may still come. */
export function unansweredAt(
  { reader, clock, workshop }: { reader: Reader; clock: Clock; workshop: Pick<Workshop, 'unseal'> },
  providerId: string,
): Unanswered[] {
  const now = clock.now()
  const recent: Filter = { path: 'createdAt', operator: 'gt', value: now - longestMs }
  return statuses
    .flatMap((status) => reader.rows(key, first([...having({ providerId, status }), recent], most)))
    .filter(({ id }) => !isConfirmed(reader, id))
    .map((row) => {
      const controller = row.controllerId ? reader.row(accessController, row.controllerId) : null
      const { grant } = heldKey(workshop, row, controller)
      return { grant, agoMs: Math.max(0, now - row.updatedAt) }
    })
}

/** Whether the lock system has confirmed that it made the card of the key. */
function isConfirmed(reader: Reader, keyId: string): boolean {
  const { step, ending, presentedAt = null } = runOfKey({ reader }, keyId) ?? {}
  return step === 'verified' || ending === 'handed' || presentedAt !== null
}
