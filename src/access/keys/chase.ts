import { DeviceFault } from '../../devices/fault.ts'
import type { OnlineLockSystem } from '../../devices/lock-system.ts'
import { stay } from '../../reservation/resources/stay.ts'
import { unit } from '../../reservation/resources/unit.ts'
import type { Actor } from '../../resource/change.ts'
import { Problem } from '../../resource/problem.ts'
import type { Filter } from '../../resource/query.ts'
import type { Access } from '../access.ts'
import { lockCall } from '../cards/lock-system-maker.ts'
import { type AccessController, accessController } from '../resources/access-controller.ts'
import { accessProvider } from '../resources/access-provider.ts'
import { type Key, type KeyStatus, key } from '../resources/key.ts'
import { heldKey } from './held-key.ts'
import { confirmKey, doubtOnlineKey, failKey } from './online-changes.ts'
import {
  expireKeys,
  forgetPins,
  overStatuses,
  proveDead,
  reviveKeys,
  revocationTold,
  tellDue,
} from './revoke-changes.ts'
import { storedRequest } from './stored-request.ts'

const actor: Actor = { by: 'key-chase', requestId: null }
const turnEveryMs = 2_000
/** How far the clock of a lock may be behind ours, together with what it lets pass by itself. */
const lockClockMs = 15 * 60_000
const pinsKeptMs = 30 * 86_400_000
/** A request that was sent may be carried out so much later; what is not there then was not made. */
const inFlightMs = 30_000
/** How many keys of one kind are looked at in a turn; those that fail again and again must not be all of them. */
const atOnce = 1_000
/** Keys of a provider that may open something. */
const mostKeys = 5_000
const firstPauseMs = 10_000
const longestPauseMs = 600_000

/** Goes after the keys that are not what they should be, for ever. */
export interface Chase {
  start(): void
  /** Begins a turn at once, or another one when the present one has ended. */
  nudge(): void
  stop(): Promise<void>
}

/**
 * Ends keys whose window is over, asks lock systems to take away what was revoked until they confirm it, finds out what
 * became of keys in doubt, and says which virtual keys are due. What fails is tried again later.
 */
