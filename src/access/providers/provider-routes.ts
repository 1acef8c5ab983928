import { DeviceFault } from '../../devices/fault.ts'
import { lockOperations } from '../../devices/lock-system.ts'
import { type Description, documentOf, exactly } from '../../jsonapi/description.ts'
import { expectNoParameters } from '../../jsonapi/query/query.ts'
import { type Answer, type Request, type Route, routesAt } from '../../jsonapi/route.ts'
import type { JsonSchema } from '../../resource/field.ts'
import { Problem } from '../../resource/problem.ts'
import type { Machines, Property } from '../access.ts'
import { orDeviceProblem } from '../controllers/device-problem.ts'
import { accessController } from '../resources/access-controller.ts'
import { type AccessProvider, accessProvider } from '../resources/access-provider.ts'
import { doorsOf } from '../resources/door.ts'
import { lockCall } from './lock-call.ts'
import type { LockSystem } from './lock-systems.ts'
import { traitsOf } from './lock-traits.ts'
import { expectSwitchedOn } from './switched-on.ts'
import { syncUnits } from './sync-units.ts'

const route = routesAt('/api/v2')
const one = 'access/providers/:configurationId'
const mostUnits = 5_000

/** The routes for a lock system beyond keys: its abilities and its extensions. `version` is that of the program. */
export function lockProviderRoutes(access: Property & Machines, version: string): Route[] {
  function provider({ params }: Request): AccessProvider {
    const row = access.reader.row(accessProvider, params.configurationId ?? '')
    if (!row) throw new Problem('not-found', 'There is no access provider with this id.')
    return row
  }

  return [
    route('GET', `${one}/capabilities`, 'extensions.read', says.capabilities, async (request) => {
      expectNoParameters(request.query)
      const row = provider(request)
      const attributes = await orDeviceProblem(capabilities(access, row, version))
      const data = { type: 'access-capabilities', id: row.id, attributes }
      return { status: 200, text: JSON.stringify({ data }) }
    }),
    route('GET', `${one}/extensions/:extensionName`, 'extensions.invoke', says.extension, (request) =>
      orDeviceProblem(invoke(access, provider(request), request)),
    ),
  ]
}

async function capabilities(access: Property & Machines, row: AccessProvider, version: string) {
  const lockSystem = access.systems.of(row)
  const { driver } = lockSystem
  const { vendor, product, productVersion, keyTypes, operations, limits, extensions } = traitsOf(lockSystem)
  const online = lockSystem.kind === 'online' ? lockSystem.system.state() : null
  return {
    driver: driver.name,
    driverVersion: version,
    vendor,
    product,
    productVersion,
    lockMode: driver.lockMode,
    keyTypes,
    operations: Object.fromEntries(
      lockOperations.map((name) => {
        const traits = operations[name]
        return [name, traits ? { supported: true, ...traits } : notSupported]
      }),
    ),
    limits: {
      ...limits,
      maxExtraUnits: Math.min(limits.maxExtraUnits, row.maxExtraUnits ?? 0),
      maxCopies: row.maxCopies ?? 10,
    },
    extensions: extensions.map(({ name, description }) => ({ name, methods: ['GET'], description })),
    events: [],
    checkedAt: new Date(access.clock.now()).toISOString(),
    stale: online !== null && online.line !== 'online',
  }
}

const notSupported = { supported: false, requiresMedium: false, idempotent: false, typicalMs: null }

async function invoke(access: Property & Machines, row: AccessProvider, request: Request): Promise<Answer> {
  expectNoParameters(request.query)
  const name = request.params.extensionName ?? ''
  const lockSystem = access.systems.of(row)
  const known = traitsOf(lockSystem).extensions.some((each) => each.name === name)
  if (!known) {
    throw new Problem('extension-not-implemented', `${row.name} has no extension ${name.slice(0, 100)}.`, {
      meta: { supported: traitsOf(lockSystem).extensions.map((each) => each.name) },
    })
  }
  const vendors = lockSystem.kind === 'online' ? lockSystem.system.traits().extensions : []
  if (lockSystem.kind === 'online' && vendors.some((each) => each.name === name)) {
    expectSwitchedOn(row)
    const { contentType, body } = await ask(access, lockSystem, name)
    return { status: 200, type: contentType, text: body }
  }
  const answered =
    name === 'unit-sync' ? await sync(access, row, lockSystem, request) : own(access, row, name)
  return { status: 200, type: 'application/json', text: JSON.stringify(answered) }
}

