import { checkedRoutes } from '../../jsonapi/checked-routes.ts'
import { exactly } from '../../jsonapi/description.ts'
import { expectSameAddresses } from '../../jsonapi/kept-credentials.ts'
import { expectNoParameters } from '../../jsonapi/query/query.ts'
import type { Store } from '../../jsonapi/resource-routes.ts'
import type { Route } from '../../jsonapi/route.ts'
import { validateAt } from '../../jsonapi/schemas/validate.ts'
import { text } from '../../jsonapi/schemas/words.ts'
import { didYouMean } from '../../resource/nearest.ts'
import { expectAll, Problem } from '../../resource/problem.ts'
import { credentialsContext } from '../configurations.ts'
import type { Adapter } from '../contract.ts'
import { pmsConfiguration, type Transport, transports } from '../resources/pms-configuration.ts'

type Attributes = Record<string, unknown>

const base = '/api/config/v1'

export interface PmsConfigOptions {
  adapters: readonly Adapter[]
  seal(text: string, context: string): string
}

/** The routes of the PMS configurations. The adapter validates the settings that only it knows. */
export function configurationRoutes(store: Store, options: PmsConfigOptions): Route[] {
  return [
    ...checkedRoutes(store, pmsConfiguration, (given, kept, whole) =>
      configurationHolds(options, given, kept, whole),
    ),
    adaptersRoute(options.adapters),
  ]
}

/** Seals the credentials; credentials of another adapter are removed. */
async function configurationHolds(
  { adapters, seal }: PmsConfigOptions,
  given: Attributes,
  kept: Attributes | null,
  whole: Attributes,
): Promise<Attributes> {
  const adapter = adapters.find(({ name }) => name === whole.adapter)
  if (!adapter) throw unknownAdapter(String(whole.adapter), adapters)
  const stays = kept?.adapter === adapter.name && kept.credentials
  const areKept = !given.credentials && stays
  await expectAll(
    () => transportHolds(adapter, whole.transport ?? null),
    () => validateAt('/connection', adapter.connection, whole.connection ?? {}),
    () => !areKept && validateAt('/credentials', adapter.credentials, given.credentials ?? {}),
  )
  const shown = {
    transport: (whole.transport ?? null) as Transport | null,
    connection: (whole.connection ?? {}) as Attributes,
  }
  if (areKept) {
    expectSameAddresses(kept?.connection, whole.connection)
    adapter.check?.({ ...shown, credentials: null })
    return given
  }
  adapter.check?.({ ...shown, credentials: (given.credentials ?? {}) as Attributes })
  const credentials = given.credentials ? seal(JSON.stringify(given.credentials), credentialsContext) : null
  return { ...given, credentials }
}

function transportHolds({ name, transports }: Adapter, transport: unknown): void {
  const allowed: readonly unknown[] = transports.length > 0 ? transports : [null]
  if (allowed.includes(transport)) return
  const detail =
    transports.length > 0
      ? `transport must be one of ${transports.join(', ')} for ${name}.`
      : `${name} has no transport.`
  throw new Problem('validation-failed', detail, { pointer: '/transport', meta: { allowed } })
}

function unknownAdapter(name: string, adapters: readonly Adapter[]): Problem {
  const allowed = adapters.map((each) => each.name)
  return new Problem('validation-failed', `There is no adapter ${name}; there are ${allowed.join(', ')}.`, {
    pointer: '/adapter',
    meta: { allowed },
    didYouMean: didYouMean(name, allowed),
  })
}

/** Lists the adapters of this build, with the settings that each needs. */
function adaptersRoute(adapters: readonly Adapter[]): Route {
  const data = adapters.map(
    ({ name, version, description, transports, assignsUnits, connection, credentials }) => ({
      type: 'adapter',
      id: name,
      attributes: { version, description, transports, assignsUnits, connection, credentials },
    }),
  )
  return {
    method: 'GET',
    path: 'adapters',
    base,
    scope: 'config.read',
    description: {
      id: 'listAdapters',
      summary: 'List the adapters of this build, with their settings',
      answers: { 200: { schema: adaptersSchema } },
      problems: ['unknown-parameter'],
    },
    handle: ({ query }) => {
      expectNoParameters(query)
      return { status: 200, text: JSON.stringify({ data, links: { self: `${base}/adapters` } }) }
    },
  }
}

const jsonSchema = { type: 'object', description: 'The JSON Schema of the settings.' }

const adaptersSchema = exactly({
  data: {
    type: 'array',
    items: exactly({
      type: { const: 'adapter' },
      id: text,
      attributes: exactly({
        version: text,
        description: text,
        transports: { type: 'array', items: { enum: transports } },
        assignsUnits: {
          type: 'boolean',
          description: 'Whether the PMS assigns the units of its reservations.',
        },
        connection: jsonSchema,
        credentials: jsonSchema,
      }),
    }),
  },
  links: exactly({ self: text }),
})
