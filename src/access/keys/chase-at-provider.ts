import type { OnlineLockSystem } from '../../devices/lock-system.ts'
import { stay } from '../../reservation/resources/stay.ts'
import { unit } from '../../reservation/resources/unit.ts'
import type { Actor } from '../../resource/change.ts'
import type { Filter } from '../../resource/query.ts'
import type { Access } from '../access.ts'
import { lockCall } from '../cards/lock-system-maker.ts'
import { type AccessController, accessController } from '../resources/access-controller.ts'
import { type AccessProvider, accessProvider } from '../resources/access-provider.ts'
import { cardRun } from '../resources/card-run.ts'
import { type Key, type KeyStatus, key } from '../resources/key.ts'
import { finishChange, unfinishedChanges } from './finish-change.ts'
import { heldKey, heldKeys } from './held-key.ts'
import { placesOf } from './key-places.ts'
import { confirmKey, doubtOnlineKey, failKey } from './online-changes.ts'
import { isAnswer, type Pauses } from './pauses.ts'
import { proveDead, revocationTold } from './revoke-changes.ts'
import { storedRequest } from './stored-request.ts'

const actor: Actor = { by: 'key-chase', requestId: null }
/** A request that was sent may be carried out so much later; what is not there then was not made. */
const inFlightMs = 30_000
/** How many keys of one kind are looked at in a turn; those that fail again and again must not be all of them. */
const atOnce = 1_000
/** Keys of a provider that may open something. */
const mostKeys = 5_000

/**
 * Asks one lock system: writes what is due where the house wants that, finds out what became of keys in doubt, and takes
 * away what was revoked until that is confirmed. A key that fails is paused.
 */
