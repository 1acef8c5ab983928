import type { TerminalDriver } from '../../devices/payment-terminal.ts'
import { checkedRoutes, withExample } from '../../jsonapi/checked-routes.ts'
import { type Description, exactly } from '../../jsonapi/description.ts'
import { expectNoParameters } from '../../jsonapi/query/query.ts'
import type { Store } from '../../jsonapi/resource-routes.ts'
import { type Route, routesAt } from '../../jsonapi/route.ts'
import { list, text } from '../../jsonapi/schemas/words.ts'
import { exampleId } from '../../resource/example-id.ts'
import { accessController } from '../resources/access-controller.ts'
import { accessProvider } from '../resources/access-provider.ts'
import type { DeviceAddress } from '../resources/device-address.ts'
import { dispenser } from '../resources/dispenser.ts'
import { type CheckOptions, configChecks } from './config-checks.ts'

/** The parts that the configuration routes need. */
export interface ConfigOptions extends CheckOptions {
  /** Listed only. */
  terminalDrivers: readonly Pick<TerminalDriver, 'name' | 'vendor' | 'provenance'>[]
}

/** The routes that configure lock systems, encoders and dispensers. The driver checks the parts that only it knows. */
export function configRoutes(store: Store, options: ConfigOptions): Route[] {
  const checks = configChecks(store, options)
  return [
    ...withExample(checkedRoutes(store, accessProvider, checks.provider), providerExample(options)),
    ...withExample(checkedRoutes(store, accessController, checks.controller), {
      name: 'Front desk',
      providerId: exampleId('access-provider'),
      kind: 'encoder',
      keyType: 'keyCard',
      device: deviceExample(options, 'encoder'),
    }),
    ...withExample(checkedRoutes(store, dispenser, checks.dispenser), {
      name: 'Lobby',
      device: deviceExample(options, 'dispenser'),
      capacity: 170,
    }),
    driversRoute(options),
  ]
}

/** The route that lists the drivers of this build and their configuration. */
function driversRoute(options: ConfigOptions): Route {
  const base = '/api/config/v1'
  const path = 'drivers'
  const described = JSON.stringify({ data: driversOf(options), links: { self: `${base}/${path}` } })
  return routesAt(base)('GET', path, 'config.read', says, ({ query }) => {
    expectNoParameters(query)
    return { status: 200, text: described }
  })
}

function driversOf({ drivers, lockDrivers, terminalDrivers }: ConfigOptions) {
  const entry = (id: string, attributes: object) => ({ type: 'driver', id, attributes })
  return [
    ...lockDrivers.map(({ name, vendor, capability, provenance, connection, credentials }) =>
      entry(name, { vendor, capability, provenance, models: [], connection, credentials }),
    ),
    ...drivers.map(({ name, vendor, capability, provenance, models, options, serial, hid, joins }) =>
      entry(name, { vendor, capability, provenance, models, options, serial, hid, joins }),
    ),
    ...terminalDrivers.map(({ name, vendor, provenance }) =>
      entry(name, { vendor, capability: 'payment-terminal', provenance, models: [] }),
    ),
  ]
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

const jsonSchema = { type: 'object', description: 'The JSON Schema of the settings.' }

const driverSchema = exactly(
  {
    vendor: text,
    capability: text,
    provenance: {
      type: 'object',
      description: 'Where the protocol is documented, and on which hardware the driver was verified.',
    },
    models: list(text),
    options: jsonSchema,
    serial: { type: 'object' },
    hid: { type: 'object' },
    joins: {
      type: 'string',
      description: 'The driver whose line this device shares. The device is configured at the same address.',
    },
    connection: jsonSchema,
    credentials: jsonSchema,
  },
  ['options', 'serial', 'hid', 'joins', 'connection', 'credentials'],
)

const driversSchema = exactly({
  data: list(exactly({ type: { const: 'driver' }, id: text, attributes: driverSchema })),
  links: exactly({ self: text }),
})

const says: Description = {
  id: 'listDrivers',
  summary: 'List the drivers of this build, with their capabilities and settings',
  answers: { 200: { schema: driversSchema } },
  problems: ['unknown-parameter'],
}
