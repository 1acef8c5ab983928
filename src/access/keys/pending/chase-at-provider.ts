import { DeviceFault } from '../../../devices/fault.ts'
import type { OnlineLockSystem } from '../../../devices/lock-system.ts'
import type { Actor } from '../../../resource/command.ts'
import type { Reader } from '../../../resource/keeper.ts'
import { type Filter, first, having } from '../../../resource/query.ts'
import type { Access, Property } from '../../access.ts'
import { settingsOf } from '../../lookups.ts'
import { inTurn, isBusy } from '../../providers/in-turn.ts'
import { lockCall, lockSystemOrNull } from '../../providers/lock-system-of.ts'
import type { RetryPauses } from '../../providers/pauses.ts'
import { type AccessController, accessController } from '../../resources/access-controller.ts'
import { accessProvider } from '../../resources/access-provider.ts'
import { doorsAlike, unitNamesOf } from '../../resources/door.ts'
import { type Key, type KeyStatus, key } from '../../resources/key.ts'
import { placesOf } from '../../resources/key-door.ts'
import { type KeyRequest, storedRequest } from '../../resources/key-request.ts'
import { unitToCheck } from '../../resources/unit-to-check.ts'
import { guestsIn, unitsNamed } from '../doors/units-behind.ts'
import { heldKey, heldKeys } from '../held-key.ts'
import { changeInPlace } from '../issuing/change-in-place.ts'
import { reconcileKey } from '../issuing/reconcile.ts'
import { unitToSend } from '../life/key-owner.ts'
import { isUndecided, locksOf, takenTogether } from '../life/revocable.ts'
import { confirmKey, doubtOnlineKey, failKey, keepKey } from '../online-commands.ts'
import { proveDead, revocationReported, revokeKey } from '../revoke-keys.ts'

const actor: Actor = { by: 'key-chase', requestId: null }
/** A request in transit may be executed up to this much later. A key that is missing then was not made. */
const inFlightMs = 30_000
/** The caller of a change may repeat it first. */
const waitsMs = 30_000
const dayMs = 86_400_000
/** The highest number of a provider's open keys. */
const mostKeys = 5_000

/** A lock system that makes its own keys and is switched on. */
interface Inquiry {
  access: Access
  providerId: string
  system: OnlineLockSystem
}

/**
 * Runs the pending work at one lock system: sends due keys where the settings want that, resolves unknown keys,
 * finishes changes, and revokes keys. A key that fails is paused.
 */
export async function chaseAtProvider(
  access: Access,
  providerId: string,
  { unlessPaused }: RetryPauses,
): Promise<void> {
  const provider = access.reader.row(accessProvider, providerId)
  if (!provider || provider.enabled === false) return
  const found = lockSystemOrNull(access, provider)
  if (found?.kind !== 'online') return
  const { system } = found
  const inquiry = { access, providerId, system }
  for (const row of due(inquiry)) await unlessPaused(row.id, () => materialise(access, row))
  for (const row of doubtful(inquiry)) await unlessPaused(row.id, () => resolve(inquiry, row))
  if (system.change)
    for (const row of unfinishedChanges(inquiry)) await unlessPaused(row.id, () => finishChange(access, row))
  for (const row of revoked(inquiry)) await unlessPaused(row.id, () => revoke(inquiry, row))
}

function due(inquiry: Inquiry): Key[] {
  const { access } = inquiry
  if (!settingsOf(access).autoMaterialize) return []
  const opened: Filter = { path: 'opensAt', operator: 'lte', value: access.clock.now() }
  return keysAt(inquiry, { status: 'virtual' }, opened).filter(({ unitName }) => unitName)
}

async function materialise(access: Access, row: Key): Promise<void> {
  const controller = controllerOf(access, row)
  const { externalId, stayId } = row
  const unitName = unitToSend(access.reader, row)
  if (!controller || !externalId || unitName === null) return
  await reconcileKey(access, {
    controller,
    externalId,
    stayId,
    unitName,
    // The key may have been given another unit meanwhile, or the stay another key.
    dates: row,
    request: (held) => requestFor(access.reader, held ?? row),
    confirmed: null,
    options: { actor },
  })
}

