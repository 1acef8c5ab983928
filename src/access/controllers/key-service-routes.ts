import type { KeyServiceDriver } from '../../devices/key-service.ts'
import { refusalText } from '../../devices/network/visitors.ts'
import { checkedRoutes, withExample } from '../../jsonapi/checked-routes.ts'
import { documentOf, exactly } from '../../jsonapi/description.ts'
import { expectNoParameters } from '../../jsonapi/query/query.ts'
import { resourceRoutes, type Store } from '../../jsonapi/resource-routes.ts'
import { type Route, routesAt } from '../../jsonapi/route.ts'
import { validateAt } from '../../jsonapi/schemas/validate.ts'
import { list, momentOrNull, text, textOrNull } from '../../jsonapi/schemas/words.ts'
import { exampleId } from '../../resource/example-id.ts'
import { Problem } from '../../resource/problem.ts'
import type { KeyServices } from '../key-services/key-services.ts'
import { accessController } from '../resources/access-controller.ts'
import { keyService, type ServedEncoder } from '../resources/key-service.ts'
import { unknownDriver } from './config-checks.ts'

const route = routesAt(keyService.base)

/** The routes that configure the links of foreign PMSs, and read their state. A change takes effect at once. */
export function keyServiceRoutes(
  store: Store,
  services: KeyServices,
  drivers: readonly KeyServiceDriver[],
): Route[] {
  const written = [
    ...checkedRoutes(store, keyService, async (attributes, _kept, whole) => {
      await holds(store, drivers, whole)
      return attributes
    }),
    ...resourceRoutes(store, { ...keyService, operations: ['remove'] }),
  ]
  const following = withExample(written, exampleOf(drivers)).map(
    (each): Route => ({
      ...each,
      async handle(request) {
        const answer = await each.handle(request)
        services.follow()
        return answer
      },
    }),
  )
  return [
    ...following,
    route('GET', 'key-services/:id/status', 'config.read', statusDescription, ({ params, query }) => {
      expectNoParameters(query)
      const id = store.reader.row(keyService, params.id ?? '')?.id
      if (!id) throw new Problem('not-found', 'There is no key-service with this id.')
      const state = services.stateOf(id)
      const attributes = {
        line: state?.line ?? 'off',
        since: state ? new Date(state.since).toISOString() : null,
        problem: state?.line === 'online' ? null : (state?.fault?.message ?? null),
        refused: (state?.refusals ?? []).map(refusalText),
      }
      return { status: 200, text: JSON.stringify({ data: { type: 'key-service-status', id, attributes } }) }
    }),
  ]
}

/** An example for the first driver of this build. */
function exampleOf([driver]: readonly KeyServiceDriver[]): object {
  const [connection] = (driver?.connection.examples ?? [{}]) as object[]
  const encoders = [{ code: '1', controllerId: exampleId('access-controller') }]
  return { name: 'PMS of the head office', driver: driver?.name, connection, encoders }
}

async function holds(
  { reader }: Store,
  drivers: readonly KeyServiceDriver[],
  { driver: name, connection, encoders }: Record<string, unknown>,
): Promise<void> {
  const driver = drivers.find((each) => each.name === name)
  if (!driver) throw unknownDriver('/driver', String(name), drivers)
  await validateAt('/connection', driver.connection, connection)
  for (const [index, { controllerId }] of ((encoders ?? []) as ServedEncoder[]).entries()) {
    const row = reader.row(accessController, controllerId)
    if (row?.keyType === 'keyCard') continue
    const detail = row
      ? `${row.name} makes no cards. Choose an encoder of cards.`
      : 'There is no controller with this id that makes cards.'
    throw new Problem('validation-failed', detail, { pointer: `/encoders/${index}/controllerId` })
  }
}

const statusSchema = documentOf(
  'key-service-status',
  exactly({
    line: { enum: ['off', 'offline', 'starting', 'online'] },
    since: momentOrNull,
    problem: { ...textOrNull, description: 'Why there is no link.' },
    refused: {
      ...list(text),
      description: 'Addresses whose connections were refused in the last hour, and what to do.',
    },
  }),
)

const statusDescription = {
  id: 'readKeyServiceStatus',
  summary: 'Read the state of the link of a key service',
  answers: { 200: { schema: statusSchema } },
  problems: ['not-found', 'unknown-parameter'],
} as const
