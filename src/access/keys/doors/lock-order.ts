import { stay } from '../../../reservation/resources/stay.ts'
import { sharersOf } from '../../../reservation/units/unit-occupancy.ts'
import type { Transaction } from '../../../resource/command.ts'
import { Problem } from '../../../resource/problem.ts'
import { having } from '../../../resource/query.ts'
import { ridOf } from '../../../resource/uuid-sql.ts'
import { doorsAlike, unitNamesOf } from '../../resources/door.ts'
import { type Key, type KeyStatus, key } from '../../resources/key.ts'
import { numberAt } from '../../resources/key-door.ts'
import { undecidedKeys } from '../life/revocable.ts'
import { endsNow } from './in-force.ts'
import { unitsNamed } from './units-behind.ts'
import { isAbove, unknownUpTo } from './unknown-keys.ts'

/** The lock whose keys a query selects. */
type AtLock = Pick<Key, 'providerId'> & { lock?: Key['lock'] | undefined }

type Window = { [Name in 'validFrom' | 'validUntil']?: Key[Name] | undefined }

/** So many keys are read at a lock for each status that is asked for. */
const mostOfStatus = 1_000

/**
 * The keys with these statuses whose main door has this lock: by their statuses in this order, those of one newest first. Of more
 * than 1000 for each status, all statuses together, it is the newest. A unit may have been renamed since, and a lock may have two names, so
 * names are not compared.
 */
export function keysOf(tx: Transaction, { lock, providerId }: AtLock, ...statuses: KeyStatus[]): Key[] {
  const where = having({ lock: lock ?? '', status: statuses, providerId })
  const newestFirst = [{ path: 'id', descending: true }]
  return byStatus(statuses, tx.select(key, where, newestFirst, mostOfStatus * statuses.length))
}

/** Keys by their statuses in this order; those of one status keep theirs. */
function byStatus(statuses: readonly Key['status'][], rows: readonly Key[]): Key[] {
  const place = ({ status }: Key) => statuses.indexOf(status)
  return rows.toSorted((one, other) => place(one) - place(other))
}

const asTheyAre = `status IN (SELECT value FROM json_each(?)) AND providerId = ${ridOf('access_provider')}
  AND rid IN (SELECT owner FROM key_door WHERE lock = +? AND proof IS NULL AND endedById IS NULL)`

/** SQL: see `keysThatMayReturn`. It begins with the few undecided keys, and not with all that a lock has ever had. */
export const asTheyMayReturn = `+status = 'superseded' AND +providerId = ${ridOf('access_provider')}
  AND rid IN (SELECT owner FROM key_door WHERE position = 0 AND endedById IN (${undecidedKeys}))
  AND EXISTS (SELECT 1 FROM key_door AS door
    WHERE door.owner = key.rid AND door.lock = ? AND door.proof IS NULL AND (door.endedById IS NULL OR door.position = 0))`

/** A superseded key has lost its door: see `keysThatMayReturn`. */
type StatusAtDoor = Exclude<KeyStatus, 'superseded'>

/**
 * The keys with these statuses that open a lock as their main door or as another, and that no newer key has ended there, by their
 * statuses in this order.
 */
export function keysAtDoor(
  tx: Transaction,
  { lock, providerId }: AtLock,
  ...statuses: StatusAtDoor[]
): Key[] {
  if (!lock) return []
  return byStatus(statuses, tx.rows(key, asTheyAre, JSON.stringify(statuses), providerId, lock))
}

/** The superseded keys that open a lock again if the newer key of their main door, which is undecided, fails. */
export function keysThatMayReturn(tx: Transaction, { lock, providerId }: AtLock): Key[] {
  return lock ? tx.rows(key, asTheyMayReturn, providerId, lock) : []
}

/** What decides which keys a key meets. `id` is null for a key that is not stored yet. */
type Meeting = Pick<Key, 'keyType'> & Window & { id: string | null }

/** The live keys of the lock that an original would supersede, newest first. */
export function rivalsOf(tx: Transaction, wanted: AtLock & Meeting): Key[] {
  return keysOf(tx, wanted, 'live').filter((each) => isRival(wanted, each))
}

/** Whether two keys of one door are of the same type, and meet. */
export function isRival(one: Meeting, other: Meeting): boolean {
  return one.id !== other.id && one.keyType === other.keyType && meetAtDoor(one, other)
}

/** A lock accepts one original card at a time, in any window. PINs whose windows do not overlap are live side by side. */
export function meetAtDoor(one: Meeting, other: Window): boolean {
  return one.keyType === 'keyCard' || meet(one, other)
}

/** Which keys count as newer. */
interface Newer {
  /** The lock; that of the main door by default. */
  lock?: Key['lock'] | undefined
  /** The statuses of keys that have not ended; live by default. */
  statuses?: readonly StatusAtDoor[]
  /** The id of a key that does not count, because its card is proven never handed out. */
  except?: string
}

