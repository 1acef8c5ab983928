import type { JsonSchema } from '../resource/fields.ts'
import type { ProblemCode } from '../resource/problem.ts'
import type { Resource } from '../resource/resource.ts'

/**
 * What the OpenAPI document says of an operation beyond what follows from its route. Filters, paging, dryRun, headers,
 * and what every request can be refused with are told by the kind of route and are not repeated here.
 */
export interface Description {
  /** The operationId, where the one that follows from method and path (`createUnit`) would not say what it does. */
  id?: string
  /** What it does, one line, as an order: `Record a payment of a stay`. */
  summary: string
  /** What a caller has to know besides. */
  notes?: string
  /** Parameters of the path that are no UUIDs, by their names in the route. */
  path?: Record<string, Parameter>
  /** Parameters of the query that only this operation has. */
  query?: Record<string, Parameter>
  body?: BodyDescription
  /** By status: what the operation answers when it does what was asked. */
  answers: Record<number, AnswerDescription>
  /** What it can be refused with beyond what its kind of route is refused with. */
  problems?: readonly ProblemCode[]
  /** False where `dryRun` means nothing: what it does cannot be tried. */
  trial?: false
  /** It works a device or a lock system, and can fail with any of their codes as a 502. */
  device?: true
}

export interface Parameter {
  schema: JsonSchema
  notes?: string
  required?: true
}

/** `example` is a body that works, bare; ids in it are those of `exampleId`. */
export type BodyDescription = { optional?: true; example?: unknown } & (
  | {
      /** Attributes of a resource, whole unless `partial`; `many` of them, at most that number, in an array. */
      of: Resource
      partial?: true
      many?: number
      /** What a body may say beyond the fields, or otherwise than they do. */
      extra?: Record<string, JsonSchema>
      /** Lists of whole other resources in it, by name. */
      inside?: Record<string, Resource>
    }
  /**
   * A body of its own. With a type it may also come enveloped, as `{data: {type, attributes}}`; `media` is its media type when
   * it is not that of JSON:API.
   */
  | { schema: JsonSchema; type?: string; media?: string }
)

/** A document of a resource, a page of a list of it, a body of its own, or `{}` for none. */
export type AnswerDescription =
  /** `queried`: it takes `include` and `fields`, as a plain GET of one does. */
  | { one: Resource; queried?: true; orNull?: true; meta?: JsonSchema }
  | { list: Resource }
  /** Every one that was made, in order. */
  | { made: Resource }
  /**
   * The whole body; `type` is its media type when it is not that of JSON:API, `tagged` says that it has an ETag. `also` are
   * bodies in other media types, for who asks for them.
   */
  | { schema: JsonSchema; type?: string; tagged?: true; also?: Record<string, JsonSchema> }
  | { nothing?: never }

/** An object of exactly these properties, all of them always there unless named as optional. */
export function exactly(
  properties: Record<string, JsonSchema>,
  optional: readonly string[] = [],
): JsonSchema {
  return {
    type: 'object',
    properties,
    required: Object.keys(properties).filter((name) => !optional.includes(name)),
    additionalProperties: false,
  }
}

/** One document of a type that is not kept as a resource: a status, capabilities. */
export function documentOf(
  type: string,
  attributes: JsonSchema,
  more: Record<string, JsonSchema> = {},
): JsonSchema {
  return exactly({ data: memberOf(type, attributes, more) })
}

/** A list document of a type that is not kept as a resource: availability. `more` are members beside the attributes. */
export function listOf(
  type: string,
  attributes: JsonSchema,
  more: Record<string, JsonSchema> = {},
): JsonSchema {
  const link = { type: 'string' }
  return exactly({
    data: { type: 'array', items: memberOf(type, attributes, more) },
    links: exactly({ self: link, next: link, prev: link }, ['next', 'prev']),
  })
}

function memberOf(type: string, attributes: JsonSchema, more: Record<string, JsonSchema>): JsonSchema {
  return exactly({ type: { const: type }, id: { type: 'string' }, attributes, ...more })
}
