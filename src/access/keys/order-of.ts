import { DeviceFault } from '../../devices/fault.ts'
import { Problem } from '../../resource/problem.ts'
import type { Machines, Property } from '../access.ts'
import { deviceProblem } from '../controllers/device-problem.ts'
import { providerOf, settingsOf } from '../lookups.ts'
import { expectSwitchedOn } from '../providers/lock-system-of.ts'
import type { LockSystem } from '../providers/lock-systems.ts'
import type { AccessController } from '../resources/access-controller.ts'
import type { AccessProvider } from '../resources/access-provider.ts'
import { type Door, doorNamed } from '../resources/door.ts'
import type { Confirmation } from './door-guard.ts'
import { grantOf, type KeyOrder, type KioskGuest, onlineGrantOf, unitNameRequired } from './key-order.ts'
import { authorizationsOf, type KeyRequest, windowOf } from './routes/key-request.ts'
import { virtualBeforeMs } from './virtual-window.ts'

interface OrderOptions {
  /** See `KeyOrder`. */
  confirmed: Confirmation | null
  /** See `KeyOrder`. Default: null. */
  atKiosk?: KioskGuest | null
  /** See `KeyOrder`. */
  stayId?: string | null | undefined
  /** The window in Unix milliseconds; it replaces the dates and times of the request. */
  window?: { validFrom: number; validUntil: number }
}

type Orders = Pick<Property, 'reader' | 'clock'> & Pick<Machines, 'systems'>

/**
 * Turns a request into an order for this controller. Throws a Problem for an order that would fail, before any card is
 * touched.
 */
export function orderOf(
  access: Orders,
  controller: AccessController,
  request: KeyRequest,
  { confirmed, atKiosk = null, stayId, window: requested }: OrderOptions,
): KeyOrder {
  const now = access.clock.now()
  const provider = providerOf(access, controller)
  const lockSystem = systemOf(access, provider)
  const keyType = supportedType(controller, lockSystem)
  const window = requested
    ? { ...requested, startsAt: requested.validFrom }
    : windowOf(request, settingsOf(access), controller, now)
  const opensAt = laterOpening(controller, window.startsAt, now)
  const { unitName } = request
  expectNames(request, opensAt)
  expectFewUnits(provider, lockSystem, request.extraUnits)
  const main = unitName === null ? null : doorOf(access, provider, lockSystem, unitName)
  const order: KeyOrder = {
    request,
    providerId: provider.id,
    controllerId: controller.id,
    dispenserId: controller.dispenserId ?? null,
    keyType,
    lock: main?.lock ?? null,
    isShared: main?.isShared ?? false,
    extraLocks: request.extraUnits.map((name) => doorOf(access, provider, lockSystem, name).lock),
    validFrom: lockSystem.kind === 'online' ? notBefore(now, window.validFrom) : window.validFrom,
    validUntil: window.validUntil,
    authorizations: knownAuthorizations(lockSystem, provider, request),
    maxCopies: provider.maxCopies ?? 10,
    countsItself: lockSystem.kind === 'online',
    confirmed,
    atKiosk,
    pins: [],
    freshPin: false,
    stayId: stayId ?? null,
    isOfStay: false,
    replaces: null,
    opensAt,
  }
  // A PIN order is checked when its PIN is known.
  if (keyType === 'keyCard' && order.lock !== null) expectSayable(lockSystem, order, controller)
  return order
}

function expectNames({ unitName, externalId }: KeyRequest, opensAt: number | null): void {
  // Create key rule 2: a key that is held virtually is found again by its externalId.
  if (opensAt !== null && externalId === null) {
    const text =
      'A key that starts this late is stored as virtual, and needs an externalId to be found again.'
    const meta = { opensAt: new Date(opensAt).toISOString() }
    throw new Problem('missing-external-id', text, { pointer: '/externalId', meta })
  }
  // Create key rule 1: a key that reaches the lock system names its unit.
  if (unitName === null && opensAt === null) throw unitNameRequired()
}

