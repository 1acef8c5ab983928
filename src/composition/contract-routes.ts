import type { Description } from '../jsonapi/description.ts'
import type { Answer, Route } from '../jsonapi/route.ts'
import { tagged } from '../openapi/openapi-routes.ts'

/**
 * Returns the routes of the documents of the open contract with a PMS: the messages on a broker, and what a PMS serves over
 * HTTP. Each document is built on its first request.
 */
export function contractRoutes(version: string): Route[] {
  return [
    route('asyncapi.json', says.asyncApi, async () => {
      const { asyncApi } = await import('../pms/adapters/cloudevents/asyncapi.ts')
      return asyncApi(version)
    }),
    route('pms-openapi.json', says.pmsOpenApi, async () => {
      const { pmsOpenApi } = await import('../pms/adapters/cloudevents/openapi.ts')
      return pmsOpenApi(version)
    }),
  ]
}

function route(path: string, description: Description, build: () => Promise<object>): Route {
  let document: Promise<Answer> | undefined
  const handle = () => {
    document ??= build().then((built) => tagged(JSON.stringify(built), 'application/json'))
    return document
  }
  return { method: 'GET', base: '', path, scope: null, handle, description }
}

const answers: Description['answers'] = {
  200: { schema: { type: 'object' }, type: 'application/json', tagged: true },
}

const says: Record<'asyncApi' | 'pmsOpenApi', Description> = {
  asyncApi: {
    id: 'readAsyncApi',
    summary: 'Describe the messages that this property and its PMS exchange over a broker',
    answers,
  },
  pmsOpenApi: {
    id: 'readPmsOpenApi',
    summary: 'Describe what a PMS serves to this property over HTTP',
    answers,
  },
}
