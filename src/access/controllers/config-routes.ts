import type { Driver, LockDriver } from '../../devices/driver.ts'
import { reachProblem } from '../../devices/network/reach.ts'
import type { TerminalDriver } from '../../devices/payment-terminal.ts'
import { isZone } from '../../host/zone.ts'
import { checkedRoutes } from '../../jsonapi/checked-routes.ts'
import { exactly } from '../../jsonapi/description.ts'
import { expectSameAddresses } from '../../jsonapi/kept-credentials.ts'
import { expectNoParameters } from '../../jsonapi/query/query.ts'
import type { Store } from '../../jsonapi/resource-routes.ts'
import type { Route } from '../../jsonapi/route.ts'
import { validateAt } from '../../jsonapi/schemas/validate.ts'
import { exampleId } from '../../resource/example-id.ts'
import { invalidValue, Problem } from '../../resource/problem.ts'
import { isVirtualWindow } from '../keys/key-window.ts'
import { accessController } from '../resources/access-controller.ts'
import { accessProvider } from '../resources/access-provider.ts'
import { dispenser } from '../resources/dispenser.ts'
import type { DeviceAddress } from './device-address.ts'
import { expectOwnNumber } from './encoder-numbers.ts'
import { expectLineFree } from './one-line-each.ts'

type Attributes = Record<string, unknown>

/** The parts that the configuration routes need. */
export interface ConfigOptions {
  drivers: readonly Driver[]
  lockDrivers: readonly LockDriver[]
  /** Listed only. */
  terminalDrivers: readonly Pick<TerminalDriver, 'name' | 'vendor' | 'provenance'>[]
  /** Null when a wire can be opened at the address; otherwise the expected form of an address. */
  addressProblem(path: string): string | null
  /** Whether several wires can be opened at the address. */
  manyWires(path: string): boolean
  seal(text: string, context: string): string
}

/** The routes that configure lock systems, encoders and dispensers. The driver checks the parts that only it knows. */
export function configRoutes(store: Store, options: ConfigOptions): Route[] {
  return [
    ...withExample(
      checkedRoutes(store, accessProvider, (attributes, kept) => providerHolds(options, attributes, kept)),
      providerExample(options),
    ),
    ...withExample(
      checkedRoutes(store, accessController, async (attributes, kept) => {
        await controllerHolds(store, options, attributes, kept)
        lineHolds(store, options, attributes, kept)
        return attributes
      }),
      {
        name: 'Front desk',
        providerId: exampleId('access-provider'),
        kind: 'encoder',
        keyType: 'keyCard',
        device: deviceExample(options, 'encoder'),
      },
    ),
    ...withExample(
      checkedRoutes(store, dispenser, async (attributes, kept) => {
        await deviceHolds(options, 'dispenser', attributes.device)
        lineHolds(store, options, attributes, kept)
        return attributes
      }),
      { name: 'Lobby', device: deviceExample(options, 'dispenser'), capacity: 170 },
    ),
    driversRoute(options),
  ]
}

/**
 * Checks a provider, and encrypts its credentials. Where the caller gives none, the driver generates them if it can.
 */
async function providerHolds(
  { lockDrivers, seal }: ConfigOptions,
  attributes: Attributes,
  kept: Attributes | null,
): Promise<Attributes> {
  const name = attributes.driver ?? kept?.driver
  const driver: LockDriver | undefined = lockDrivers.find((each) => each.name === name)
  if (!driver) throw unknownDriver('/driver', String(name), lockDrivers)
  if (attributes.timeZone && !isZone(String(attributes.timeZone))) {
    throw invalidValue('/timeZone', 'timeZone must be an IANA time zone.', {
      expected: 'IANA time zone, such as Europe/Lisbon',
    })
  }
  if (attributes.connection) await validateAt('/connection', driver.connection, attributes.connection)
  const own = driver.generate()
  if (!attributes.credentials && kept?.credentials && attributes.connection && own === null) {
    expectSameAddresses(kept.connection, attributes.connection)
  }
  const credentials = attributes.credentials ?? (kept?.credentials ? null : (own ?? {}))
  if (!credentials) return attributes
  await validateAt('/credentials', driver.credentials, credentials)
  return { ...attributes, credentials: seal(JSON.stringify(credentials), 'access-provider') }
}

