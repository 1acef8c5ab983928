import type { Document, Writer } from '../resource/command.ts'
import type { Reader } from '../resource/keeper.ts'
import type { Resources } from '../resource/path.ts'
import type { PlainCommands } from '../resource/plain-commands.ts'
import type { Operation, Resource } from '../resource/resource.ts'
import { bodyReader } from './body.ts'
import { listAnswer, singleAnswer } from './document-answers.ts'
import { readMemberQuery, readQuery } from './query/query.ts'
import { resourceDescriptions } from './resource-descriptions.ts'
import { type Answer, largeBody, type Request, type Route } from './route.ts'
import type { Serializer } from './serializer.ts'
import { etag, expectedRevision, noContent, writeOptions } from './write-options.ts'

export interface Store {
  reader: Reader
  writer: Writer
  resources: Resources
  plain: PlainCommands
  serializer: Serializer
}

/** Returns the routes of the operations that the resource declares. */
export function resourceRoutes(store: Store, resource: Resource): Route[] {
  const all = operationsOf(store, resource)
  const routes = resource.operations.map((operation) => all[operation])
  return resource.batch ? [...routes, batchRoute(store, resource)] : routes
}

function operationsOf(store: Store, resource: Resource): Record<Operation, Route> {
  const { reader, writer, resources, plain, serializer } = store
  const { base, path, type, scopes } = resource
  const body = bodyReader(resource)
  const one = ({ params }: Request) => ({ type, id: params.id ?? '' })
  const seen = (request: Request) => ({ ...one(request), revision: expectedRevision(request) })
  const kept = (request: Request) => () => reader.row(resource, one(request).id)

  function list(request: Request): Promise<Answer> {
    return listAnswer(store, resource, readQuery(resources, resource, request.query), request)
  }

  function read(request: Request): Answer {
    const requested = readMemberQuery(resources, resource, request.query)
    const shape = serializer.shape(resource, requested.fields.get(type), request.caller)
    return singleAnswer(
      store,
      resource,
      reader.document(resource, one(request).id, shape),
      requested,
      request,
    )
  }

  async function create(request: Request): Promise<Answer> {
    const attributes = await body.create(await request.body())
    return created(resource, await writer.execute(plain.create, { type, attributes }, writeOptions(request)))
  }

  async function replace(request: Request): Promise<Answer> {
    const input = { ...seen(request), attributes: await body.create(await request.body(), kept(request)) }
    return noContent((await writer.execute(plain.replace, input, writeOptions(request))).revision)
  }

  async function patch(request: Request): Promise<Answer> {
    const input = { ...seen(request), attributes: await body.patch(await request.body(), kept(request)) }
    return noContent((await writer.execute(plain.patch, input, writeOptions(request))).revision)
  }

  async function remove(request: Request): Promise<Answer> {
    await writer.execute(plain.remove, seen(request), writeOptions(request))
    return noContent()
  }

  const onAll = { base, path, ...(resource.largeBodies && { largestBody: largeBody }) }
  const onOne = { ...onAll, path: `${path}/:id` }
  const scope = scopes.write
  const says = resourceDescriptions(resource)
  // A list with its own scope, such as that of guests, has the stricter search quota.
  const listing = scopes.list ? { scope: scopes.list, quota: 'search' as const } : { scope: scopes.read }
  return {
    list: { method: 'GET', ...onAll, ...listing, handle: list, description: says.list },
    create: { method: 'POST', ...onAll, scope, handle: create, description: says.create },
    read: { method: 'GET', ...onOne, scope: scopes.read, handle: read, description: says.read },
    replace: { method: 'PUT', ...onOne, scope, handle: replace, description: says.replace },
    patch: { method: 'PATCH', ...onOne, scope, handle: patch, description: says.patch },
    remove: { method: 'DELETE', ...onOne, scope, handle: remove, description: says.remove },
  }
}

function batchRoute({ writer, plain }: Store, resource: Resource): Route {
  const body = bodyReader(resource)
  return {
    method: 'POST',
    path: `batch/${resource.path}`,
    base: resource.base,
    scope: resource.scopes.write,
    largestBody: largeBody,
    description: resourceDescriptions(resource).batch,
    handle: async (request) => {
      const items = await body.batch(await request.body())
      const documents = await writer.execute(
        plain.createMany,
        { type: resource.type, items },
        writeOptions(request),
      )
      return { status: 201, text: `{"data":[${documents.map(({ text }) => text).join(',')}]}` }
    },
  }
}

/** Returns a 201 with the document, its Location and its ETag. */
export function created(
  resource: Resource,
  { id, revision, text }: Document,
  meta?: Record<string, unknown>,
): Answer {
  return {
    status: 201,
    text: meta ? `{"data":${text},"meta":${JSON.stringify(meta)}}` : `{"data":${text}}`,
    headers: { Location: `${resource.base}/${resource.path}/${id}`, ETag: etag(revision) },
  }
}