export async function chaseAtProvider(
  room: Access,
  providerId: string,
  { unlessPaused }: Pauses,
): Promise<void> {
  const { reader, door, now } = room
  const provider = reader.row(accessProvider, providerId)
  if (!provider || provider.enabled === false) return
  const system = onlineOf(room, provider)
  if (!system) return
  const ofProvider: Filter = { path: 'providerId', operator: 'eq', value: providerId }
  for (const row of due()) await unlessPaused(row.id, () => materialise(row))
  for (const row of doubtful()) await unlessPaused(row.id, () => resolve(system, row))
  if (system.change)
    for (const row of unfinishedChanges(room, providerId))
      await unlessPaused(row.id, () => finishChange(room, row))
  for (const row of revoked(system)) await unlessPaused(row.id, () => revoke(system, row))

  function due(): Key[] {
    if (!room.house().autoMaterialize) return []
    const opened: Filter = { path: 'opensAt', operator: 'lte', value: now() }
    return rows([is('virtual'), opened], atOnce).filter(({ unitName }) => unitName)
  }

  async function materialise(row: Key): Promise<void> {
    const controller = controllerOf(row)
    if (!controller || !row.externalId || !isInItsUnit(row)) return
    const request = { ...storedRequest(row), externalId: row.externalId }
    await room.reconciled({ controller, request, override: false, options: { actor } })
  }

  /** A stay that was given another unit since is asked for by whoever knows of it. */
  function isInItsUnit({ stayId, unitName }: Key): boolean {
    const units = (stayId && reader.row(stay, stayId)?.units) || []
    const names = units.flatMap(({ unitId }) => (unitId && reader.row(unit, unitId)?.name) || [])
    return names.length === 0 || names.includes(unitName ?? '')
  }

  /** In doubt since long enough, or left so by an earlier life of the program. */
  function doubtful(): Key[] {
    const before: Filter = { path: 'updatedAt', operator: 'lt', value: now() - inFlightMs }
    return (['unknown', 'pendingWrite'] as const).flatMap((status) =>
      rows([is(status), before], atOnce).filter(
        (row) => row.keyType === 'pinCode' && !room.isBusy(row.controllerId ?? ''),
      ),
    )
  }

  /** A key that may have been made is live when the lock system has it, and was never made when it has not. */
  async function resolve(system: OnlineLockSystem, row: Key): Promise<void> {
    if (row.status === 'pendingWrite')
      await door.write(doubtOnlineKey, { keyId: row.id, reason: 'settled' }, { actor })
    // One that cannot be asked proves nothing.
    if (!system.find) return
    const held = heldKey(room.workshop, row, controllerOf(row))
    const found = await system.find(held.grant, lockCall(room.clock, controllerOf(row) ?? {}))
    // Somebody has begun to make it meanwhile: what was not there a moment ago may be there now.
    if (!found && room.isBusy(row.controllerId ?? '')) return
    if (found) await door.write(confirmKey, { keyId: row.id, made: found, verified: true }, { actor })
    else await door.write(failKey, { keyId: row.id, reason: 'not-found' }, { actor })
  }

  /** To be revoked, and nothing keeps it from being done now. */
  function revoked(system: OnlineLockSystem): Key[] {
    if (!system.revoke) return []
    const untold: Filter = { path: 'revocationToldAt', operator: 'isnull', value: null }
    const found = (['revocationPending', 'blocked', 'superseded'] as const)
      .flatMap((status) => rows([is(status), mayOpen, untold], atOnce))
      .filter((row) => !isInFlight(row) && !mayComeBack(row))
    if (system.revokes === 'key' || found.length === 0) return found
    // Read once for all; each is looked at again before it is done.
    const open = openHere()
    return found.filter((row) => takenTogether(system, row, () => open) !== null)
  }

  /** It was never confirmed: what takes it away now may reach the lock before what makes it. */
  function isInFlight({ keyType, reference, updatedAt }: Key): boolean {
    return keyType === 'pinCode' && !reference && updatedAt >= now() - inFlightMs
  }

  /** The newer key may turn out not to be made, or not to be taken, and then the guest has this one alone. */
  function mayComeBack({ status, supersededById }: Key): boolean {
    if (status !== 'superseded' || !supersededById) return false
    const newer = reader.row(key, supersededById)?.status
    return newer === 'pendingWrite' || newer === 'unknown' || isOnItsWay(supersededById)
  }

  /** No hand has its card yet. */
  function isOnItsWay(keyId: string): boolean {
    const filters: Filter[] = [{ path: 'keyId', operator: 'eq', value: keyId }]
    const [run] = reader.rows(cardRun, { filters, sort: [], page: { size: 1 } })
    return run !== undefined && run.step !== 'ended'
  }

  async function revoke(system: OnlineLockSystem, row: Key): Promise<void> {
    const together = takenTogether(system, row, openHere)
    if (!system.revoke || together === null) return
    const controller = controllerOf(row)
    for (const held of heldKeys(room.workshop, row, controller))
      await system.revoke(held, lockCall(room.clock, controller ?? {}))
    const keyIds = together.map(({ id }) => id)
    if (system.revocationReaches === 'locks')
      await door.write(proveDead, { keyIds, proof: 'lock-acknowledged' }, { actor })
    else await door.write(revocationTold, { keyIds }, { actor })
  }

  function openHere(): Key[] {
    return rows([mayOpen], mostKeys)
  }

  function controllerOf({ controllerId }: Key): AccessController | null {
    return controllerId ? reader.row(accessController, controllerId) : null
  }

  function rows(filters: Filter[], size: number): Key[] {
    return reader.rows(key, { filters: [ofProvider, ...filters], sort: [], page: { size } })
  }
}

function onlineOf({ systems }: Access, provider: AccessProvider): OnlineLockSystem | null {
  try {
    const found = systems.of(provider)
    return found.kind === 'online' ? found.system : null
  } catch (error) {
    if (isAnswer(error)) return null
    throw error
  }
}

/** The keys that one revocation takes away; null when a guest's living key is among them. */
function takenTogether({ revokes }: OnlineLockSystem, row: Key, open: () => Key[]): Key[] | null {
  if (revokes === 'key') return [row]
  const all = open().filter(revokes === 'family' ? sameFamily(row) : sameLocks(row))
  const isAlive = all.some(
    ({ status }) => status === 'live' || status === 'pendingWrite' || status === 'unknown',
  )
  return isAlive ? null : all
}

function sameFamily({ familyNumber }: Key): (other: Key) => boolean {
  return (other) => other.familyNumber === familyNumber
}

/** Extra locks count: who else has a key of one of them loses it, too. */
function sameLocks(row: Key): (other: Key) => boolean {
  const locks = locksOf(row)
  return (other) => locksOf(other).some((lock) => locks.includes(lock))
}

function locksOf(row: Key): string[] {
  return placesOf(row).flatMap(({ lock, extraLocks }) => [...(lock ? [lock] : []), ...extraLocks])
}

const mayOpen: Filter = { path: 'mayOpen', operator: 'eq', value: 1 }
const is = (status: KeyStatus): Filter => ({ path: 'status', operator: 'eq', value: status })