async function controllerHolds(
  store: Store,
  options: ConfigOptions,
  attributes: Attributes,
  kept: Attributes | null,
): Promise<void> {
  const whole = { ...kept, ...attributes }
  const { kind, keyType, virtualBefore, dispenserId, verifyAfterWrite, device } = whole
  const lockDriver = lockDriverOf(store, options, whole.providerId)
  const isOnCard = lockDriver?.lockMode === 'offline-data-on-card'
  if (attributes.device) await deviceHolds(options, 'encoder', attributes.device)
  const makesCards = kind === 'encoder' || kind === 'dispenser-encoder'
  const wrong = (pointer: string, detail: string) => new Problem('validation-failed', detail, { pointer })
  // An online lock system has encoders of its own, which it knows by externalCode.
  if (makesCards && isOnCard && !device)
    throw wrong('/device', 'An encoder needs its device. Give device with driver and path.')
  if (makesCards && !isOnCard && device)
    throw wrong(
      '/device',
      'The lock system controls its encoders itself. Give externalCode instead of a device.',
    )
  if (isOnCard && !makesCards) throw wrong('/kind', 'The provider makes only cards.')
  if (lockDriver) expectMade(lockDriver, keyType)
  if (makesCards !== (keyType === 'keyCard'))
    throw wrong('/keyType', `A controller of kind ${kind} does not make ${keyType}.`)
  const isHeld = virtualBefore !== null && virtualBefore !== undefined
  if (isHeld && keyType === 'keyCard') throw wrong('/virtualBefore', 'The key of a card cannot be virtual.')
  if (isHeld) expectWindow(String(virtualBefore))
  if (kind === 'dispenser-encoder' && !dispenserId)
    throw wrong('/dispenserId', 'Give the dispenser that contains the encoder.')
  expectOwnNumber(store, whole, kept ? String(kept.id) : null)
  if (dispenserId && verifyAfterWrite === false) {
    throw wrong(
      '/verifyAfterWrite',
      'A dispenser presents only verified cards. Set verifyAfterWrite to true.',
    )
  }
}

/** Null for an unknown provider, which the reference check refuses. */
function lockDriverOf(
  { reader }: Store,
  { lockDrivers }: ConfigOptions,
  providerId: unknown,
): LockDriver | null {
  const provider = reader.row(accessProvider, String(providerId))
  return lockDrivers.find(({ name }) => name === provider?.driver) ?? null
}

/**
 * Throws for a key type that the provider cannot make, so that the error appears at installation and not at the first
 * guest.
 */
function expectMade(driver: LockDriver, keyType: unknown): void {
  const supported: readonly string[] =
    driver.lockMode === 'offline-data-on-card' ? ['keyCard'] : driver.keyTypes
  if (supported.includes(String(keyType))) return
  throw invalidValue('/keyType', `A provider of ${driver.name} makes no ${keyType}.`, { allowed: supported })
}

function expectWindow(text: string): void {
  if (isVirtualWindow(text)) return
  throw invalidValue('/virtualBefore', 'virtualBefore must be a duration from PT0S to P365D, or minutes.', {
    expected: 'ISO 8601 duration, such as PT48H',
  })
}

async function deviceHolds(
  { drivers, addressProblem }: ConfigOptions,
  kind: string,
  device: unknown,
): Promise<void> {
  if (!device) return
  const { driver: model, path, options } = device as DeviceAddress
  const able = drivers.filter(({ capability }) => capability === kind)
  const driver = able.find((each) => each.name === model || each.models.includes(model))
  if (!driver) throw unknownDriver('/device/driver', model, able)
  if (options) await validateAt('/device/options', driver.options, options)
  const problem = path ? (addressProblem(path) ?? reachProblem(driver, path)) : null
  if (problem) throw new Problem('validation-failed', problem, { pointer: '/device/path' })
}

