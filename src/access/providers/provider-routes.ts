import { DeviceFault } from '../../devices/fault.ts'
import { lockOperations } from '../../devices/lock-system.ts'
import { type Description, documentOf, exactly } from '../../jsonapi/description.ts'
import { expectNoParameters } from '../../jsonapi/query/query.ts'
import { type Answer, type Request, type Route, routesAt } from '../../jsonapi/route.ts'
import { flag, list, moment, text, textOrNull } from '../../jsonapi/schemas/words.ts'
import { Problem } from '../../resource/problem.ts'
import { first, having } from '../../resource/query.ts'
import type { Machines, Property } from '../access.ts'
import { orDeviceProblem } from '../handles/device-problem.ts'
import { accessController } from '../resources/access-controller.ts'
import { type AccessProvider, accessProvider } from '../resources/access-provider.ts'
import { doorsOf } from '../resources/door.ts'
import { expectSwitchedOn, lockCall } from './lock-system-of.ts'
import type { LockSystem } from './lock-systems.ts'
import { traitsOf } from './lock-traits.ts'
import { syncUnits } from './sync-units.ts'

const route = routesAt('/api/v2')
const one = 'access/providers/:configurationId'
const mostUnits = 5_000

/** The routes for a lock system beyond keys: its abilities and its extensions. `version` is that of the program. */
export function lockProviderRoutes(access: Machines, version: string): Route[] {
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

async function capabilities(access: Machines, row: AccessProvider, version: string) {
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

async function invoke(access: Machines, row: AccessProvider, request: Request): Promise<Answer> {
  expectNoParameters(request.query)
  const name = request.params.extensionName ?? ''
  const lockSystem = access.systems.of(row)
  const supported = traitsOf(lockSystem).extensions.map((each) => each.name)
  if (!supported.includes(name)) {
    const what = `${row.name} has no extension ${name.slice(0, 100)}.`
    throw new Problem('extension-not-implemented', what, { meta: { supported } })
  }
  const system = lockSystem.kind === 'online' ? lockSystem.system : null
  if (system?.traits().extensions.some((each) => each.name === name)) {
    expectSwitchedOn(row)
    if (!system.extension)
      throw new DeviceFault('unsupported-operation', 'The lock system has no extensions.')
    const { contentType, body } = await system.extension(name, lockCall(access.clock, {}))
    return { status: 200, type: contentType, text: body }
  }
  const answered = await own[name]!(access, row, lockSystem, request)
  return { status: 200, type: 'application/json', text: JSON.stringify(answered) }
}

type Extension = (access: Property, row: AccessProvider, system: LockSystem, request: Request) => unknown

/** The extensions that the appliance itself answers, by name. */
const own: Record<string, Extension> = {
  'unit-list': ({ reader }, { id }) => ({
    units: doorsOf(reader, id).map(({ name, lock }) => ({ name, code: lock })),
  }),
  'encoder-list': ({ reader }, { id }) => ({
    encoders: reader
      .rows(accessController, first(having({ providerId: id }), mostUnits))
      .map(({ id, name, externalCode, keyType }) => ({ id, name, code: externalCode ?? null, keyType })),
  }),
  'unit-sync': sync,
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
  return [name, code].every((each) => /^[^\p{Cc}\p{Cs}]{1,60}$/u.test(each))
}

const integerOrNull = { type: ['integer', 'null'] }
const operation = exactly({
  supported: flag,
  requiresMedium: { type: 'boolean', description: 'Whether a card must lie on an encoder.' },
  idempotent: { type: 'boolean', description: 'Whether a repeated request is executed only once.' },
  typicalMs: integerOrNull,
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
            driverVersion: { ...text, description: 'The version of the program, which brings the driver.' },
            vendor: text,
            product: textOrNull,
            productVersion: textOrNull,
            lockMode: { enum: ['offline-data-on-card', 'online', 'hybrid'] },
            keyTypes: list(text),
            operations: exactly(Object.fromEntries(lockOperations.map((name) => [name, operation]))),
            limits: exactly({
              maxExtraUnits: { type: 'integer' },
              maxCopies: { type: 'integer' },
              pinLength: {
                type: ['object', 'null'],
                description: 'The fewest and the most digits of a PIN.',
              },
              dateGranularity: { enum: ['second', 'minute', 'hour'] },
              maxValidityDays: integerOrNull,
              nameLength: integerOrNull,
              charset: text,
            }),
            extensions: list(exactly({ name: text, methods: list(text), description: text })),
            events: list(text),
            checkedAt: moment,
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
