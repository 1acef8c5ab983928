import { exactly } from '../../jsonapi/description.ts'
import { expectNoParameters } from '../../jsonapi/query/query.ts'
import type { Route } from '../../jsonapi/route.ts'
import type { Machines, Property } from '../access.ts'
import { type ConnectedOptions, connectedDevices } from './connected-devices.ts'

/** The route that lists the devices at the ports of the appliance. */
export function connectedDeviceRoutes(access: Property & Machines, options: ConnectedOptions): Route[] {
  return [
    {
      method: 'GET',
      path: 'connected-devices',
      base: '/api/config/v1',
      scope: 'devices.read',
      description: {
        id: 'listConnectedDevices',
        summary: 'List connected devices, and what is configured for them',
        notes: 'No device is opened. `nightporter devices --probe` also asks the devices.',
        answers: { 200: { schema: listSchema } },
        problems: ['unknown-parameter'],
      },
      handle: async ({ query }) => {
        expectNoParameters(query)
        const devices = await connectedDevices(access, options)
        const data = devices.map(({ path, ...attributes }) => ({
          type: 'connected-device',
          id: path,
          attributes,
        }))
        const links = { self: '/api/config/v1/connected-devices' }
        return { status: 200, text: JSON.stringify({ data, links }) }
      },
    },
  ]
}

const text = { type: 'string' }
const textOrNull = { type: ['string', 'null'] }

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

const configured = exactly({
  kind: { enum: ['dispenser', 'encoder'] },
  id: { type: 'string', format: 'uuid' },
  name: text,
  driver: text,
  state: { enum: ['offline', 'starting', 'online', 'closed'] },
  identity: { oneOf: [exactly({ model: text, firmware: text, serialNumber: text }), { type: 'null' }] },
})

const listSchema = exactly({
  data: {
    type: 'array',
    items: exactly({
      type: { const: 'connected-device' },
      id: { type: 'string', description: 'The path for a device’s configuration.' },
      attributes: exactly({
        transport: { enum: ['serial', 'hid', 'network', 'simulated'] },
        isPresent: { type: ['boolean', 'null'], description: 'Null if it is not known.' },
        node: textOrNull,
        usb: { oneOf: [usb, { type: 'null' }] },
        candidates: { type: 'array', items: candidate },
        configured: { type: 'array', items: configured },
      }),
    }),
  },
  links: exactly({ self: text }),
})