/**
 * The key that a lock of the key treats as newer: the first use of its card ends this key there, or may have done so before that
 * key ended. It is an original, or a copy of an original that no one received. A card that was made in advance is not newer
 * before its window.
 */
export function newerKey(
  tx: Transaction,
  row: Key,
  { lock = row.lock, statuses = ['live'], except }: Newer = {},
): Key | undefined {
  const number = numberAt(row, lock)
  const newer = keysAtDoor(tx, { lock, providerId: row.providerId }, ...statuses).filter(
    (each) =>
      isRival(row, each) && numberAt(each, lock) > number && each.id !== except && endsNow(tx, each, row),
  )
  const found = newer.find(supersedesOthers) ?? newer.find(({ original }) => !original)
  return found ?? endedNewerKey(tx, row, lock, except)
}

/**
 * SQL: the cards with a higher number at a lock that have ended, and that a person may have had before. A card that the machine
 * has kept was used at no door.
 */
const endedNewer = `+keyType = 'keyCard' AND coalesce(proof, '') <> 'never-made'
  AND +status IN ('superseded', 'blocked', 'revocationPending', 'invalidated', 'removed', 'expired')
  AND +providerId = ${ridOf('access_provider')} AND rid IN (SELECT owner FROM key_door WHERE lock = ? AND number > ?)
  AND NOT EXISTS (SELECT 1 FROM card_run WHERE keyId = key.rid AND ending IN ('captured', 'left', 'failed'))`

function endedNewerKey(
  tx: Transaction,
  row: Key,
  lock: Key['lock'] | undefined,
  except: string | undefined,
): Key | undefined {
  if (!lock || row.keyType !== 'keyCard') return undefined
  const ended = tx.rows(key, endedNewer, row.providerId, lock, numberAt(row, lock))
  return ended.find((each) => each.id !== row.id && each.id !== except && endsNow(tx, each, row))
}

/**
 * The newest key of guests who share a unit behind the lock with a stay, if the stay has no original of its own at the lock with
 * this number or a later one. Its next original takes this number, so that neither ends the other. A further one ends them all: a card of the stay
 * that was lost has the number, too. A card of the stay whose outcome is unknown does not count: the guest waits for another one.
 * Nor does a key of the others that a key lost in a restore may have ended.
 */
export function keyOfSharer(
  tx: Transaction,
  wanted: AtLock & Meeting,
  stayId: string | null | undefined,
): Key | undefined {
  const own = stayId ? tx.find(stay, stayId) : null
  if (!own?.shareId) return undefined
  const behind = unitsNamed(tx, unitNamesOf(doorsAlike(tx, wanted.providerId, wanted.lock ?? '')))
  const sharing = sharersOf(tx, own.id, tx.now).filter(({ unitId }) => behind.includes(unitId))
  const sharers = new Set(sharing.map(({ stayId: id }) => id))
  const originals = (...statuses: StatusAtDoor[]) =>
    keysAtDoor(tx, wanted, ...statuses).filter(
      (each) => supersedesOthers(each) && isRival(wanted, each) && endsNow(tx, each, wanted),
    )
  const number = (each: Key) => numberAt(each, wanted.lock)
  const unknown = unknownUpTo(tx, wanted)
  const [newest] = originals('live', 'pendingWrite', 'unknown')
    .filter((each) => each.stayId && sharers.has(each.stayId) && isAbove(unknown, number(each)))
    .sort((one, other) => number(other) - number(one))
  if (!newest) return undefined
  const isOwn = (each: Key) => each.stayId === own.id && number(each) >= number(newest)
  return originals('live', 'blocked', 'revocationPending').some(isOwn) ? undefined : newest
}

/** Throws no-original-key for a copy whose original is no longer live. */
export function refuseOrphan(tx: Transaction, { original, familyId }: Key): void {
  if (original || !familyId) return
  const family = tx.select(key, having({ familyId }))
  if (family.some((each) => each.original && each.status === 'live')) return
  throw new Problem('no-original-key', 'The original key was revoked while its copy was made.')
}

/** Whether the lock system takes the key for a new original although it is a spare, because it counts keys by itself. */
export function isCountedSpare(usage: Key['usage'] | undefined, countsItself: boolean): boolean {
  return usage === 'Spare' && countsItself
}

/**
 * Whether the key supersedes others: an original does, except a spare and a one-shot key, which use the number of the
 * key in force.
 */
export function supersedesOthers({ original, usage }: Pick<Key, 'original' | 'usage'>): boolean {
  return original && usage !== 'Spare' && usage !== 'OneShot'
}

/** Whether two windows overlap. */
export function meet(one: Window, other: Window): boolean {
  const starts = Math.max(one.validFrom ?? 0, other.validFrom ?? 0)
  return starts < Math.min(one.validUntil ?? Infinity, other.validUntil ?? Infinity)
}