function ask({ clock }: Property, { system }: LockSystem & { kind: 'online' }, name: string) {
  if (!system.extension) throw new DeviceFault('unsupported-operation', 'The lock system has no extensions.')
  return system.extension(name, lockCall(clock, {}))
}

/** The answer of an extension of the appliance. */
function own({ reader }: Property, { id }: AccessProvider, name: string): unknown {
  if (name === 'encoder-list') {
    const filters = [{ path: 'providerId', operator: 'eq' as const, value: id }]
    const encoders = reader.rows(accessController, { filters, sort: [], page: { size: mostUnits } })
    return {
      encoders: encoders.map((row) => ({
        id: row.id,
        name: row.name,
        code: row.externalCode ?? null,
        keyType: row.keyType,
      })),
    }
  }
  return { units: doorsOf(reader, id).map((door) => ({ name: door.name, code: door.lock })) }
}

async function sync(access: Property, row: AccessProvider, lockSystem: LockSystem, { caller }: Request) {
  expectSwitchedOn(row)
  if (lockSystem.kind === 'card' || !lockSystem.system.units)
    throw new DeviceFault('unsupported-operation', 'The lock system cannot list its locks.')
  const units = await lockSystem.system.units(lockCall(access.clock, {}))
  const actor = { by: caller.by, requestId: caller.requestId }
  const input = { providerId: row.id, units: units.slice(0, mostUnits).filter(isUnit) }
  return access.writer.execute(syncUnits, input, { actor })
}

/** Whether a lock has a name and a code that a unit can have. Others are skipped. */
function isUnit({ name, code }: { name: string; code: string }): boolean {
  return /^[^\p{Cc}\p{Cs}]{1,60}$/u.test(name) && /^[^\p{Cc}\p{Cs}]{1,60}$/u.test(code)
}

const text = { type: 'string' }
const textOrNull = { type: ['string', 'null'] }
const countOrNull = { type: ['integer', 'null'] }
const operation: JsonSchema = exactly({
  supported: { type: 'boolean' },
  requiresMedium: { type: 'boolean', description: 'Whether a card must lie on an encoder.' },
  idempotent: { type: 'boolean', description: 'Whether a repeated request is executed only once.' },
  typicalMs: countOrNull,
})

const says = {
  capabilities: {
    id: 'readAccessCapabilities',
    summary: 'Read the capabilities of a lock system',
    answers: {
      200: {
        schema: documentOf(
          'access-capabilities',
          exactly({
            driver: text,
            driverVersion: {
              type: 'string',
              description: 'The version of the program, which brings the driver.',
            },
            vendor: text,
            product: textOrNull,
            productVersion: textOrNull,
            lockMode: { enum: ['offline-data-on-card', 'online', 'hybrid'] },
            keyTypes: { type: 'array', items: text },
            operations: exactly(Object.fromEntries(lockOperations.map((name) => [name, operation]))),
            limits: exactly({
              maxExtraUnits: { type: 'integer' },
              maxCopies: { type: 'integer' },
              pinLength: {
                type: ['object', 'null'],
                description: 'The fewest and the most digits of a PIN.',
              },
              dateGranularity: { enum: ['second', 'minute', 'hour'] },
              maxValidityDays: countOrNull,
              nameLength: countOrNull,
              charset: text,
            }),
            extensions: {
              type: 'array',
              items: exactly({ name: text, methods: { type: 'array', items: text }, description: text }),
            },
            events: { type: 'array', items: text },
            checkedAt: { type: 'string', format: 'date-time' },
            stale: {
              type: 'boolean',
              description: 'True if the lock system does not answer: these are its last known capabilities.',
            },
          }),
        ),
      },
    },
    problems: ['unknown-parameter'],
    device: true,
  },
  extension: {
    id: 'readAccessExtension',
    summary: 'Call an extension of a lock system',
    notes: `The answer of the lock system is passed on unchanged, in its own media type. Every provider has \`unit-list\` and
\`encoder-list\`; one whose lock system lists its locks has \`unit-sync\`.`,
    path: {
      extensionName: {
        schema: { type: 'string', maxLength: 100 },
        notes: 'unit-list, unit-sync, encoder-list, or another extension that the capabilities name.',
      },
    },
    answers: { 200: { schema: { description: 'The answer of the lock system.' }, type: 'application/json' } },
    problems: ['extension-not-implemented', 'unknown-parameter'],
    device: true,
  },
} satisfies Record<string, Description>
