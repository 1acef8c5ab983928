import type { Driver, LockDriver } from '../../devices/driver.ts'
import { reachProblem } from '../../devices/network/reach.ts'
import { mayBeSameDevice } from '../../devices/wires/wire.ts'
import { isZone } from '../../host/zone.ts'
import { expectSameAddresses } from '../../jsonapi/kept-credentials.ts'
import type { Store } from '../../jsonapi/resource-routes.ts'
import { validateAt } from '../../jsonapi/schemas/validate.ts'
import { didYouMean } from '../../resource/nearest.ts'
import { expectAll, invalidValue, Problem } from '../../resource/problem.ts'
import { first, having } from '../../resource/query.ts'
import type { Workshop } from '../handles/workshop.ts'
import { isVirtualWindow } from '../keys/orders/key-window.ts'
import { allOf } from '../lookups.ts'
import { accessController } from '../resources/access-controller.ts'
import { accessProvider } from '../resources/access-provider.ts'
import { type DeviceAddress, driverOf } from '../resources/device-address.ts'
import { dispenser } from '../resources/dispenser.ts'

type Attributes = Record<string, unknown>

/** The parts with which a configuration is checked. */
export interface CheckOptions extends Pick<Workshop, 'drivers' | 'lockDrivers' | 'seal'> {
  /** Null when a wire can be opened at the address; otherwise the expected form of an address. */
  addressProblem(path: string): string | null
  /** Whether several wires can be opened at the address. */
  manyWires(path: string): boolean
}

/**
 * The checks of what is sent. `kept` is the stored row, null for a new one; `whole` is the row as it would be. Each resolves
 * with what to store.
 */
export function configChecks(store: Store, options: CheckOptions) {
  return {
    /** Encrypts the credentials. Where none are given, the driver generates them if it can. */
    async provider(sent: Attributes, kept: Attributes | null): Promise<Attributes> {
      const { lockDrivers, seal } = options
      const name = sent.driver ?? kept?.driver
      const driver: LockDriver | undefined = lockDrivers.find((each) => each.name === name)
      if (!driver) throw unknownDriver('/driver', String(name), lockDrivers)
      const own = driver.generate()
      const credentials = sent.credentials ?? (kept?.credentials ? null : (own ?? {}))
      await expectAll(
        () => {
          if (sent.timeZone && !isZone(String(sent.timeZone)))
            throw invalidValue('/timeZone', 'timeZone must be an IANA time zone.', {
              expected: 'IANA time zone, such as Europe/Lisbon',
            })
        },
        () => sent.connection && validateAt('/connection', driver.connection, sent.connection),
        () => credentials && validateAt('/credentials', driver.credentials, credentials),
      )
      if (!sent.credentials && kept?.credentials && sent.connection && own === null)
        expectSameAddresses(kept.connection, sent.connection)
      if (!credentials) return sent
      return { ...sent, credentials: seal(JSON.stringify(credentials), 'access-provider') }
    },
    async controller(sent: Attributes, kept: Attributes | null, whole: Attributes): Promise<Attributes> {
      const provider = store.reader.row(accessProvider, String(whole.providerId))
      // The reference check refuses an unknown provider.
      const lockDriver = options.lockDrivers.find(({ name }) => name === provider?.driver)
      await expectDevice(options, 'encoder', sent)
      expectFittingKind(lockDriver, whole)
      expectKeyHeld(whole)
      if (whole.kind === 'dispenser-encoder' && !whole.dispenserId)
        throw wrong('/dispenserId', 'Give the dispenser that contains the encoder.')
      expectOwnNumber(store, whole)
      if (whole.dispenserId && whole.verifyAfterWrite === false)
        throw wrong(
          '/verifyAfterWrite',
          'A dispenser presents only verified cards. Set verifyAfterWrite to true.',
        )
      expectLineFree(store, options, sent, kept)
      return sent
    },
    async dispenser(sent: Attributes, kept: Attributes | null): Promise<Attributes> {
      await expectDevice(options, 'dispenser', sent)
      expectLineFree(store, options, sent, kept)
      return sent
    },
  }
}

function wrong(pointer: string, detail: string): Problem {
  return new Problem('validation-failed', detail, { pointer })
}

