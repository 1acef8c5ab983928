import { completed } from '../resource/attributes.ts'
import { Problem } from '../resource/problem.ts'
import type { Resource } from '../resource/resource.ts'
import { bodyReader } from './body.ts'
import { resourceDescriptions } from './resource-descriptions.ts'
import { created, type Store } from './resource-routes.ts'
import { largeBody, type Request, type Route, routesAt } from './route.ts'
import { expectedRevision, noContent, writeOptions } from './write-options.ts'

type Attributes = Record<string, unknown>

/**
 * Checks and completes the attributes of a body. `kept` is the stored row, or null for a create. `whole` is
 * the row as it would be after the write.
 */
type Check = (sent: Attributes, kept: Attributes | null, whole: Attributes) => Promise<Attributes>

/**
 * Returns the POST, PUT and PATCH routes of a resource whose bodies need a check that the declaration cannot
 * express.
 */
export function checkedRoutes({ reader, writer, plain }: Store, resource: Resource, check: Check): Route[] {
  const { base, path, type, scopes } = resource
  const body = bodyReader(resource)
  const scope = scopes.write
  // A body may contain certificates in PEM.
  const largestBody = largeBody
  const says = resourceDescriptions(resource)
  const change = (how: 'replace' | 'patch') => async (request: Request) => {
    const read = how === 'replace' ? body.create : body.patch
    const id = request.params.id ?? ''
    const kept = reader.row(resource, id)
    if (!kept) throw new Problem('not-found', `There is no such ${type}.`)
    const sent = await read(await request.body(), () => kept)
    const written = how === 'replace' ? completed(resource.fields, sent) : sent
    const attributes = await check(sent, kept, { ...kept, ...written })
    const input = { type, id, attributes, revision: expectedRevision(request) }
    return noContent((await writer.execute(plain[how], input, writeOptions(request))).revision)
  }
  const create = async (request: Request) => {
    const sent = await body.create(await request.body())
    const attributes = await check(sent, null, completed(resource.fields, sent))
    return created(resource, await writer.execute(plain.create, { type, attributes }, writeOptions(request)))
  }
  const route = routesAt(base)
  const one = `${path}/:id`
  return [
    { ...route('POST', path, scope, says.create, create), largestBody },
    { ...route('PUT', one, scope, says.replace, change('replace')), largestBody },
    { ...route('PATCH', one, scope, says.patch, change('patch')), largestBody },
  ]
}

/** Adds an example, such as one for the drivers of this build, to the descriptions of the routes that have a body. */
export function withExample(routes: Route[], example: object): Route[] {
  return routes.map((route) => {
    const { description } = route
    if (!description.body) return route
    return { ...route, description: { ...description, body: { ...description.body, example } } }
  })
}
