import { type Description, exactly } from '../../jsonapi/description.ts'
import { isObject } from '../../jsonapi/envelope.ts'
import { type Answer, largeBody, type Request, type Route } from '../../jsonapi/route.ts'
import { moment } from '../../jsonapi/schemas/words.ts'
import { isTrial } from '../../jsonapi/write-options.ts'
import { Problem } from '../../resource/problem.ts'
import { orAdapterProblem } from '../adapter-problem.ts'
import { capabilityMembers } from '../answers.ts'
import type { KnownCapabilities } from '../capabilities/capabilities.ts'
import { type ExtensionMethod, extensionMethods } from '../contract.ts'
import { notImplemented } from '../invoke-extension.ts'
import type { Pms } from '../pms.ts'
import type { PmsConfiguration } from '../resources/pms-configuration.ts'

const base = '/api/v2'
const one = 'pms/providers/:configurationId'

/** Names that can stand in a path and in a topic as they are. */
const nameForm = /^[A-Za-z0-9][\w.~-]{0,99}$/

/** The routes for the capabilities and the extensions of a PMS. */
export function providerRoutes(pms: Pms): Route[] {
  const invoke =
    (method: ExtensionMethod) =>
    async (request: Request): Promise<Answer> => {
      const row = pms.configurationBy(request.params.configurationId ?? '')
      const name = request.params.extensionName ?? ''
      const changes = method !== 'GET'
      const body = changes ? await objectIn(request) : ''
      // An invalid dryRun is refused, because the request might not be meant to be executed.
      if (changes) isTrial(request)
      if (!nameForm.test(name)) throw notImplemented(row, { name: name.slice(0, 100), method })
      const asked = { name, method, query: queryOf(request), body }
      const { by, requestId } = request.caller
      const text = await orAdapterProblem(pms.invoke(row, asked, { by, requestId }))
      return { status: 200, text: `{"data":${text}}` }
    }

  async function capabilities(request: Request): Promise<Answer> {
    const row = pms.configurationBy(request.params.configurationId ?? '')
    const known = await orAdapterProblem(pms.capabilitiesOf(row))
    return { status: 200, text: JSON.stringify(documentOf(row, known)) }
  }

  return [
    ...extensionMethods.map(
      (method): Route => ({
        method,
        path: `${one}/extensions/:extensionName`,
        base,
        scope: 'extensions.invoke',
        largestBody: largeBody,
        handle: invoke(method),
        description: says[method],
      }),
    ),
    {
      method: 'GET',
      path: `${one}/capabilities`,
      base,
      scope: 'extensions.read',
      handle: capabilities,
      description: says.capabilities,
    },
  ]
}

/** Returns the body as it was sent. Throws unless it is empty or a JSON object. */
async function objectIn(request: Request): Promise<string> {
  const value = await request.body()
  if (value === undefined || isObject(value)) return request.text()
  throw new Problem('validation-failed', 'The body of an extension must be an object.', { pointer: '' })
}

function queryOf({ url }: Request): string {
  const start = url.indexOf('?')
  return start < 0 ? '' : url.slice(start + 1)
}

function documentOf(
  { id, adapter }: PmsConfiguration,
  { capabilities, checkedAt, expiresAt, stale }: KnownCapabilities,
) {
  const attributes = {
    adapter,
    ...capabilities,
    checkedAt: new Date(checkedAt).toISOString(),
    expiresAt: new Date(expiresAt).toISOString(),
  }
  const links = { self: `${base}/pms/providers/${id}/capabilities` }
  return { data: { type: 'pms-capabilities', id, attributes, links }, meta: { stale } }
}

const extension: Omit<Description, 'summary'> = {
  notes:
    'Method, query string and body are passed on unchanged. What they mean depends on the adapter: see its capabilities.',
  path: {
    extensionName: {
      schema: { type: 'string', maxLength: 100 },
      notes:
        'sync, payment-methods, inventory-units, units, unit-types, webhooks, or another extension of the adapter.',
    },
  },
  answers: { 200: { schema: exactly({ data: { description: 'The answer of the adapter.' } }) } },
  problems: ['extension-not-implemented', 'configuration-disabled', 'malformed-request', 'unknown-parameter'],
  device: true,
}
const body = { optional: true, schema: { type: 'object' }, example: {} } as const

const says = {
  GET: { ...extension, id: 'readExtension', summary: 'Read from an extension of a PMS' },
  POST: { ...extension, id: 'invokeExtension', summary: 'Call an extension of a PMS', body },
  DELETE: {
    ...extension,
    id: 'revokeExtension',
    summary: 'Delete through an extension of a PMS',
    body,
  },
  capabilities: {
    id: 'readCapabilities',
    summary: 'Read the capabilities of a PMS',
    notes:
      'The answer is cached for 30 minutes. If `meta.stale` is true, the adapter does not answer, and these are its last known capabilities.',
    answers: {
      200: {
        schema: exactly({
          data: exactly({
            type: { const: 'pms-capabilities' },
            id: { type: 'string', format: 'uuid' },
            attributes: exactly({
              adapter: { type: 'string' },
              ...capabilityMembers,
              checkedAt: moment,
              expiresAt: moment,
            }),
            links: exactly({ self: { type: 'string' } }),
          }),
          meta: exactly({ stale: { type: 'boolean' } }),
        }),
      },
    },
    problems: ['configuration-disabled'],
    device: true,
  },
} satisfies Record<string, Description>
