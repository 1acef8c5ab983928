import { isDeepStrictEqual } from 'node:util'
import type { Stay } from '../../../reservation/resources/stay.ts'
import { isLive } from '../../../reservation/stays/rules/status-rules.ts'
import { type Filter, having } from '../../../resource/query.ts'
import type { Machines, Property } from '../../access.ts'
import type { AccessController } from '../../resources/access-controller.ts'
import { type Key, key } from '../../resources/key.ts'
import { isNewestKnown } from '../doors/unknown-keys.ts'
import { type KeyOwner, ofOwner } from '../life/key-owner.ts'
import { type KeyOrder, orderedValues } from '../orders/key-order.ts'
import { pinOrNull } from '../orders/pins.ts'
import { wasUndelivered } from '../undelivered-cards.ts'
import type { FoundKey } from './reconcile-table.ts'

type Stored = Pick<Property, 'reader'>
type Keys = Stored & Pick<Machines, 'workshop'>

/**
 * The newest original of a stay at the controller's lock system; null when there is none. A stay of several units has a live
 * card for each, so the live card of the unit that is asked for goes first.
 */
export function stayKey(
  access: Stored,
  controller: AccessController,
  owner: KeyOwner,
  unitName: string | null,
): Key | null {
  const owned = ofOwner(owner)
  if (owned === null) return null
  const { providerId, keyType } = controller
  const newest = (values: Parameters<typeof having>[0]) => {
    const filters = [...owned, ...ownKeys, ...having({ providerId, keyType, original: 1, ...values })]
    return access.reader.rows(key, { filters, sort: newestFirst, page: { size: 1 } })[0] ?? null
  }
  const ofUnit = unitName !== null && keyType === 'keyCard' ? newest({ unitName, status: 'live' }) : null
  return ofUnit ?? newest({})
}

const newestFirst = [{ path: 'credential', descending: true }]
/** One-shot keys and spares may carry a stay's externalId, and are not the key of the stay. */
const ownKeys: Filter[] = [
  { path: 'usage', operator: 'ne', value: 'OneShot' },
  { path: 'usage', operator: 'ne', value: 'Spare' },
  { path: 'status', operator: 'ne', value: 'failed' },
]

const foundBy: Record<NonNullable<Key['status']>, FoundKey> = {
  virtual: 'virtual',
  live: 'live',
  unknown: 'unknown',
  pendingWrite: 'unknown',
  // Its window is over. The stay may have been extended since, and the PIN may still be in its lock.
  expired: 'expired',
  // Another stay has the unit's newest key; a new request decides again.
  superseded: 'none',
  failed: 'none',
  // It ended with its stay, which goes on, or with a guest before. No request said that the guest shall have none.
  invalidated: 'none',
  revocationPending: 'none',
  removed: 'none',
  blocked: 'gone',
}

/** The state of a stay's key. */
export function foundOf(access: Keys, held: Key | null, own: Stay | null): FoundKey {
  if (own && !isLive(own.status)) return 'gone'
  if (!held?.status) return 'none'
  // The guest received no card and asks again.
  if (wasUndelivered(access.reader, held)) return 'none'
  if (held.revokedAs || held.proof === 'card-erased') return 'gone'
  // A key that a restore has lost may have ended it.
  if (held.status === 'live' && !isNewestKnown(access.reader, held)) return 'none'
  const kept = foundBy[held.status]
  // Without its PIN, a stored key cannot be continued.
  return lacksPin(access, held) && kept !== 'gone' ? 'none' : kept
}

/** Whether the digits of a PIN were erased after its end, or can no longer be decrypted. */
export function lacksPin({ workshop }: Keys, held: Key | null): boolean {
  if (held?.keyType !== 'pinCode') return false
  return !held.pinSealed || pinOrNull(workshop, held.pinSealed) === null
}

/**
 * Whether a key equals an order. Two starts in the past count as equal. A key with an unfinished change equals nothing.
 */
export function isSame(row: Key, order: KeyOrder, now: number): boolean {
  if (row.changeAsked) return false
  // The end at the lock follows from the others. A key of an earlier release has none.
  const { validFrom, endsAtLock: _, ...wanted } = orderedValues(order)
  const hasBegun = validFrom <= now && (row.validFrom ?? 0) <= now
  const names = Object.keys(wanted) as (keyof typeof wanted)[]
  return (
    (hasBegun || row.validFrom === validFrom) &&
    isDeepStrictEqual(
      names.map((name) => row[name] ?? null),
      names.map((name) => wanted[name] ?? null),
    )
  )
}