/** Throws for a kind or key type that the provider lacks: at installation, and not at the first guest. */
function expectFittingKind(driver: LockDriver | undefined, { kind, keyType, device }: Attributes): void {
  const isOnCard = driver?.lockMode === 'offline-data-on-card'
  const makesCards = kind === 'encoder' || kind === 'dispenser-encoder'
  if (makesCards && isOnCard && !device)
    throw wrong('/device', 'An encoder needs its device. Give device with driver and path.')
  // An online lock system has encoders of its own, which it knows by externalCode.
  if (driver && makesCards && !isOnCard && device)
    throw wrong(
      '/device',
      'The lock system controls its encoders itself. Give externalCode instead of a device.',
    )
  if (isOnCard && !makesCards) throw wrong('/kind', 'The provider makes only cards.')
  const allowed: readonly unknown[] = isOnCard ? ['keyCard'] : (driver?.keyTypes ?? [keyType])
  if (driver && !allowed.includes(keyType))
    throw invalidValue('/keyType', `A provider of ${driver.name} makes no ${keyType}.`, { allowed })
  if (makesCards !== (keyType === 'keyCard'))
    throw wrong('/keyType', `A controller of kind ${kind} does not make ${keyType}.`)
}

/** Throws for keys that are held back as virtual, but cannot be, or for no valid time. */
function expectKeyHeld({ keyType, virtualBefore }: Attributes): void {
  if (virtualBefore === null || virtualBefore === undefined) return
  if (keyType === 'keyCard') throw wrong('/virtualBefore', 'The key of a card cannot be virtual.')
  if (isVirtualWindow(String(virtualBefore))) return
  throw invalidValue('/virtualBefore', 'virtualBefore must be a duration from PT0S to P365D, or minutes.', {
    expected: 'ISO 8601 duration, such as PT48H',
  })
}

/** Throws for an encoder number that another one equals but for leading zeros: lock systems write 1 as 01. */
function expectOwnNumber({ reader }: Store, { id, providerId, externalCode }: Attributes): void {
  const code = String(externalCode ?? '')
  if (!/^\d+$/.test(code)) return
  const sameNumber = new RegExp(`^0*${code.replace(/^0+(?=\d)/, '')}$`)
  const twin = reader
    .rows(accessController, first(having({ providerId: String(providerId) })))
    .find((row) => row.id !== id && row.externalCode !== code && sameNumber.test(row.externalCode ?? ''))
  if (!twin) return
  const detail = `${twin.name} has the encoder ${twin.externalCode}. Encoder numbers that differ only in leading zeros cannot be distinguished in the answers of the lock system.`
  throw wrong('/externalCode', detail)
}

async function expectDevice(
  { drivers, addressProblem }: CheckOptions,
  kind: Driver['capability'],
  sent: Attributes,
): Promise<void> {
  if (!sent.device) return
  const device = sent.device as DeviceAddress
  const { path, options } = device
  const able = drivers.filter(({ capability }) => capability === kind)
  const driver = driverOf(able, device)
  const problem = path ? (addressProblem(path) ?? (driver && reachProblem(driver, path))) : null
  await expectAll(
    () => {
      if (!driver) throw unknownDriver('/device/driver', device.driver, able)
    },
    () => driver && options && validateAt('/device/options', driver.options, options),
    () => {
      if (problem) throw wrong('/device/path', problem)
    },
  )
}

/**
 * Throws when another device uses the line already, or a line that the same address may mean (two HID devices of which
 * one has no port and no serial number in its address).
 */
function expectLineFree(
  store: Store,
  { drivers, manyWires }: CheckOptions,
  sent: Attributes,
  kept: Attributes | null,
): void {
  const own = sent.device as DeviceAddress | null | undefined
  if (!own?.path || manyWires(own.path)) return
  for (const { id, name, device } of [...allOf(store, dispenser), ...allOf(store, accessController)]) {
    if (id === kept?.id || !device?.path || !mayBeSameDevice(device.path, own.path)) continue
    if (mayShareLine(driverOf(drivers, own), driverOf(drivers, device))) continue
    throw wrong('/device/path', `${name} already uses ${device.path}.`)
  }
}

/** Devices may share a line if the driver of one joins the other's, or if both join the same driver. */
function mayShareLine(one: Driver | undefined, other: Driver | undefined): boolean {
  if (!one || !other) return false
  const isJoined = one.joins !== undefined && [other.name, other.joins].includes(one.joins)
  return isJoined || other.joins === one.name
}

/** The Problem for a driver that is not among the known ones. */
export function unknownDriver(
  pointer: string,
  name: string,
  known: readonly { name: string; models?: readonly string[] }[],
): Problem {
  const allowed = known.flatMap((each) => [each.name, ...(each.models ?? [])])
  const detail = `There is no driver ${name}; there are ${allowed.join(', ')}.`
  return new Problem('validation-failed', detail, {
    pointer,
    meta: { allowed },
    didYouMean: didYouMean(name, allowed),
  })
}