export function chase(room: Access): Chase {
  const { reader, door, now, failed } = room
  /** When a key is tried again, on the clock that never goes back, and after how long a pause. */
  const pauses = new Map<string, { until: number; ms: number }>()
  let timer: NodeJS.Timeout | null = null
  let turning: Promise<void> | null = null
  let again = false
  let stopped = false

  function begin(): void {
    if (stopped) return
    if (turning) {
      again = true
      return
    }
    turning = turn()
      .catch(failed)
      .then(() => {
        turning = null
        if (again) {
          again = false
          begin()
        }
      })
  }

  async function turn(): Promise<void> {
    await endExpired()
    await tellWhatIsDue()
    const providers = reader.rows(accessProvider, { filters: [], sort: [], page: { size: 100 } })
    await Promise.all(
      providers.map(async (provider) => {
        if (provider.enabled === false) return
        const system = onlineOf(provider.id)
        if (!system) return
        for (const row of doubtful(provider.id)) await unlessPaused(row, () => resolve(system, row))
        for (const row of revoked(system, provider.id)) await unlessPaused(row, () => revoke(system, row))
      }),
    )
    for (const [id, { until }] of pauses) if (until < performance.now() - longestPauseMs) pauses.delete(id)
  }

  async function endExpired(): Promise<void> {
    const before = now() - lockClockMs
    // Looked for before anything is written: an empty turn costs the disk nothing.
    if (some([over(before), { path: 'proof', operator: 'isnull', value: null }], endable))
      await door.write(expireKeys, { before }, { actor })
    // A clock that was ahead has been set back.
    const lasts: Filter = { path: 'validUntil', operator: 'gt', value: now() }
    if (some([lasts, { path: 'proof', operator: 'eq', value: 'validity-over' }], overStatuses))
      await door.write(reviveKeys, { now: now() }, { actor })
    const forgotten = now() - pinsKeptMs
    const kept: Filter = { path: 'pinMark', operator: 'notnull', value: null }
    if (rows([over(forgotten), kept], 1).length > 0)
      await door.write(forgetPins, { before: forgotten }, { actor })
  }

  async function tellWhatIsDue(): Promise<void> {
    const due: Filter[] = [is('virtual'), { path: 'opensAt', operator: 'lte', value: now() }]
    for (const row of rows(due, atOnce)) {
      if (!row.dueTold) await door.write(tellDue, { keyId: row.id }, { actor })
      if (row.unitName && room.house().autoMaterialize) await unlessPaused(row, () => materialise(row))
    }
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

  /** A key that may have been made is live when the lock system has it, and was never made when it has not. */
  async function resolve(system: OnlineLockSystem, row: Key): Promise<void> {
    if (row.status === 'pendingWrite')
      await door.write(doubtOnlineKey, { keyId: row.id, reason: 'settled' }, { actor })
    const held = heldKey(room.workshop, row, controllerOf(row))
    const found = await system.find?.(held.grant, lockCall(controllerOf(row) ?? {}))
    // Somebody has begun to make it meanwhile: what was not there a moment ago may be there now.
    if (!found && room.isBusy(row.controllerId ?? '')) return
    if (found) await door.write(confirmKey, { keyId: row.id, made: found, verified: true }, { actor })
    else await door.write(failKey, { keyId: row.id, reason: 'not-found' }, { actor })
  }

  async function revoke(system: OnlineLockSystem, row: Key): Promise<void> {
    const together = takenTogether(system, row, () => mayOpenAt(row.providerId))
    if (!system.revoke || together === null) return
    const controller = controllerOf(row)
    await system.revoke(heldKey(room.workshop, row, controller), lockCall(controller ?? {}))
    const keyIds = together.map(({ id }) => id)
    if (system.revocationReaches === 'locks')
      await door.write(proveDead, { keyIds, proof: 'lock-acknowledged' }, { actor })
    else await door.write(revocationTold, { keyIds }, { actor })
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

  function mayOpenAt(providerId: string): Key[] {
    return rows([ofProvider(providerId), { path: 'mayOpen', operator: 'eq', value: 1 }], mostKeys)
  }

  /** In doubt since long enough, or left so by an earlier life of the program. */
  function doubtful(providerId: string): Key[] {
    const before: Filter = { path: 'updatedAt', operator: 'lt', value: now() - inFlightMs }
    return (['unknown', 'pendingWrite'] as const).flatMap((status) =>
      rows([ofProvider(providerId), is(status), before], atOnce).filter(
        (row) => row.keyType === 'pinCode' && !room.isBusy(row.controllerId ?? ''),
      ),
    )
  }

  /** To be revoked, and nothing keeps it from being done now. */
  function revoked(system: OnlineLockSystem, providerId: string): Key[] {
    if (!system.revoke) return []
    const mayOpen: Filter = { path: 'mayOpen', operator: 'eq', value: 1 }
    const untold: Filter = { path: 'revocationToldAt', operator: 'isnull', value: null }
    const found = (['revocationPending', 'blocked', 'superseded'] as const)
      .flatMap((status) => rows([ofProvider(providerId), is(status), mayOpen, untold], atOnce))
      .filter((row) => !isInFlight(row) && !mayComeBack(row))
    if (system.revokes === 'key' || found.length === 0) return found
    // Read once for all; each is looked at again before it is done.
    const open = mayOpenAt(providerId)
    return found.filter((row) => takenTogether(system, row, () => open) !== null)
  }

  /** It was never confirmed: what takes it away now may reach the lock before what makes it. */
  function isInFlight({ keyType, reference, updatedAt }: Key): boolean {
    return keyType === 'pinCode' && !reference && updatedAt >= now() - inFlightMs
  }

  /** The newer key may turn out not to be made, and then the guest has this one alone. */
  function mayComeBack({ status, supersededById }: Key): boolean {
    if (status !== 'superseded' || !supersededById) return false
    const newer = reader.row(key, supersededById)?.status
    return newer === 'pendingWrite' || newer === 'unknown'
  }

  async function unlessPaused(row: Key, work: () => Promise<void>): Promise<void> {
    if (stopped) return
    const pause = pauses.get(row.id)
    if (pause && performance.now() < pause.until) return
    try {
      await work()
      pauses.delete(row.id)
    } catch (error) {
      const ms = Math.min(longestPauseMs, (pause?.ms ?? firstPauseMs / 2) * 2)
      pauses.set(row.id, { until: performance.now() + ms, ms })
      if (!isAnswer(error)) failed(error)
    }
  }

  function onlineOf(providerId: string): OnlineLockSystem | null {
    const provider = reader.row(accessProvider, providerId)
    try {
      const found = provider && room.systems.of(provider)
      return found?.kind === 'online' ? found.system : null
    } catch (error) {
      if (isAnswer(error)) return null
      throw error
    }
  }

  function controllerOf({ controllerId }: Key): AccessController | null {
    return controllerId ? reader.row(accessController, controllerId) : null
  }

  function rows(filters: Filter[], size: number): Key[] {
    return reader.rows(key, { filters, sort: [], page: { size } })
  }

  function some(filters: Filter[], statuses: readonly KeyStatus[]): boolean {
    return statuses.some((status) => rows([is(status), ...filters], 1).length > 0)
  }

  return {
    start() {
      timer = setInterval(begin, turnEveryMs)
      timer.unref()
      begin()
    },
    nudge: begin,
    async stop() {
      stopped = true
      if (timer) clearInterval(timer)
      await turning
    },
  }
}

const endable = ['live', 'superseded', 'blocked', 'revocationPending', 'unknown', 'virtual'] as const

function sameFamily({ familyNumber }: Key): (other: Key) => boolean {
  return (other) => other.familyNumber === familyNumber
}

/** Extra locks count: who else has a key of one of them loses it, too. */
function sameLocks(row: Key): (other: Key) => boolean {
  const locks = locksOf(row)
  return (other) => locksOf(other).some((lock) => locks.includes(lock))
}

function locksOf({ lock, extraLocks }: Key): string[] {
  return [...(lock ? [lock] : []), ...(extraLocks ?? [])]
}

const is = (status: KeyStatus): Filter => ({ path: 'status', operator: 'eq', value: status })
const over = (before: number): Filter => ({ path: 'validUntil', operator: 'lt', value: before })
const ofProvider = (id: string): Filter => ({ path: 'providerId', operator: 'eq', value: id })

/** What a device or a rule says no with: it is tried again. */
function isAnswer(error: unknown): boolean {
  return error instanceof DeviceFault || error instanceof Problem
}
