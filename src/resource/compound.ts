import type { Field, FieldOptions, Fields, JsonSchema, Requirement } from './field.ts'
import { date, flag, integer, number, oneOf, text } from './fields.ts'
import type { Attributes } from './resource.ts'
import { objectSchema } from './schema.ts'

const noFilter = { read: () => undefined, form: 'a member of it, such as field.member' }
const asJson = {
  column: 'TEXT',
  shown: 'json',
  encode: JSON.stringify as (value: unknown) => string,
} as const

/**
 * A value object, stored as JSON under a schema of its own. Its plain members can be filtered with dotted
 * paths. The resource's rules check what the schema cannot express.
 */
export function valueObject<Value, const Options extends FieldOptions = Record<never, never>>(
  schema: JsonSchema,
  options?: Options,
): Field<Value, Requirement<Options>> {
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
  /** Members that the search index contains, each with its number there. */
  searched?: Readonly<Record<string, number>>
}

/** A list of value objects stored as JSON. A filter on a member matches when any item matches. */
export function valueList<Value, const Options extends ValueListOptions = Record<never, never>>(
  item: JsonSchema,
  options?: Options,
): Field<Value[], Requirement<Options>> {
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

/** Returns the plain members of a value object, as far as its schema declares their types. */
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

/** A list of plain texts stored as JSON. A filter matches when any text matches. */
export function texts<const Options extends ListOptions = Record<never, never>>(
  options?: Options,
): Field<string[], Requirement<Options>> {
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

/**
 * A value stored as JSON under a schema of its own. Its members cannot be filtered. A computed one appears
 * only in documents, not in rows.
 */
export function json<Value = unknown, const Options extends FieldOptions = Record<never, never>>(
  schema: JsonSchema,
  options?: Options,
): Field<Value, Options extends { computed: unknown } ? 'documents' : Requirement<Options>> {
  return {
    kind: 'scalar',
    schema,
    ...noFilter,
    ...asJson,
    options: { filterable: false, ...options } as Options,
  }
}

/**
 * A write-only field: an object in a body, encrypted to a text before it reaches the store, and shown as
 * `{"set": true}` or null. Commands see the encrypted text.
 */
export function sealed<const Options extends FieldOptions = Record<never, never>>(
  schema: JsonSchema,
  options?: Options,
): Field<string, Requirement<Options>> {
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
  /** Members with an index of their own. */
  indexes?: readonly string[]
  /** Replaces the schema of one item, when a body may contain more than is stored. */
  item?: JsonSchema
}

/**
 * A list that belongs to a resource and has a table of its own, with the key (owner, position). It is for
 * items that refer to other resources or that are searched. A write replaces the whole list.
 */
export function parts<
  const Members extends Fields,
  const Options extends PartsOptions = Record<never, never>,
>(table: string, members: Members, options?: Options): Field<Attributes<Members>[], Requirement<Options>> {
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

/** A list of ids of another resource. A listed resource cannot be deleted. */
export function references<const Options extends ListOptions = Record<never, never>>(
  table: string,
  member: Fields,
  options?: Options,
): Field<string[], Requirement<Options>> {
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