/** The request that a stored key stands for; that of a virtual one names the unit for which it is sent. */
function requestFor(reader: Reader, row: Key): KeyRequest {
  const request = storedRequest(row)
  return row.status === 'virtual' ? { ...request, unitName: unitToSend(reader, row) } : request
}

/** PINs that are unknown or pending for 30 s or more, also from before a restart. */
function doubtful(inquiry: Inquiry): Key[] {
  const { access } = inquiry
  const before: Filter = { path: 'updatedAt', operator: 'lt', value: access.clock.now() - inFlightMs }
  return (['unknown', 'pendingWrite'] as const).flatMap((status) =>
    keysAt(inquiry, { status }, before).filter(
      (row) => row.keyType === 'pinCode' && !isBusy(access, row.controllerId ?? ''),
    ),
  )
}

/** Resolves an unknown key: it is live when the lock system has it, and was never made when it has not. */
async function resolve({ access, system }: Inquiry, row: Key): Promise<void> {
  const { writer, workshop, clock } = access
  if (row.status === 'pendingWrite')
    await writer.execute(doubtOnlineKey, { keyId: row.id, reason: 'settled' }, { actor })
  // A lock system without a search proves nothing.
  if (!system.find) return
  const controller = controllerOf(access, row)
  const held = heldKey(workshop, row, controller)
  const found = await system.find(held.grant, lockCall(clock, controller ?? {}))
  // Another request may be making the key now, so a negative answer is already out of date.
  if (!found && isBusy(access, row.controllerId ?? '')) return
  if (found) await writer.execute(confirmKey, { keyId: row.id, made: found, verified: true }, { actor })
  else await writer.execute(failKey, { keyId: row.id, reason: 'not-found' }, { actor })
}

/**
 * Live keys with a change whose outcome is unknown, that was stored more than 30 s ago, and whose controller is idle. At a unit that
 * a restore has left to be checked the key may have ended since, and a lock system that does not have it any more would add it.
 */
function unfinishedChanges(inquiry: Inquiry): Key[] {
  const { access } = inquiry
  const waiting: Filter = { path: 'changeAskedAt', operator: 'lt', value: access.clock.now() - waitsMs }
  const rows = keysAt(inquiry, { status: 'live' }, waiting)
  return rows.filter(
    (row) => row.controllerId && !isBusy(access, row.controllerId) && !isToCheck(inquiry, locksOf(row)),
  )
}

/**
 * Repeats a change at the lock system. If the wanted end is more than a day ago, the key is revoked instead. Rejects with
 * unit-occupied where the guard of the doors refuses the change now, and a person must decide.
 */
async function finishChange(access: Access, row: Key): Promise<void> {
  const { reader, writer, clock } = access
  const { id, changeAsked, changeAskedAt } = row
  const controller = controllerOf(access, row)
  if (!controller || !changeAsked) return
  const { to } = changeAsked
  // A lock system refuses a window that was over long ago. The clock is reliable here, so the key is revoked.
  const over = { keyId: id, as: 'invalidated', reason: 'end-in-past' } as const
  if (to.validUntil < clock.now() - dayMs && clock.mayForget())
    return void (await writer.execute(revokeKey, over, { actor }))
  await inTurn(access, controller, { actor }, () => {
    // Another request may have finished the change meanwhile.
    const isOpen = reader.row(key, id)?.changeAskedAt === changeAskedAt
    if (!isOpen) return writer.execute(keepKey, { keyId: id }, { actor })
    return changeInPlace(access, controller, { keyId: id, values: to, confirmed: null }, { actor })
  })
}

const ended: readonly KeyStatus[] = ['revocationPending', 'blocked', 'superseded']

/** Keys that are to be revoked and can be now. */
function revoked(inquiry: Inquiry): Key[] {
  const { access, system } = inquiry
  if (!system.revoke) return []
  const sent = access.clock.now() - inFlightMs
  const found = ended
    .flatMap((status) => keysAt(inquiry, { status, mayOpen: 1, revocationToldAt: null }))
    .filter((row) => !isInFlight(row, sent) && !isUndecided(access.reader, row))
  if (system.revokes === 'key' || found.length === 0) return found
  // The open keys are read once here, and again before each revocation.
  const open = openKeysAt(inquiry)
  return found.filter((row) => taken(inquiry, row, () => open) !== null)
}

