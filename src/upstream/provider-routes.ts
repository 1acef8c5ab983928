import { isObject } from '../jsonapi/body.ts'
import type { Answer, Request, Route } from '../jsonapi/route.ts'
import { isTrial } from '../jsonapi/write-options.ts'
import { Problem } from '../resource/problem.ts'
import { type ExtensionMethod, extensionMethods } from './adapter.ts'
import { orAdapterProblem } from './adapter-problem.ts'
import type { Known } from './capabilities.ts'
import type { PmsConfiguration } from './resources/pms-configuration.ts'
import { notImplemented, type Upstream } from './upstream.ts'

const base = '/api/v2'
const one = 'pms/providers/:configurationId'

/** Names that can stand in a path and in a topic as they are. */
const nameForm = /^[A-Za-z0-9][\w.~-]{0,99}$/

/** What is asked of a PMS beyond reservations: its own extensions, and what it can do. */
export function providerRoutes(upstream: Upstream): Route[] {
  async function invoke(request: Request): Promise<Answer> {
    const row = upstream.configurationBy(request.params.configurationId ?? '')
    const method = request.method as ExtensionMethod
    const name = request.params.extensionName ?? ''
    const changes = method !== 'GET'
    const body = changes ? await objectIn(request) : ''
    if (changes) isTrial(request)
    if (!nameForm.test(name)) throw notImplemented(row, { name: name.slice(0, 100), method })
    const asked = { name, method, query: queryOf(request), body }
    const { by, requestId } = request.caller
    const text = await orAdapterProblem(upstream.invoke(row, asked, { by, requestId }))
    return { status: 200, text: `{"data":${text}}` }
  }

  async function capabilities(request: Request): Promise<Answer> {
    const row = upstream.configurationBy(request.params.configurationId ?? '')
    const known = await orAdapterProblem(upstream.capabilitiesOf(row))
    return { status: 200, text: JSON.stringify(documentOf(row, known)) }
  }

  return [
    ...extensionMethods.map(
      (method): Route => ({
        method,
        path: `${one}/extensions/:extensionName`,
        base,
        scope: 'extensions.invoke',
        handle: invoke,
      }),
    ),
    { method: 'GET', path: `${one}/capabilities`, base, scope: 'extensions.read', handle: capabilities },
  ]
}

/** The body as it was sent, which says an object or nothing. */
async function objectIn(request: Request): Promise<string> {
  const value = await request.body()
  if (value === undefined || isObject(value)) return request.text()
  throw new Problem('validation-failed', 'The body of an extension must be an object.', { pointer: '' })
}

function queryOf({ url }: Request): string {
  const start = url.indexOf('?')
  return start < 0 ? '' : url.slice(start + 1)
}

function documentOf({ id, adapter }: PmsConfiguration, { capabilities, checkedAt, expiresAt, stale }: Known) {
  const attributes = {
    adapter,
    ...capabilities,
    checkedAt: new Date(checkedAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
  }
  const links = { self: `${base}/pms/providers/${id}/capabilities` }
  return { data: { type: 'pms-capabilities', id, attributes, links }, meta: { stale } }
}
