import type { BodyDescription } from '../jsonapi/description.ts'
import { mediaType, type Route } from '../jsonapi/route.ts'
import { readingOf } from '../jsonapi/server/preference.ts'
import type { Interface } from '../jsonapi/server/server.ts'
import type { JsonSchema } from '../resource/field.ts'
import type { Resources } from '../resource/path.ts'
import { responsesOf } from './answers.ts'
import { bodyExamples, bodySchema } from './body-schema.ts'
import { components } from './components.ts'
import { operationIdOf, templateOf } from './names.ts'
import { parameters } from './parameters.ts'
import type { DeviceFailures } from './refused.ts'
import type { Drawing } from './shown-schema.ts'

export interface Described {
  version: string
  interfaces: readonly Interface[]
  resources: Resources
  failures: DeviceFailures
}

/** Returns the OpenAPI 3.1 document of every operation of the interfaces. */
export function openApi({ version, interfaces, resources, failures }: Described): JsonSchema {
  const drawing: Drawing = { resources, components: components() }
  const paths: Record<string, Record<string, JsonSchema>> = {}
  for (const each of interfaces) {
    for (const route of each.routes) {
      const operation = operationOf(drawing, route, each, failures)
      const path = templateOf(route)
      paths[path] = { ...paths[path], [route.method.toLowerCase()]: operation }
    }
  }
  return portable({
    openapi: '3.1.1',
    info: {
      title: 'nightporter',
      version,
      summary: 'Reservations, keys and card dispensers of one hotel.',
      description: introduction,
      contact: { name: 'The operator of this appliance' },
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
      'x-interfaces': interfaces.map((each) => ({ name: each.name, version: each.version })),
    },
    servers: [{ url: '/', description: 'This appliance.' }],
    tags: tagsOf(interfaces),
    paths: sorted(paths),
    components: {
      ...drawing.components.all(),
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          description: 'A bearer token. Its scopes decide which operations are allowed.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: '__Host-np',
          description:
            'The session of a person, or of a kiosk. The cookie is set by signing in; on plain HTTP from this machine its name is `np`. With `X-Kiosk: true`, which the page of a kiosk sends, its name ends in `-kiosk`.',
        },
      },
    },
  })
}

/**
 * Rewrites the patterns for readers that do not support character classes such as \p{Cc}. Lone surrogates,
 * which our own pattern refuses as well, cannot occur in UTF-8.
 */
function portable(document: JsonSchema): JsonSchema {
  const text = JSON.stringify(document).replaceAll(
    '\\\\p{Cc}\\\\p{Cs}',
    '\\\\u0000-\\\\u001f\\\\u007f-\\\\u009f',
  )
  return JSON.parse(text) as JsonSchema
}

const introduction = `JSON:API. A request body is a document \`{"data": {"type", "attributes"}}\` or the attributes alone, sent as
\`application/vnd.api+json\` or \`application/json\`. Answers are documents.

Lists: \`filter[name]=value\` is \`filter[name][eq]=value\`. Besides the fields that each list names, a path with dots follows relationships: \`filter[profile.lastName][like]=mül\`. Brackets do the same: \`filter[profile][lastName][like]=mül\`. \`links.next\` is the next page.

A 404 of a path that does not exist names the nearest in \`meta.nearest\`, with their methods. A 404 of an id names in \`meta.lists\` where the ids
are listed.

Every error has a stable \`code\`; the responses of each operation list its codes, and \`/problems\` explains them.`

function operationOf(
  drawing: Drawing,
  route: Route,
  { name, version, routes }: Interface,
  failures: DeviceFailures,
): JsonSchema {
  const { description, scope, asksAgain, beta, deprecated } = route
  const { summary, notes, body } = description
  const reading = readingOf(routes, route)
  return {
    operationId: operationIdOf(route),
    tags: [tagOf(name, route)],
    summary,
    description: notes ?? `${summary}.`,
    ...(deprecated && { deprecated: true, 'x-successor': deprecated }),
    ...(beta && { 'x-stability': 'beta' }),
    'x-interface-version': version,
    ...(scope && { 'x-scope': scope }),
    ...(asksAgain && { 'x-asks-again': true }),
    security: scope === null ? [] : [{ bearer: [] }, { session: [] }],
    parameters: parameters(drawing.components, route, reading),
    ...(body && {
      requestBody: {
        required: body.optional !== true,
        content: {
          [mediaOf(body)]: {
            schema: bodySchema(drawing, body),
            examples: Object.fromEntries(
              Object.entries(bodyExamples(body)).map(([form, value]) => [form, { value }]),
            ),
          },
        },
      },
    }),
    responses: responsesOf(drawing, { route, reading }, failures),
  }
}

function mediaOf(body: BodyDescription): string {
  return ('media' in body && body.media) || mediaType
}

/** The tag of an operation: an interface and a collection in it, such as `Reservations: unit types`. */
function tagOf(name: string, { base, path }: Route): string {
  if (base === '') return 'Appliance'
  const [first = '', ...rest] = path.split('/').filter((segment) => !/^(access|batch|pms)$/.test(segment))
  const collection = first.startsWith(':') ? rest[0] : first
  return `${name}: ${(collection ?? '').replaceAll('-', ' ')}`
}

function tagsOf(interfaces: readonly Interface[]): JsonSchema[] {
  return interfaces.flatMap(({ name, version, routes }) =>
    [...new Set(routes.map((route) => tagOf(name, route)))]
      .sort()
      .map((tag) => ({ name: tag, description: `Version ${version}.` })),
  )
}

function sorted<T>(record: Record<string, T>): Record<string, T> {
  return Object.fromEntries(Object.entries(record).sort(([one], [other]) => (one < other ? -1 : 1)))
}
