import { type Description, exactly } from '../../../jsonapi/description.ts'
import { metaAnswer } from '../../../jsonapi/document-answers.ts'
import { expectNoParameters } from '../../../jsonapi/query/query.ts'
import { type Route, routesAt } from '../../../jsonapi/route.ts'
import { bodyOf } from '../../../jsonapi/schemas/validate.ts'
import { flag, list, text, textOrNull, uuid } from '../../../jsonapi/schemas/words.ts'
import { withoutDryRun } from '../../../jsonapi/write-options.ts'
import type { Machines } from '../../access.ts'
import {
  type ConnectedOptions,
  connectedDevices,
  deviceProbes,
  type ProbeRequest,
} from './connected-devices.ts'

const base = '/api/config/v1'
const route = routesAt(base)
const all = 'connected-devices'
const type = 'connected-device'

/** The routes that list the devices at the ports of the appliance, and ask one what it is. */
export function connectedDeviceRoutes(access: Machines, options: ConnectedOptions): Route[] {
  const probe = deviceProbes(access, options)
  return [
    route('GET', all, 'devices.read', says.list, async ({ query }) => {
      expectNoParameters(query)
      const devices = await connectedDevices(access, options)
      const data = devices.map(({ path: id, ...attributes }) => ({ type, id, attributes }))
      return { status: 200, text: JSON.stringify({ data, links: { self: `${base}/${all}` } }) }
    }),
    route('POST', `${all}/actions/probe`, 'config.write', says.probe, async (request) => {
      withoutDryRun(request)
      return metaAnswer(await probe(await bodyOf<ProbeRequest>(request, bodySchema), request.whenGone))
    }),
  ]
}

const usb = exactly({
  vendorId: text,
  productId: text,
  serialNumber: textOrNull,
  manufacturer: textOrNull,
  product: textOrNull,
  port: text,
})

const candidate = exactly({
  driver: text,
  vendor: text,
  capability: { enum: ['dispenser', 'encoder'] },
  by: {
    enum: ['descriptor', 'line'],
    description:
      '`descriptor`: the USB ids of the device match the driver. `line`: a serial line, which does not show what is connected to it.',
  },
  probing: { enum: ['nothing', 'motor', 'radio'], description: 'What a probe of the device moves.' },
})

const identity = { oneOf: [exactly({ model: text, firmware: text, serialNumber: text }), { type: 'null' }] }

const configured = exactly({
  kind: { enum: ['dispenser', 'encoder'] },
  id: uuid,
  name: text,
  driver: text,
  state: { enum: ['offline', 'starting', 'online', 'closed'] },
  identity,
})

const connected = exactly({
  transport: { enum: ['serial', 'hid', 'network', 'simulated'] },
  isPresent: { type: ['boolean', 'null'], description: 'Null if it is not known.' },
  node: textOrNull,
  usb: { oneOf: [usb, { type: 'null' }] },
  equals: {
    type: 'integer',
    minimum: 1,
    description:
      'The number of devices that report the same identity, this one included. More than 1: choose by the port, as the id does.',
  },
  candidates: list(candidate),
  configured: list(configured),
})

const listSchema = exactly({
  data: list(
    exactly({
      type: { const: type },
      id: { ...text, description: 'The path for a device’s configuration.' },
      attributes: connected,
    }),
  ),
  links: exactly({ self: text }),
})

const bodySchema = exactly(
  {
    path: {
      type: 'string',
      minLength: 1,
      maxLength: 255,
      description: 'The path of the device, as its configuration would have it.',
    },
    driver: {
      ...text,
      maxLength: 60,
      description:
        'Asks in the protocol of this driver only: so a configuration is tried before it is stored. It may be a driver of payment terminals; no payment is started. Nothing is asked for a driver that `joins` another one.',
    },
    mayMove: {
      type: 'boolean',
      default: false,
      description: 'Whether drivers may be tried whose probe moves a motor.',
    },
  },
  ['driver', 'mayMove'],
)

const probedSchema = exactly({
  asked: list(
    exactly({
      driver: text,
      isThere: { ...flag, description: 'Whether the device answered in the protocol of the driver.' },
      baudRate: { type: ['integer', 'null'] },
      identity,
      problem: { ...textOrNull, description: 'What the last attempt met; null where all went well.' },
    }),
  ),
  left: { ...list(text), description: 'The drivers that were not tried because `mayMove` was not given.' },
})

const says = {
  list: {
    id: 'listConnectedDevices',
    summary: 'List connected devices, and what is configured for them',
    notes: 'No device is opened.',
    answers: { 200: { schema: listSchema } },
    problems: ['unknown-parameter'],
  },
  probe: {
    id: 'probeConnectedDevice',
    summary: 'Ask a device that is not configured what it is',
    notes:
      'Asks in the protocol of each driver that may fit, until one is answered. This can take a minute. Nothing is stored, so a repeated request asks again, also with the same Idempotency-Key.',
    body: {
      schema: bodySchema,
      example: { path: '/dev/serial/by-id/usb-0403_6001-if00-port0', mayMove: false },
    },
    answers: { 200: { schema: exactly({ meta: probedSchema }) } },
    trial: false,
    problems: ['busy'],
  },
} satisfies Record<string, Description>