function lineHolds(
  store: Store,
  { drivers, manyWires }: ConfigOptions,
  attributes: Attributes,
  kept: Attributes | null,
): void {
  const device = attributes.device as DeviceAddress | null | undefined
  if (device?.path && !manyWires(device.path))
    expectLineFree(store, drivers, device, kept ? String(kept.id) : null)
}

function unknownDriver(
  pointer: string,
  name: string,
  known: readonly { name: string; models?: readonly string[] }[],
): Problem {
  const allowed = known.flatMap((each) => [each.name, ...(each.models ?? [])])
  return invalidValue(pointer, `There is no driver ${name}; there are ${allowed.join(', ')}.`, { allowed })
}

/** The route that lists the drivers of this build and their configuration. */
function driversRoute({ drivers, lockDrivers, terminalDrivers }: ConfigOptions): Route {
  const described = [
    ...lockDrivers.map(({ name, vendor, capability, provenance, connection, credentials }) => ({
      type: 'driver',
      id: name,
      attributes: { vendor, capability, provenance, models: [], connection, credentials },
    })),
    ...drivers.map(({ name, vendor, capability, provenance, models, options, serial, hid, joins }) => ({
      type: 'driver',
      id: name,
      attributes: { vendor, capability, provenance, models, options, serial, hid, joins },
    })),
    ...terminalDrivers.map(({ name, vendor, provenance }) => ({
      type: 'driver',
      id: name,
      attributes: { vendor, capability: 'payment-terminal', provenance, models: [] },
    })),
  ]
  return {
    method: 'GET',
    path: 'drivers',
    base: '/api/config/v1',
    scope: 'config.read',
    description: {
      id: 'listDrivers',
      summary: 'List the drivers of this build, with their capabilities and settings',
      answers: { 200: { schema: driversSchema } },
      problems: ['unknown-parameter'],
    },
    handle: ({ query }) => {
      expectNoParameters(query)
      return {
        status: 200,
        text: JSON.stringify({ data: described, links: { self: '/api/config/v1/drivers' } }),
      }
    },
  }
}

/** Adds an example for the drivers of this build to the descriptions of the routes. */
function withExample(routes: Route[], example: object): Route[] {
  return routes.map((route) => {
    const { description } = route
    if (!description.body) return route
    return { ...route, description: { ...description, body: { ...description.body, example } } }
  })
}

function providerExample({ lockDrivers: [driver] }: ConfigOptions): object {
  const [connection] = (driver?.connection.examples ?? [{}]) as object[]
  const unitMapping = [{ unitName: '201', externalCode: '201' }]
  return { name: 'Door locks', driver: driver?.name, connection, unitMapping }
}

function deviceExample({ drivers }: ConfigOptions, kind: string): DeviceAddress {
  const driver = drivers.find(({ capability }) => capability === kind)
  return { driver: driver?.name ?? kind, path: `/dev/serial/by-id/${kind}` }
}

const text = { type: 'string' }
const jsonSchema = { type: 'object', description: 'The JSON Schema of the settings.' }

const driversSchema = exactly({
  data: {
    type: 'array',
    items: exactly({
      type: { const: 'driver' },
      id: text,
      attributes: exactly(
        {
          vendor: text,
          capability: text,
          provenance: {
            type: 'object',
            description: 'Where the protocol is documented, and on which hardware the driver was verified.',
          },
          models: { type: 'array', items: text },
          options: jsonSchema,
          serial: { type: 'object' },
          hid: { type: 'object' },
          joins: {
            type: 'string',
            description:
              'The driver whose line this device shares. The device is configured at the same address.',
          },
          connection: jsonSchema,
          credentials: jsonSchema,
        },
        ['options', 'serial', 'hid', 'joins', 'connection', 'credentials'],
      ),
    }),
  },
  links: exactly({ self: text }),
})
