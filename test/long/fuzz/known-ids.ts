import type { Route } from '../../../src/jsonapi/route.ts'
import type { TestAppliance } from '../../appliance.ts'

/** What a list shows, as far as it is of interest here. */
interface Listed {
  type: string
  id: string
  attributes: { stays?: { id: string }[]; profiles?: { id: string }[] }
}

/** Values of path parameters by name, with the plain `id` and the collection it is in. */
export type Fact = Record<string, string>

/** Parameters of paths as they belong together: a reservation with a stay of its own. */
export async function factsIn({ ask, appliance }: TestAppliance): Promise<Fact[]> {
  const found: Fact[] = []
  for (const { base, path } of listsOf(appliance)) {
    const { body } = await ask('GET', `${base}/${path}?page[size]=100`)
    if (!Array.isArray(body.data)) continue
    for (const { id, attributes } of body.data as Listed[]) {
      const name = parameterOf[path] ?? 'id'
      found.push({ [name]: id, id, collection: path })
      if (path === 'pms-configurations') {
        for (const extensionName of extensions) found.push({ [name]: id, extensionName, id, collection: '' })
      }
      for (const stay of attributes.stays ?? [])
        found.push({ [name]: id, stayId: stay.id, id, collection: 'stays' })
    }
  }
  return found
}

const extensions = ['sync', 'payment-methods', 'inventory-units', 'units', 'unit-types', 'webhooks']

const parameterOf: Record<string, string> = {
  reservations: 'reservationId',
  profiles: 'profileId',
  units: 'unitId',
  'unit-types': 'unitTypeId',
  payments: 'paymentId',
  dispensers: 'dispenserId',
  'access-controllers': 'controllerId',
  'access-providers': 'configurationId',
  'pms-configurations': 'configurationId',
  'access/keys': 'keyId',
}

/** Every operation, those that take something away at last. */
export function routesOf({ interfaces }: TestAppliance['appliance']): Route[] {
  const all = interfaces.flatMap(({ routes }) => routes)
  return [
    ...all.filter(({ method }) => method !== 'DELETE'),
    ...all.filter(({ method }) => method === 'DELETE'),
  ]
}

/** The lists that need no parent. */
export function listsOf(appliance: TestAppliance['appliance']): Route[] {
  return routesOf(appliance).filter(
    ({ method, path, base }) => method === 'GET' && base !== '' && !path.includes(':'),
  )
}