/**
 * The keys that the revocation of a key would end; null when one of them is needed. A revocation of a unit ends all its cards, also
 * those that are not stored here: it is not sent while a guest is in house behind one of the locks, and not before a unit that a
 * restore has left to be checked was checked.
 */
function taken(inquiry: Inquiry, row: Key, open: () => Key[]): Key[] | null {
  const { access, system } = inquiry
  const together = takenTogether(system, row, open)
  if (together === null || system.revokes !== 'unit') return together
  const locks = locksOf(row)
  return isToCheck(inquiry, locks) || hasGuest(access.reader, row, locks) ? null : together
}

/** Whether a restore has left a unit behind one of these locks to be checked, and a person has not done it yet. */
function isToCheck({ access, providerId }: Inquiry, locks: readonly string[]): boolean {
  return access.reader.rows(unitToCheck, first(having({ providerId, lock: locks }), 1)).length > 0
}

function hasGuest(
  reader: Reader,
  { providerId, unitName, extraUnits }: Key,
  locks: readonly string[],
): boolean {
  const doors = locks.flatMap((lock) => doorsAlike(reader, providerId, lock))
  const names = [unitName ?? [], extraUnits ?? [], unitNamesOf(doors)].flat()
  return guestsIn(reader, unitsNamed(reader, names)).length > 0
}

/** The key was sent less than 30 s ago and not confirmed: its revocation could reach the lock before it. */
function isInFlight({ keyType, reference, updatedAt }: Key, sent: number): boolean {
  return keyType === 'pinCode' && !reference && updatedAt >= sent
}

async function revoke(inquiry: Inquiry, row: Key): Promise<void> {
  const { access, system } = inquiry
  const { writer, workshop, clock } = access
  const together = takenNow(inquiry, row)
  if (!system.revoke || together === null) return
  const controller = controllerOf(access, row)
  const expectNoOther = () => {
    if (takenNow(inquiry, row) === null)
      throw new DeviceFault('lock-system-busy', 'Another key of the unit was made meanwhile.')
  }
  for (const held of heldKeys(workshop, row, controller))
    await system.revoke(held, { ...lockCall(clock, controller ?? {}), expectNoOther })
  const keyIds = together.map(({ id }) => id)
  if (system.revocationReaches === 'system')
    return void (await writer.execute(revocationReported, { keyIds }, { actor }))
  const namesExtras = system.revokesExtraLocks !== false
  // A revocation that ends every key of a unit names its locks: a key that it ends there may open others.
  const named = namesExtras ? locksOf(row) : placesOf(row).flatMap(({ lock }) => lock ?? [])
  const locks = (system.revokes === 'unit' || !namesExtras) && { locks: named }
  await writer.execute(proveDead, { keyIds, proof: 'lock-acknowledged', ...locks }, { actor })
  // No further revocation would name the other locks.
  if (!namesExtras) await writer.execute(revocationReported, { keyIds: [row.id] }, { actor })
}

/** The keys that the revocation of a key would end now; null when one of them is needed, or its stay goes on meanwhile. */
function takenNow(inquiry: Inquiry, { id }: Key): Key[] | null {
  const row = inquiry.access.reader.row(key, id)
  const isEnded = row !== null && ended.some((status) => status === row.status)
  return isEnded ? taken(inquiry, row, () => openKeysAt(inquiry)) : null
}

function openKeysAt(inquiry: Inquiry): Key[] {
  const { reader } = inquiry.access
  return reader.rows(key, first(having({ providerId: inquiry.providerId, mayOpen: 1 }), mostKeys))
}

function controllerOf({ reader }: Property, { controllerId }: Key): AccessController | null {
  return controllerId ? reader.row(accessController, controllerId) : null
}

/** The first keys of the provider. They are many, so that keys that fail repeatedly do not fill a turn. */
function keysAt(
  { access, providerId }: Inquiry,
  values: Parameters<typeof having>[0],
  ...also: Filter[]
): Key[] {
  return access.reader.rows(key, first([...having({ providerId, ...values }), ...also]))
}
