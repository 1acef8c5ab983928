import type { LockDriver } from '../../../devices/driver.ts'
import { DeviceFault } from '../../../devices/fault.ts'
import type { GuestProof } from '../../../jsonapi/guests.ts'
import { Problem } from '../../../resource/problem.ts'
import type { Machines, Property } from '../../access.ts'
import { providerOf, settingsOf } from '../../lookups.ts'
import { expectSwitchedOn } from '../../providers/lock-system-of.ts'
import type { LockSystem } from '../../providers/lock-systems.ts'
import type { AccessController } from '../../resources/access-controller.ts'
import type { AccessProvider } from '../../resources/access-provider.ts'
import { type Door, doorNamed } from '../../resources/door.ts'
import { neverOver } from '../../resources/key-door.ts'
import { authorizationsOf, type KeyRequest } from '../../resources/key-request.ts'
import { isGuestInHouse } from '../life/guest-in-house.ts'
import { grantOf, type KeyOrder, onlineGrantOf, unitNameRequired, usageAtLock } from '../orders/key-order.ts'
import { laterOpening, minuteOf, windowOf } from '../orders/key-window.ts'

/** See `KeyOrder`. */
interface OrderOptions extends Pick<KeyOrder, 'confirmed'> {
  atKiosk?: GuestProof | null
  stayId?: string | null | undefined
  /** The window in Unix milliseconds; it replaces the dates and times of the request. */
  window?: { validFrom: number; validUntil: number }
}

type System = LockSystem['system']
type Orders = Pick<Property, 'reader' | 'clock'> & Pick<Machines, 'systems'>

/** What a lock system whose rights are on the card can make. */
const cardTraits = { keyTypes: ['keyCard'], limits: { maxExtraUnits: 0 } } as const

/**
 * Turns a request into an order for this controller. Throws a Problem or a DeviceFault for an order that would fail,
 * before any card is touched: also when the lock system is switched off or this build has no driver for it.
 */
export function orderOf(
  access: Orders,
  controller: AccessController,
  request: KeyRequest,
  { confirmed, atKiosk = null, stayId = null, window: requested }: OrderOptions,
): KeyOrder {
  const now = access.clock.now()
  const provider = providerOf(access, controller)
  expectSwitchedOn(provider)
  const lockSystem = access.systems.of(provider)
  const isOnline = lockSystem.kind === 'online'
  const { keyTypes, limits } = isOnline ? lockSystem.system.traits() : cardTraits
  const keyType = supportedType(controller, keyTypes)
  const window = requested
    ? { ...requested, startsAt: requested.validFrom }
    : windowOf(request, settingsOf(access), controller, {
        now,
        isInHouse: () => isGuestInHouse(access.reader, request, stayId),
      })
  const opensAt = laterOpening(controller, window.startsAt, now)
  expectNames(request, opensAt)
  expectFewUnits(provider, limits.maxExtraUnits, request)
  const door = (unitName: string) => doorOf(access, provider, lockSystem.driver, unitName)
  const main = request.unitName === null ? null : door(request.unitName)
  // A lost card of a shared lock ends only with all others.
  const endsAll = confirmed?.mayOverride === true && request.original === true && keyType === 'keyCard'
  const order: KeyOrder = {
    request,
    providerId: provider.id,
    controllerId: controller.id,
    dispenserId: controller.dispenserId ?? null,
    keyType,
    lock: main?.lock ?? null,
    isShared: (main?.isShared ?? false) && !endsAll,
    extraLocks: request.extraUnits.map((name) => door(name).lock),
    // Lock systems refuse a start in the past.
    validFrom: isOnline ? Math.max(window.validFrom, minuteOf(now)) : window.validFrom,
    validUntil: window.validUntil,
    endsAtLock: endAtLock(lockSystem, request, window.validUntil),
    authorizations: knownAuthorizations(lockSystem.system, provider, request),
    maxCopies: provider.maxCopies ?? 10,
    countsItself: isOnline,
    confirmed,
    atKiosk,
    pins: [],
    freshPin: false,
    stayId,
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

function supportedType(
  { keyType, name }: AccessController,
  supported: readonly KeyOrder['keyType'][],
): KeyOrder['keyType'] {
  const found = supported.find((each) => each === keyType)
  if (found) return found
  throw new Problem('key-type-not-supported', `${name} cannot make keys of type ${keyType}.`, {
    pointer: '/type',
    meta: { supported },
  })
}

/** Throws when a key names more extra units than the provider allows, or more than the lock system allows. */
function expectFewUnits(provider: AccessProvider, most: number, { extraUnits }: KeyRequest): void {
  const { name, maxExtraUnits: allowed } = provider
  const maxExtraUnits = Math.min(most, allowed ?? 0)
  if (extraUnits.length <= maxExtraUnits) return
  throw new Problem('too-many-extra-units', `A key of ${name} opens at most ${maxExtraUnits} extra units.`, {
    pointer: '/extraUnits',
    meta: { maxExtraUnits },
  })
}

function doorOf(
  { reader }: Orders,
  { id, name, connection }: AccessProvider,
  driver: LockDriver,
  unitName: string,
): Door {
  const door = doorNamed(reader, id, unitName)
  if (door === null)
    throw new DeviceFault(
      'unit-unknown',
      `${name} has no lock for ${unitName}, neither in its unitMapping nor among its access units.`,
    )
  const wrong = driver.lockCodeProblem(door.lock, connection)
  if (wrong) throw new DeviceFault('unit-unknown', `The lock code of ${unitName}: ${wrong}`)
  return door
}

/** The end of the key at its locks. A card that the appliance writes itself has the end of the order. */
function endAtLock({ kind, system }: LockSystem, { usage }: KeyRequest, validUntil: number): number {
  if (kind === 'card') return validUntil
  return system.endsAt({ usage: usageAtLock(usage), validUntil }) ?? neverOver
}

function knownAuthorizations(system: System, provider: AccessProvider, request: KeyRequest): string[] {
  const names = authorizationsOf(request, provider)
  const strange = names.find((name) => system.authorizations?.includes(name) === false)
  if (strange === undefined) return names
  throw new DeviceFault('authorization-unknown', `${provider.name} has no authorization ${strange}.`)
}

/** Refuses an order that no card can encode, before a card is fed and before anything is stored. */
function expectSayable(lockSystem: LockSystem, order: KeyOrder, controller: AccessController): void {
  const first = { sequence: 1, copy: false, credential: 1, family: 1 }
  const problem =
    lockSystem.kind === 'card'
      ? lockSystem.system.grantProblem(grantOf(order, first))
      : lockSystem.system.grantProblem(onlineGrantOf(order, first, controller, null))
  if (problem) throw new DeviceFault('unsupported-operation', problem)
}
