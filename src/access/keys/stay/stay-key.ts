import { isDeepStrictEqual } from 'node:util'
import { stay } from '../../../reservation/resources/stay.ts'
import { unit } from '../../../reservation/resources/unit.ts'
import { stayBy } from '../../../reservation/stays/find-stays.ts'
import { isLive } from '../../../reservation/stays/status-rules.ts'
import type { Filter } from '../../../resource/query.ts'
import type { Machines, Property } from '../../access.ts'
import { pinOrNull } from '../../pins/pins.ts'
import type { AccessController } from '../../resources/access-controller.ts'
import { type Key, key } from '../../resources/key.ts'
import { type KeyOrder, orderedValues } from '../key-order.ts'
import { wasUndelivered } from '../undelivered-cards.ts'
import type { FoundKey } from './reconcile-table.ts'

type Stored = Pick<Property, 'reader'>
type Keys = Stored & Pick<Machines, 'workshop'>

/** Keys of these usages may carry a stay's externalId and are not the key of the stay. */
const nobodys = ['OneShot', 'Spare'] as const

/**
 * The newest original of a stay at the controller's lock system, found by externalId or by stay; null when there is
 * none. A stay of several units has a live card for each, so the live card of the unit that is asked for goes first.
 */
export function stayKey(
  access: Stored,
  controller: AccessController,
  { externalId, unitName }: { externalId: string; unitName: string | null },
): Key | null {
  const named = stayBy(access.reader, externalId)
  const newest = (also: readonly Filter[]): Key | null => {
    const byName = newestBy(
      access,
      controller,
      { path: 'externalId', operator: 'eq', value: externalId },
      also,
    )
    const byStay =
      named && newestBy(access, controller, { path: 'stayId', operator: 'eq', value: named.id }, also)
    return byName && numberOf(byName) > numberOf(byStay) ? byName : byStay
  }
  const ofUnit =
    unitName !== null && controller.keyType === 'keyCard'
      ? newest([
          { path: 'unitName', operator: 'eq', value: unitName },
          { path: 'status', operator: 'eq', value: 'live' },
        ])
      : null
  return ofUnit ?? newest([])
}

function newestBy(
  { reader }: Stored,
  { providerId, keyType }: AccessController,
  ofStay: Filter,
  also: readonly Filter[],
): Key | null {
  const filters = [
    ofStay,
    ...also,
    { path: 'providerId', operator: 'eq' as const, value: providerId },
    { path: 'keyType', operator: 'eq' as const, value: keyType },
    { path: 'original', operator: 'eq' as const, value: 1 },
    ...nobodys.map((value) => ({ path: 'usage', operator: 'ne' as const, value })),
    { path: 'status', operator: 'ne' as const, value: 'failed' },
  ]
  const [found] = reader.rows(key, {
    filters,
    sort: [{ path: 'credential', descending: true }],
    page: { size: 1 },
  })
  return found ?? null
}

/** Credential numbers grow in the order of making, whatever the clock shows. */
function numberOf(row: Key | null): number {
  return row?.credential ?? -1
}

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
  blocked: 'gone',
  invalidated: 'gone',
  revocationPending: 'gone',
  removed: 'gone',
}

/** The state of a stay's key. */
export function foundOf(access: Keys, held: Key | null, externalId: string): FoundKey {
  const found = stayBy(access.reader, externalId)
  if (found && !isLive(found.status)) return 'gone'
  // A check-in or check-out was undone, or the stay was reinstated: the guest needs a key again.
  if (held && found && endedWithItsStay(held)) return 'none'
  // The guest received no card and asks again.
  if (held && wasUndelivered(access.reader, held)) return 'none'
  const kept = held?.status ? foundBy[held.status] : 'none'
  // Without its PIN, a stored key cannot be continued.
  return lacksPin(access, held) && kept !== 'gone' ? 'none' : kept
}

/** Whether the key ended with its stay. A key that a request revoked, or whose card was erased, stays ended. */
function endedWithItsStay({ stayId, status, revokedAs, proof, isVirtual }: Key): boolean {
  if (!stayId || revokedAs || proof === 'card-erased') return false
  return (
    status === 'revocationPending' || status === 'invalidated' || (status === 'removed' && isVirtual === true)
  )
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
  const { validFrom, ...wanted } = orderedValues(order)
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

/**
 * Whether a key is for a unit of its stay; true when the stay names no unit. A stay that was moved to another unit gets
 * another key.
 */
export function isInItsUnit({ reader }: Stored, { stayId, unitName }: Key): boolean {
  const units = (stayId && reader.row(stay, stayId)?.units) || []
  const names = units.flatMap(({ unitId }) => (unitId && reader.row(unit, unitId)?.name) || [])
  return names.length === 0 || names.includes(unitName ?? '')
}
