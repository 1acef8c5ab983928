import { randomUUID } from 'node:crypto'
import { DeviceFault } from '../../../devices/fault.ts'
import { property } from '../../../reservation/resources/property.ts'
import type { Reader } from '../../../resource/keeper.ts'
import type { Call } from '../../call.ts'
import type { Adapter, AdapterSetup, Capabilities, OpenAdapter } from '../../contract.ts'
import type { Transport } from '../../resources/pms-configuration.ts'
import { signedMessages } from './callback.ts'
import type { Carrier } from './carrier.ts'
import { carriers } from './carriers.ts'
import { handOn } from './extension.ts'
import { fewValues, whatIsTooMuch } from './messages/bounds.ts'
import type { CapabilitiesTold } from './messages/message-data.ts'
import { capabilitiesToldSchema } from './messages/message-schemas.ts'
import { whatIsWrong } from './messages/read-message.ts'
import { type ConnectionSettings, checkSettings, connectionSchema, credentialsSchema } from './settings.ts'
import { cloudEventsSync } from './sync.ts'
import { askForUnits } from './unit-assignment.ts'
import { secretsOf, webhooks } from './webhooks.ts'

const name = 'cloudevents'
const version = '1.0.0'

/** The adapter for any PMS that implements the contract in README.md beside this file. */
export const cloudEvents: Adapter = {
  name,
  version,
  description: 'Any PMS that speaks the open contract of CloudEvents, by HTTP or MQTT.',
  transports: Object.keys(carriers) as Transport[],
  assignsUnits: true,
  assignsUnitsOf: ({ connection }) => (connection as ConnectionSettings | null)?.assignsUnits === true,
  connection: connectionSchema,
  credentials: credentialsSchema,
  check: checkSettings,
  open,
}

function open(setup: AdapterSetup): OpenAdapter {
  const { configuration, house } = setup
  const carrier = carrierOf(setup)
  const lends = (configuration.connection as ConnectionSettings | null)?.lendsUnits === true
  const { side, hear } = cloudEventsSync({ carrier, lends, failed: house.failed })
  const isCalledBack = configuration.transport === 'http'
  return {
    capabilities: (call) => capabilitiesOf(setup, carrier, call),
    extension: (request, call) =>
      isCalledBack && request.name === 'webhooks'
        ? webhooks(setup, carrier, request, call)
        : handOn(carrier, request, call),
    assignUnit: (request, call) => askForUnits(carrier, house.reader, request, call),
    sync: side,
    ...(isCalledBack && {
      callback(told) {
        for (const message of signedMessages(told, secretsOf(setup), house.clock.now())) hear(message)
      },
    }),
    close: () => carrier.close(),
  }
}

function carrierOf({ configuration, credentials, house }: AdapterSetup): Carrier {
  const kind = carriers[configuration.transport as Transport]
  if (!kind)
    throw new DeviceFault('unsupported-operation', `${name} does not speak ${configuration.transport}.`)
  return kind.open({
    configurationId: configuration.id,
    connection: configuration.connection ?? {},
    credentials,
    heartbeatSeconds: configuration.heartbeatSeconds ?? 60,
    timeoutMs: configuration.timeoutMs ?? 10_000,
    source: () => sourceOf(house.reader),
    clock: house.clock,
  })
}

function sourceOf(reader: Reader): string {
  const [house] = reader.rows(property, { filters: [], sort: [], page: { size: 1 } })
  return `urn:property:${house?.id ?? 'none'}`
}

async function capabilitiesOf(
  { configuration, house }: AdapterSetup,
  carrier: Carrier,
  call: Call,
): Promise<Capabilities> {
  const requestId = randomUUID()
  const deadline = new Date(house.clock.now() + (configuration.timeoutMs ?? 10_000)).toISOString()
  const asked = {
    requestId,
    configurationId: configuration.id,
    adapter: name,
    adapterVersion: version,
    interfaceVersion: house.interfaceVersion,
    deadline,
  }
  const said = await carrier.request('pms.capabilities.requested', asked, call)
  const wrong =
    whatIsTooMuch(said, fewValues) ?? (await whatIsWrong(capabilitiesToldSchema, said, 'the answer'))
  if (wrong !== null) {
    throw new DeviceFault(
      'vendor-error',
      `The PMS told what it can do in a form that is not understood: ${wrong}`,
    )
  }
  const { capabilities, ttlSeconds } = said as CapabilitiesTold
  return { ...capabilities, ttlSeconds }
}
