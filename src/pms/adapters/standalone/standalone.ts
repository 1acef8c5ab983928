import type { Call } from '../../call.ts'
import type { Flag } from '../../capabilities/flags.ts'
import type {
  Adapter,
  AdapterSetup,
  ExtensionAnswer,
  ExtensionMethod,
  ExtensionRequest,
} from '../../contract.ts'
import { units, unitTypes } from './lists.ts'
import { nothing } from './parameters.ts'
import { paymentMethods } from './payment-methods.ts'
import { synchronise } from './sync.ts'
import { addWebhook, listWebhooks, removeWebhooks } from './webhooks.ts'

/** The adapter of a property without another PMS: requests to the PMS are answered from the appliance's own data. */
export const standalone: Adapter = {
  name: 'standalone',
  version: '1.0.0',
  description: 'This appliance alone, without another system for its reservations.',
  transports: [],
  assignsUnits: false,
  connection: nothing,
  credentials: nothing,
  open: (setup) => ({
    capabilities: () => ({
      flags: capabilityFlags,
      extensions: Object.entries(extensions).map(([name, { description, methods }]) => ({
        name,
        methods: Object.keys(methods) as ExtensionMethod[],
        description,
      })),
      rateLimit: null,
      timeZone: setup.appliance.settings().timeZone,
    }),
    extension: (request, call) => answerTo(request, setup, call),
  }),
}

type Handler = (setup: AdapterSetup, request: ExtensionRequest, call: Call) => Promise<unknown> | unknown

interface Extension {
  description: string
  methods: Partial<Record<ExtensionMethod, Handler>>
}

/** The capabilities of the appliance itself; those that need another system are absent. */
const capabilityFlags: readonly Flag[] = [
  'reservations.read',
  'reservations.write',
  'profiles.read',
  'profiles.write',
  'units.assign',
  'units.assign-change',
  'housekeeping.read',
  'housekeeping.write',
  'payments.record',
  'sync.full',
  'checkin',
  'checkout',
  'room-move',
]

const extensions: Record<string, Extension> = {
  sync: {
    description: 'Counts reservations that begin from startDate to endDate. There is nothing to fetch.',
    methods: { POST: synchronise },
  },
  'payment-methods': {
    description: 'The brands with which a payment can be recorded, and the currencies of the property.',
    methods: { GET: paymentMethods },
  },
  'inventory-units': { description: 'The units of the property.', methods: { GET: units } },
  units: { description: 'The units of the property.', methods: { GET: units } },
  'unit-types': { description: 'The unit types of the property.', methods: { GET: unitTypes } },
  webhooks: {
    description:
      'Addresses are stored, but nothing is delivered to them. For events, make a webhook at /api/config/v1/webhooks.',
    methods: { GET: listWebhooks, POST: addWebhook, DELETE: removeWebhooks },
  },
}

async function answerTo(
  request: ExtensionRequest,
  setup: AdapterSetup,
  call: Call,
): Promise<ExtensionAnswer> {
  const extension = Object.hasOwn(extensions, request.name) ? extensions[request.name] : undefined
  const handler = extension?.methods[request.method]
  if (!handler) return { is: 'not-implemented' }
  return { is: 'answered', payload: await handler(setup, request, call) }
}
