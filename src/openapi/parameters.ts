import type { Description, Parameter } from '../jsonapi/description.ts'
import { relationshipNames } from '../jsonapi/document.ts'
import { totalDescription, totalParameter } from '../jsonapi/list-total.ts'
import { defaultSize, largestSize } from '../jsonapi/query/query.ts'
import { sortableNames } from '../jsonapi/query/sort-parameter.ts'
import type { Route } from '../jsonapi/route.ts'
import { text, uuid } from '../jsonapi/schemas/words.ts'
import type { JsonSchema } from '../resource/field.ts'
import { problems } from '../resource/problem.ts'
import type { Resource } from '../resource/resource.ts'
import type { Components, Reference } from './components.ts'
import { filterParameters } from './filter-parameters.ts'
import { parametersOf, templateOf } from './names.ts'
import { refusalsOf } from './refusals.ts'

/** Returns all parameters of an operation, without its body. */
export function parameters(components: Components, route: Route, reading?: Route): JsonSchema[] {
  const { description } = route
  return [
    ...pathParameters(route),
    ...Object.entries(description.query ?? {}).map(([name, parameter]) => inQuery(name, parameter)),
    ...shownBy(components, description),
    ...common(components, route),
    ...(reading ? [components.share('parameters', 'Prefer', preferParameter)] : []),
  ]
}

function pathParameters(route: Route): JsonSchema[] {
  const named = route.path.matchAll(/:(\w+)/g)
  const names = parametersOf(templateOf(route))
  return [...named].map(([, name = ''], index) =>
    inPath(names[index] ?? name, route.description.path?.[name]),
  )
}

function inPath(name: string, { schema, notes }: Parameter = { schema: uuid }): JsonSchema {
  return { name, in: 'path', required: true, schema, ...(notes && { description: notes }) }
}

function inQuery(name: string, { schema, notes, required }: Parameter): JsonSchema {
  return { name, in: 'query', schema, ...(notes && { description: notes }), ...(required && { required }) }
}

/**
 * Returns the parameters of a GET of resources: paging and filters for a list, and `include` and `fields`.
 */
function shownBy(components: Components, { answers }: Description): JsonSchema[] {
  for (const answer of Object.values(answers)) {
    if ('list' in answer) {
      return [
        ...pageParameters(components),
        components.share('parameters', totalParameter, () => inQuery(totalParameter, totalDescription)),
        sortParameter(answer.list),
        ...memberParameters(components, answer.list),
        ...filterParameters(components, answer.list),
      ]
    }
    if ('found' in answer) return memberParameters(components, answer.found)
    if ('one' in answer && answer.queried) return memberParameters(components, answer.one)
  }
  return []
}

function sortParameter(resource: Resource): JsonSchema {
  const names = sortableNames(resource).flatMap((name) => [name, `-${name}`])
  return {
    name: 'sort',
    in: 'query',
    description: 'From left to right; `-` is descending.',
    style: 'form',
    explode: false,
    schema: { type: 'array', maxItems: 6, items: { enum: names } },
  }
}

function pageParameters(components: Components): Reference[] {
  const cursor = (way: string) => ({ schema: uuid, notes: `The page ${way} the resource with this id.` })
  const pages = {
    'page[size]': {
      schema: { type: 'integer', minimum: 1, maximum: largestSize, default: defaultSize },
      notes: 'Resources in a page.',
    },
    'page[after]': cursor('after'),
    'page[before]': cursor('before'),
  }
  return Object.entries(pages).map(([name, parameter]) =>
    components.share('parameters', name.replace(/\W+(\w+)\W/, '-$1'), () => inQuery(name, parameter)),
  )
}

function memberParameters(components: Components, resource: Resource): JsonSchema[] {
  const names = relationshipNames(resource)
  const include = {
    name: 'include',
    in: 'query',
    description: `Relationships whose resources are included: ${names.join(', ')}. A path has at most three relationships, separated by dots.`,
    style: 'form',
    explode: false,
    schema: {
      type: 'array',
      maxItems: 20,
      items: { type: 'string', pattern: `^(${names.join('|')})(\\.\\w+){0,2}$` },
    },
  }
  return [...(names.length > 0 ? [include] : []), components.share('parameters', 'fields', fieldsParameter)]
}

function fieldsParameter(): JsonSchema {
  return {
    name: 'fields',
    in: 'query',
    description:
      'The attributes and relationships in the answer, by type and separated by commas. Others are left out. `fields[unit]=name,status`',
    style: 'deepObject',
    explode: true,
    schema: { type: 'object', additionalProperties: text },
    example: {},
  }
}

function preferParameter(): JsonSchema {
  return {
    name: 'Prefer',
    in: 'header',
    description: '`return=representation`: answer 200 with the document as its GET shows it, not 204.',
    schema: { enum: ['return=representation', 'return=minimal'] },
  }
}

interface HeaderParameter {
  schema?: JsonSchema
  description: string
  holds(route: Route): boolean
}

const writes = ({ method }: Route) => method !== 'GET'

const requestHeaders: Record<string, HeaderParameter> = {
  'If-Match': {
    description: 'The ETag of the resource as read. If it has changed since, the answer is 412.',
    holds: (route) => refusalsOf(route, route.description).has(problems['revision-mismatch'][0]),
  },
  'Idempotency-Key': {
    description: 'A repetition within 24 hours gets the first answer and is not executed again.',
    schema: { type: 'string', pattern: '^[\\x21-\\x7e]{1,128}$' },
    holds: ({ method }) => method === 'POST',
  },
  'If-None-Match': {
    description: 'The ETag of the resource as read. If it has not changed, the answer is 304.',
    holds: ({ method, description }) =>
      method === 'GET' && Object.values(description.answers).some((each) => 'one' in each),
  },
  'Accept-Language': {
    description:
      'The language of the titles and details of errors, and of the sentences for guests and staff: en, de, es, fr or pt.',
    holds: () => true,
  },
  'X-Request-Id': {
    description: 'The id of the request at the client. It appears in the answer and in the log.',
    schema: { type: 'string', pattern: '^[\\w.:-]{1,64}$' },
    holds: () => true,
  },
  'X-Tenant-ID': {
    description: 'The tenant. A tenant other than that of the appliance is refused.',
    holds: ({ scope }) => scope !== null,
  },
}

function common(components: Components, route: Route): Reference[] {
  const headers = Object.entries(requestHeaders)
    .filter(([, { holds }]) => holds(route))
    .map(([name, { description, schema = text }]) =>
      components.share('parameters', name, () => ({ name, in: 'header', description, schema })),
    )
  const trial = {
    schema: { type: 'boolean', default: false },
    notes: 'Check the request and answer as if it were executed, but store nothing.',
  }
  const canTry = writes(route) && route.description.trial !== false
  return [
    ...(canTry ? [components.share('parameters', 'dryRun', () => inQuery('dryRun', trial))] : []),
    ...headers,
  ]
}
