import type { Field, FieldOptions, Fields, JsonSchema, Need } from './fields.ts'
import { date, flag, integer, number, oneOf, text } from './fields.ts'
import type { Attributes } from './resource.ts'
import { objectSchema } from './schema.ts'

const noFilter = { read: () => undefined, form: 'a member of it, such as field.member' }
const asJson = {
  column: 'TEXT',
  shown: 'json',
  encode: (value: unknown) => JSON.stringify(value),
} as const

/**
 * A value object kept whole as JSON under a schema of its own; its plain members are filtered with dots. What the
 * schema cannot say is checked by the resource's rules.
 */
export function valueObject<Value, const Options extends FieldOptions = Record<never, never>>(
  schema: JsonSchema,
  options?: Options,
): Field<Value, Need<Options>> {
  return {
    kind: 'object',
    schema,
    ...noFilter,
    ...asJson,
    members: membersOf(schema),
    options: options ?? {},
  }
}

interface ListOptions extends FieldOptions {
  min?: number
  max?: number
}

interface ValueListOptions extends ListOptions {
  /** Members that are found by any part of their text: each with its number in the search index. */
  searched?: Readonly<Record<string, number>>
}

/** A list of value objects kept as JSON; a filter on a member holds when any item satisfies it. */
export function valueList<Value, const Options extends ValueListOptions = Record<never, never>>(
  item: JsonSchema,
  options?: Options,
): Field<Value[], Need<Options>> {
  const { min = 0, max = 50, searched = {} } = (options ?? {}) as ValueListOptions
  return {
    kind: 'list',
    schema: { type: 'array', minItems: min, maxItems: max, items: item },
    ...noFilter,
    ...asJson,
    members: membersOf(item, searched),
    options: options ?? {},
  }
}

/** The plain members of a value object, as far as its schema tells their types. */
function membersOf({ properties = {} }: JsonSchema, searched: Record<string, number> = {}): Fields {
  return Object.fromEntries(
    Object.entries(properties as Record<string, JsonSchema>).flatMap(([name, schema]) => {
      const field = plainFieldOf(schema)
      const search = searched[name]
      if (!field) return []
      return [[name, search === undefined ? field : { ...field, options: { ...field.options, search } }]]
    }),
  )
}

function plainFieldOf({ type, format, enum: words }: JsonSchema): Field | null {
  const types = [type].flat()
  if (Array.isArray(words)) return oneOf(words.filter((word) => typeof word === 'string'))
  if (types.includes('boolean')) return flag()
  if (types.includes('integer')) return integer()
  if (types.includes('number')) return number()
  if (types.includes('string')) return format === 'date' ? date() : text()
  return null
}

/** A list of plain texts kept as JSON; a filter holds when any of them satisfies it. */
export function texts<const Options extends ListOptions = Record<never, never>>(
  options?: Options,
): Field<string[], Need<Options>> {
  const { min = 0, max = 50 } = (options ?? {}) as ListOptions
  return {
    kind: 'list',
    schema: {
      type: 'array',
      minItems: min,
      maxItems: max,
      items: { type: 'string', minLength: 1, maxLength: 255 },
    },
    ...asJson,
    form: 'text',
    read: (value) => value,
    options: options ?? {},
  }
}

/** Kept whole as JSON under a schema of its own; never filtered into. What is computed stands in documents alone, in no row. */
export function json<Value = unknown, const Options extends FieldOptions = Record<never, never>>(
  schema: JsonSchema,
  options?: Options,
): Field<Value, Options extends { computed: unknown } ? 'documents' : Need<Options>> {
  return {
    kind: 'scalar',
    schema,
    ...noFilter,
    ...asJson,
    options: { filterable: false, ...options } as Options,
  }
}

/**
 * Write-only: an object in a body, sealed into a text before it reaches the store, and shown as `{"set": true}` or null.
 * A change gets to see the sealed text.
 */
export function sealed<const Options extends FieldOptions = Record<never, never>>(
  schema: JsonSchema,
  options?: Options,
): Field<string, Need<Options>> {
  return {
    kind: 'scalar',
    schema,
    ...noFilter,
    column: 'TEXT',
    shown: 'sealed',
    encode: String,
    options: { filterable: false, ...options } as Options,
  }
}

interface PartsOptions extends ListOptions {
  /** Members that have an index of their own, because something is found by them. */
  indexes?: readonly string[]
  /** Replaces the schema of one item, where a body may say more than what is kept. */
  item?: JsonSchema
}

/**
 * A list that belongs to a resource and is kept in a table of its own, keyed by (owner, position): for items that
 * point at other resources or are searched by. Always replaced as a whole. `value` is what a change gets to see.
 */
export function parts<
  const Members extends Fields,
  const Options extends PartsOptions = Record<never, never>,
>(table: string, members: Members, options?: Options): Field<Attributes<Members>[], Need<Options>> {
  const { min = 0, max = 50, item } = (options ?? {}) as PartsOptions
  return {
    kind: 'parts',
    schema: { type: 'array', minItems: min, maxItems: max, items: item ?? objectSchema(members) },
    ...noFilter,
    ...asJson,
    table,
    members,
    options: options ?? {},
  }
}

/** A list of ids of another resource, none of which can be deleted while it is listed here. */
export function references<const Options extends ListOptions = Record<never, never>>(
  table: string,
  member: Fields,
  options?: Options,
): Field<string[], Need<Options>> {
  const [only = ''] = Object.keys(member)
  return {
    kind: 'parts',
    schema: { type: 'array', maxItems: 50, uniqueItems: true, items: { type: 'string', format: 'uuid' } },
    ...noFilter,
    ...asJson,
    table,
    members: member,
    only,
    options: options ?? {},
  }
}
