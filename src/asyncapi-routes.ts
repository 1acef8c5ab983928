import type { Answer, Route } from './jsonapi/route.ts'
import { tagged } from './openapi/openapi-routes.ts'

/**
 * Returns the route of the AsyncAPI document, which describes the messages on a broker. The document is built
 * on the first request.
 */
export function asyncApiRoutes(version: string): Route[] {
  let document: Promise<Answer> | undefined
  return [
    {
      method: 'GET',
      base: '',
      path: 'asyncapi.json',
      scope: null,
      handle: () => {
        document ??= built(version)
        return document
      },
      description: {
        id: 'readAsyncApi',
        summary: 'Describe the messages that this property and its PMS exchange over a broker',
        answers: { 200: { schema: { type: 'object' }, type: 'application/json', tagged: true } },
      },
    },
  ]
}

async function built(version: string): Promise<Answer> {
  const { asyncApi } = await import('./pms/adapters/cloudevents/asyncapi.ts')
  return tagged(JSON.stringify(asyncApi(version)), 'application/json')
}
