import { randomUUID } from 'node:crypto'
import { DeviceFault } from '../../../devices/fault.ts'
import type { Call } from '../../call.ts'
import type { Adapter, AdapterSetup, Capabilities, OpenedAdapter } from '../../contract.ts'
import type { Transport } from '../../resources/pms-configuration.ts'
import { signedMessages } from './callback.ts'
import type { Carrier } from './carrier.ts'
import { carriers } from './carriers.ts'
import { forwardExtension } from './extension.ts'
import { excessIn, fewValues } from './messages/bounds.ts'
import type { CapabilitiesReplied } from './messages/message-data.ts'
import { capabilitiesRepliedSchema } from './messages/message-schemas.ts'
import { schemaErrors } from './messages/read-message.ts'
import { type ConnectionSettings, checkSettings, connectionSchema, credentialsSchema } from './settings.ts'
import { cloudEventsSync } from './sync.ts'
import { requestUnits } from './unit-assignment.ts'
import { secretsOf, webhooks } from './webhooks.ts'

const name = 'cloudevents'
const version = '1.0.0'

/** The adapter for any PMS that implements the contract in README.md beside this file. */
export const cloudEvents: Adapter = {
  name,
  version,
  description: 'Any PMS with the open CloudEvents contract, over HTTP or MQTT.',
  transports: Object.keys(carriers) as Transport[],
  assignsUnits: true,
  assignsUnitsOf: ({ connection }) => (connection as ConnectionSettings | null)?.assignsUnits === true,
  connection: connectionSchema,
  credentials: credentialsSchema,
  check: checkSettings,
  open,
}

function open(setup: AdapterSetup): OpenedAdapter {
  const { configuration, appliance } = setup
  const carrier = carrierOf(setup)
  const lends = (configuration.connection as ConnectionSettings | null)?.lendsUnits === true
  const { side, hear } = cloudEventsSync({
    carrier,
    lends,
    failed: appliance.failed,
    epochSeen: appliance.epochSeen,
  })
  const isCalledBack = configuration.transport === 'http'
  return {
    capabilities: (call) => capabilitiesOf(setup, carrier, call),
    extension: (request, call) =>
      isCalledBack && request.name === 'webhooks'
        ? webhooks(setup, carrier, request, call)
        : forwardExtension(carrier, request, call),
    assignUnit: (request, call) => requestUnits(carrier, appliance.reader, request, call),
    sync: side,
    ...(isCalledBack && {
      callback(request) {
        for (const message of signedMessages(request, secretsOf(setup), appliance.clock.now())) hear(message)
      },
    }),
    close: () => carrier.close(),
  }
}

function carrierOf({ configuration, credentials, appliance }: AdapterSetup): Carrier {
  const kind = carriers[configuration.transport as Transport]
  if (!kind)
    throw new DeviceFault(
      'unsupported-operation',
      `${name} does not support the transport ${configuration.transport}.`,
    )
  return kind.open({
    configurationId: configuration.id,
    connection: configuration.connection ?? {},
    credentials,
    heartbeatSeconds: configuration.heartbeatSeconds ?? 60,
    timeoutMs: configuration.timeoutMs ?? 10_000,
    source: appliance.source,
    ...(appliance.box && { box: appliance.box }),
    epoch: appliance.epoch,
    clock: appliance.clock,
  })
}

/** A PMS may leave these out. */
const absent = { rateLimit: null, timeZone: null }

async function capabilitiesOf(
  { configuration, appliance }: AdapterSetup,
  carrier: Carrier,
  call: Call,
): Promise<Capabilities> {
  const requestId = randomUUID()
  const deadline = new Date(appliance.clock.now() + (configuration.timeoutMs ?? 10_000)).toISOString()
  const data = {
    requestId,
    configurationId: configuration.id,
    adapter: name,
    adapterVersion: version,
    interfaceVersion: appliance.interfaceVersion,
    deadline,
  }
  const reply = await carrier.request('pms.capabilities.requested', data, call)
  const wrong =
    excessIn(reply, fewValues) ?? (await schemaErrors(capabilitiesRepliedSchema, reply, 'the answer'))
  if (wrong !== null) {
    throw new DeviceFault('vendor-error', `The PMS sent capabilities that cannot be used: ${wrong}`)
  }
  const { capabilities, ttlSeconds } = reply as CapabilitiesReplied
  return { ...absent, ...capabilities, ttlSeconds }
}