/** The start of a window, not before the current minute, because lock systems refuse a start in the past. */
function notBefore(now: number, validFrom: number): number {
  return Math.max(validFrom, Math.floor(now / 60_000) * 60_000)
}

/** Opens the provider's lock system. Throws a 502 when it is switched off or this build has no driver for it. */
function systemOf(access: Pick<Machines, 'systems'>, provider: AccessProvider): LockSystem {
  try {
    expectSwitchedOn(provider)
    return access.systems.of(provider)
  } catch (error) {
    throw error instanceof DeviceFault ? deviceProblem(error) : error
  }
}

function supportedType({ keyType, name }: AccessController, lockSystem: LockSystem): KeyOrder['keyType'] {
  const supported = lockSystem.kind === 'card' ? (['keyCard'] as const) : lockSystem.system.traits().keyTypes
  const found = supported.find((each) => each === keyType)
  if (found) return found
  throw new Problem('key-type-not-supported', `${name} cannot make keys of type ${keyType}.`, {
    pointer: '/type',
    meta: { supported },
  })
}

/**
 * When the key may be sent to the lock system; null when that is now. Example: with `virtualBefore` PT24H, a key that
 * starts on Friday at 15:00 is sent from Thursday at 15:00.
 */
function laterOpening({ virtualBefore }: AccessController, startsAt: number, now: number): number | null {
  if (virtualBefore === null || virtualBefore === undefined) return null
  const opensAt = startsAt - virtualBeforeMs(virtualBefore)
  return now >= opensAt ? null : opensAt
}

/** Throws when a key names more extra units than the provider allows, or more than the lock system allows. */
function expectFewUnits(provider: AccessProvider, lockSystem: LockSystem, extraUnits: string[]): void {
  const most = lockSystem.kind === 'card' ? 0 : lockSystem.system.traits().limits.maxExtraUnits
  const maxExtraUnits = Math.min(most, provider.maxExtraUnits ?? 0)
  if (extraUnits.length <= maxExtraUnits) return
  throw new Problem(
    'too-many-extra-units',
    `A key of ${provider.name} opens at most ${maxExtraUnits} extra units.`,
    { pointer: '/extraUnits', meta: { maxExtraUnits } },
  )
}

function doorOf(
  { reader }: Orders,
  provider: AccessProvider,
  { system }: LockSystem,
  unitName: string,
): Door {
  const door = doorNamed(reader, provider.id, unitName)
  if (door === null) {
    throw deviceProblem(
      new DeviceFault(
        'unit-unknown',
        `${provider.name} has no lock for ${unitName}, neither in its unitMapping nor among its access units.`,
      ),
    )
  }
  const wrong = system.lockCodeProblem(door.lock)
  if (wrong) throw deviceProblem(new DeviceFault('unit-unknown', `The lock code of ${unitName}: ${wrong}`))
  return door
}

function knownAuthorizations(
  { system }: LockSystem,
  provider: AccessProvider,
  request: KeyRequest,
): string[] {
  const names = authorizationsOf(request, provider)
  const strange = names.find((name) => system.authorizations?.includes(name) === false)
  if (strange === undefined) return names
  throw deviceProblem(
    new DeviceFault('authorization-unknown', `${provider.name} has no authorization ${strange}.`),
  )
}

/** Refuses an order that no card can encode, before a card is fed and before anything is stored. */
function expectSayable(lockSystem: LockSystem, order: KeyOrder, controller: AccessController): void {
  const first = { sequence: 1, copy: false, credential: 1, family: 1 }
  const problem =
    lockSystem.kind === 'card'
      ? lockSystem.system.grantProblem(grantOf(order, first))
      : lockSystem.system.grantProblem(onlineGrantOf(order, first, controller, null))
  if (problem) throw deviceProblem(new DeviceFault('unsupported-operation', problem))
}
