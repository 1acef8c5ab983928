import { type AnswerDescription, type Description, exactly } from '../jsonapi/description.ts'
import { listMeta } from '../jsonapi/list-total.ts'
import type { Route } from '../jsonapi/route.ts'
import { mediaType } from '../jsonapi/route.ts'
import type { JsonSchema } from '../resource/field.ts'
import type { Resource } from '../resource/resource.ts'
import { nullable } from '../resource/schema.ts'
import type { Reference } from './components.ts'
import { always, headers, headersOfRoute, headersOfSuccess } from './headers.ts'
import { pascal } from './names.ts'
import { refusalsOf } from './refusals.ts'
import { type DeviceFailures, deviceFailure, refusal } from './refused.ts'
import { type Drawing, foundSchema, resourceSchema } from './shown-schema.ts'

/** Returns the responses of an operation, by status. */
export function responsesOf(
  drawing: Drawing,
  { route, reading }: { route: Route; reading: Route | undefined },
  failures: DeviceFailures,
): Record<string, JsonSchema> {
  const { description } = route
  // A client that prefers the document gets what the GET returns.
  const answers = { ...(reading && { 200: reading.description.answers[200] }), ...description.answers }
  const successes = Object.entries(answers).map(
    ([status, answer]): Entry => [status, success(drawing, route, Number(status), answer)],
  )
  const refusals = [...refusalsOf(route, description)].map(
    ([status, codes]): Entry => [
      String(status),
      refusal(drawing, status, codes, status === 404 && description.isMissingPage),
    ],
  )
  const device = description.device ? [['502', deviceFailure(drawing, failures)] as Entry] : []
  const seen = showsRevision(description, route) ? [unchanged(drawing)] : []
  const all = [...successes, ...seen, ...refusals, ...device]
  return Object.fromEntries(all.sort(([one], [other]) => Number(one) - Number(other)))
}

type Entry = [status: string, response: JsonSchema]

function success(drawing: Drawing, route: Route, status: number, answer: AnswerDescription): JsonSchema {
  const content = contentOf(drawing, answer)
  return {
    description: wordsOf(answer),
    headers: headers(drawing.components, [
      ...headersOfRoute(route),
      ...headersOfSuccess(route, status, answer),
    ]),
    ...(content && { content }),
  }
}

function wordsOf(answer: AnswerDescription): string {
  if ('one' in answer) return `The ${answer.one.type}.`
  if ('made' in answer) return 'The created resources, in the order of the body.'
  if ('list' in answer) return `A page of ${answer.list.path.split('/').at(-1)}.`
  if ('found' in answer) return `The ${answer.found.path.split('/').at(-1)} that were found.`
  return 'schema' in answer ? 'The result.' : 'Done.'
}

function contentOf(drawing: Drawing, answer: AnswerDescription): Record<string, JsonSchema> | null {
  if ('schema' in answer) {
    const all = { [answer.type ?? mediaType]: answer.schema, ...answer.also }
    return Object.fromEntries(Object.entries(all).map(([type, schema]) => [type, { schema }]))
  }
  if ('list' in answer) return { [mediaType]: { schema: listSchema(drawing, answer) } }
  if ('found' in answer) return { [mediaType]: { schema: foundListSchema(drawing, answer) } }
  if ('made' in answer) {
    const data = { type: 'array', items: resourceSchema(drawing, answer.made) }
    return { [mediaType]: { schema: exactly({ data }) } }
  }
  return 'one' in answer ? { [mediaType]: { schema: documentSchema(drawing, answer) } } : null
}

type One = Extract<AnswerDescription, { one: Resource }>

function documentSchema(drawing: Drawing, { one, orNull, meta, sometimes }: One): JsonSchema {
  const data = resourceSchema(drawing, one)
  const included = includedSchema(drawing)
  if (meta || orNull) {
    const optional = ['included', ...(sometimes ? ['meta'] : [])]
    return exactly({ data: orNull ? nullable(data) : data, included, ...(meta && { meta }) }, optional)
  }
  return drawing.components.share('schemas', `${pascal(one.type)}Document`, () =>
    exactly({ data, included }, ['included']),
  )
}

type List = Extract<AnswerDescription, { list: Resource }>

function listSchema(drawing: Drawing, { list, part, meta }: List): Reference {
  const { components } = drawing
  const whole = resourceSchema(drawing, list)
  return components.share('schemas', `${pascal(list.type)}${part || meta ? 'Search' : ''}List`, () =>
    exactly(
      {
        data: { type: 'array', items: part ? { anyOf: [whole, part] } : whole },
        links: components.share('schemas', 'ListLinks', listLinks),
        meta: meta
          ? { ...listMeta, properties: { ...(listMeta.properties as object), ...meta }, required: [] }
          : components.share('schemas', 'ListMeta', () => listMeta),
        included: includedSchema(drawing),
      },
      ['meta', 'included'],
    ),
  )
}

type FoundList = Extract<AnswerDescription, { found: Resource }>

function foundListSchema(drawing: Drawing, { found, about, meta }: FoundList): JsonSchema {
  return exactly(
    {
      data: { type: 'array', items: foundSchema(drawing, found, about) },
      links: drawing.components.share('schemas', 'ListLinks', listLinks),
      meta: exactly(meta, Object.keys(meta)),
      included: includedSchema(drawing),
    },
    ['meta', 'included'],
  )
}

function listLinks(): JsonSchema {
  const link = (description: string) => ({ type: 'string', format: 'uri-reference', description })
  return exactly(
    {
      self: link('This page.'),
      next: link('The next page; present if there are more resources.'),
      prev: link('The previous page; present if the request had a cursor.'),
    },
    ['next', 'prev'],
  )
}

/** The schema of `included`: resources of any type with operations, each once. */
function includedSchema(drawing: Drawing): Reference {
  const shown = [...drawing.resources.values()].filter(({ operations }) => operations.length > 0)
  return drawing.components.share('schemas', 'Included', () => ({
    type: 'array',
    description: 'Resources that `include` named.',
    items: { oneOf: shown.map((each) => resourceSchema(drawing, each)) },
  }))
}

/** A GET whose answer has an ETag can return 304. */
function showsRevision({ answers }: Description, { method }: Route): boolean {
  return (
    method === 'GET' &&
    Object.values(answers).some((each) => 'one' in each || ('schema' in each && each.tagged))
  )
}

function unchanged({ components }: Drawing): Entry {
  return [
    '304',
    components.share('responses', 'Unchanged', () => ({
      description: 'The resource still has the ETag in If-None-Match.',
      headers: headers(components, [...always, 'ETag']),
    })),
  ]
}
