import assert from 'node:assert/strict'
import { standalone } from '../../../src/pms/adapters/standalone/standalone.ts'
import type { Call } from '../../../src/pms/call.ts'
import type {
  Adapter,
  AdapterSetup,
  Capabilities,
  ExtensionRequest,
  OpenedAdapter,
} from '../../../src/pms/contract.ts'
import type { SyncSide } from '../../../src/pms/sync-contract.ts'
import type { UnitRequest } from '../../../src/pms/unit-assignment/integration.ts'
import type { TestOptions } from '../../appliance.ts'
import { openHouse, type ReservationHouse } from '../../reservation/api/house.ts'

/** A PMS that does what a test scripts; what is not scripted is not implemented. */
export interface Script {
  open?: (setup: AdapterSetup) => void
  capabilities?: (call: Call) => unknown
  extension?: (request: ExtensionRequest, call: Call) => unknown
  assignUnit?: (request: UnitRequest, call: Call) => unknown
  /** What keeps the house in step with it; taken when it is opened. */
  sync?: SyncSide
}

export interface ScriptedAdapter extends Adapter {
  script: Script
  /** How it was set up each time it was opened. */
  opened: AdapterSetup[]
  closed: number
  extensionsAsked: ExtensionRequest[]
  unitsAsked: UnitRequest[]
  capabilitiesAsked: number
  /** Forgets what was asked, and does what is scripted now. */
  does(script: Script): void
}

export function scriptedAdapter(declaration: Partial<Adapter> = {}): ScriptedAdapter {
  const adapter: ScriptedAdapter = {
    name: 'scripted',
    version: '0.0.1',
    description: 'A PMS in a test.',
    transports: [],
    assignsUnits: true,
    connection: { type: 'object' },
    credentials: { type: 'object' },
    script: {},
    opened: [],
    closed: 0,
    extensionsAsked: [],
    unitsAsked: [],
    capabilitiesAsked: 0,
    does(script) {
      const forgotten = { opened: [], closed: 0, extensionsAsked: [], unitsAsked: [], capabilitiesAsked: 0 }
      Object.assign(adapter, forgotten, { script })
    },
    open(setup) {
      adapter.opened.push(setup)
      adapter.script.open?.(setup)
      return {
        async capabilities(call) {
          adapter.capabilitiesAsked++
          return (await (adapter.script.capabilities ?? (() => able))(call)) as Capabilities
        },
        async extension(request, call) {
          adapter.extensionsAsked.push(request)
          return (await adapter.script.extension?.(request, call)) ?? { is: 'not-implemented' }
        },
        async assignUnit(request, call) {
          adapter.unitsAsked.push(request)
          return await adapter.script.assignUnit?.(request, call)
        },
        ...(adapter.script.sync && { sync: adapter.script.sync }),
        close() {
          adapter.closed++
        },
      } as OpenedAdapter
    },
    ...declaration,
  }
  return adapter
}

export const able: Capabilities = {
  flags: ['reservations.read', 'units.assign'],
  extensions: [{ name: 'sync', methods: ['POST'], description: 'Fetches everything.' }],
  rateLimit: { requests: 200, seconds: 30 },
  timeZone: 'Europe/Lisbon',
}

/** What never comes. */
export const silence = () => new Promise<never>(() => {})

/** How long an adapter is waited for where a test has it say nothing: long enough for one that answers. */
const patience = 400

/** The sample property with a configuration of a scripted PMS. */
export interface HouseWithPms extends ReservationHouse {
  pms: ScriptedAdapter
  configurationId: string
  /** Where the configuration is asked. */
  provider: string
  /** Where it is set up. */
  configuration: string
}

export async function openHouseWithPms(
  options: TestOptions = {},
  attributes: Record<string, unknown> = {},
): Promise<HouseWithPms> {
  const pms = scriptedAdapter()
  const house = await openHouse({ adapters: [standalone, pms], ...options })
  const configurationId = await house.make('/api/config/v1/pms-configurations', {
    name: 'Grand PMS',
    adapter: 'scripted',
    timeoutMs: patience,
    ...attributes,
  })
  return Object.assign(house, {
    pms,
    configurationId,
    provider: `/api/v2/pms/providers/${configurationId}`,
    configuration: `/api/config/v1/pms-configurations/${configurationId}`,
  })
}

/** Changes the configuration; fails the test when it is refused. */
export async function reconfigure({ ask, configuration }: HouseWithPms, body: object): Promise<void> {
  const reply = await ask('PATCH', configuration, { body })
  assert.equal(reply.status, 204, reply.text)
}
