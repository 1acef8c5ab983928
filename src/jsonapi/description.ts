import type { JsonSchema } from '../resource/field.ts'
import type { ProblemCode } from '../resource/problem.ts'
import type { Resource } from '../resource/resource.ts'

/**
 * The description of an operation in the OpenAPI document, as far as it does not follow from the route.
 * Filters, paging, dryRun, headers and the refusals that every route of a kind has follow from the route.
 */
export interface Description {
  /** The operationId, when the default from method and path (`createUnit`) would be misleading. */
  id?: string
  /** What the operation does: one line in the imperative, such as `Record a payment of a stay`. */
  summary: string
  /** Further notes for the caller. */
  notes?: string
  /** Path parameters that are not UUIDs, by their names in the route. */
  path?: Record<string, Parameter>
  /** Query parameters that only this operation has. */
  query?: Record<string, Parameter>
  body?: BodyDescription
  /** The successful answers, by status. */
  answers: Record<number, AnswerDescription>
  /** Problems in addition to those that the kind of route implies. */
  problems?: readonly ProblemCode[]
  /** False when the operation has no `dryRun`. */
  trial?: false
  /** The operation uses a device or a lock system, and can fail with any of their codes as a 502. */
  device?: true
  /** A browser gets the 404 as an HTML page. */
  isMissingPage?: true
}

export interface Parameter {
  schema: JsonSchema
  notes?: string
  required?: true
}

/** `example` is a bare body that works; ids in it come from `exampleId`. */
export type BodyDescription = { optional?: true; example?: unknown } & (
  | {
      /**
       * Attributes of a resource: all of them, or some with `partial`. With `many`, an array of at most that
       * many items.
       */
      of: Resource
      partial?: true
      many?: number
      /** Members in addition to the fields, or with a schema that replaces the field's schema. */
      extra?: Record<string, JsonSchema>
      /** Members that contain lists of other whole resources, by name. */
      inside?: Record<string, Resource>
    }
  /**
   * A body with its own schema. With `type` it may also be enveloped, as `{data: {type, attributes}}`.
   * `media` is the media type when it is not the JSON:API media type.
   */
  | { schema: JsonSchema; type?: string; media?: string }
)

/** A document of a resource, a page of a list, a body with its own schema, or `{}` for an empty answer. */
export type AnswerDescription =
  /**
   * `queried`: the operation takes `include` and `fields`, as a GET of one resource does. `sometimes`: not every answer
   * has the `meta`.
   */
  | { one: Resource; queried?: true; orNull?: true; meta?: JsonSchema; sometimes?: true }
  /** `part`: an item of which the caller may see only a part. `meta`: further members of `meta`, none of them required. */
  | { list: Resource; part?: JsonSchema; meta?: Record<string, JsonSchema> }
  /**
   * What a search has found, on one page: `about` are the members of the `meta` of each resource, and `meta` those of the list,
   * none of them required. The operation takes `include` and `fields`.
   */
  | { found: Resource; about: Record<string, JsonSchema>; meta: Record<string, JsonSchema> }
  /** All created resources, in order. */
  | { made: Resource }
  /**
   * The whole body. `type` is its media type when it is not the JSON:API media type. `tagged`: it has an
   * ETag. `also`: bodies in other media types that a client can request with Accept.
   */
  | { schema: JsonSchema; type?: string; tagged?: true; also?: Record<string, JsonSchema> }
  | { nothing?: never }

/** The schema of an object with exactly these properties. All are required except the optional ones. */
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

/** The schema of a document of a type that is not stored as a resource, such as a status. */
export function documentOf(
  type: string,
  attributes: JsonSchema,
  more: Record<string, JsonSchema> = {},
): JsonSchema {
  return exactly({ data: memberOf(type, attributes, more) })
}

/**
 * The schema of a list document of a type that is not stored as a resource, such as availability. `more` are
 * members beside the attributes.
 */
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
