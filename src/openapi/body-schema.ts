import type { BodyDescription } from '../jsonapi/description.ts'
import { withNote } from '../jsonapi/schemas/form.ts'
import type { JsonSchema } from '../resource/field.ts'
import { isReadOnly } from '../resource/fields.ts'
import { common, type Resource } from '../resource/resource.ts'
import { objectSchema, partialSchema } from '../resource/schema.ts'
import { pascal } from './names.ts'
import { type Drawing, shownSchema } from './shown-schema.ts'

type OfResource = Extract<BodyDescription, { of: Resource }>

/** Returns the schema of an operation's body: bare or enveloped, one or many. */
export function bodySchema(drawing: Drawing, body: BodyDescription): JsonSchema {
  if ('of' in body) {
    const bare = attributesSchema(drawing, body)
    if (body.many === undefined) return { anyOf: [inData(envelope(body.of.type, bare)), bare] }
    const items = { anyOf: [envelope(body.of.type, bare), bare] }
    const list = { type: 'array', minItems: 1, maxItems: body.many, items }
    return { anyOf: [inData(list), list] }
  }
  if (body.type === undefined) return body.schema
  return { anyOf: [inData(envelope(body.type, withoutType(body.schema))), body.schema] }
}

/** Returns example bodies, by their form. */
export function bodyExamples(body: BodyDescription): Record<string, unknown> {
  const type = 'of' in body ? body.of.type : body.type
  const example = 'of' in body ? (body.example ?? exampleOf(body)) : body.example
  if (example === undefined) return {}
  if (type === undefined) return { plain: example }
  const enveloped = (attributes: unknown) => ({ type, attributes })
  if (!('of' in body) || body.many === undefined)
    return { enveloped: { data: enveloped(example) }, bare: example }
  const items = [example].flat()
  return { enveloped: { data: items.map(enveloped) }, bare: items }
}

/** Returns the example of the resource; for a partial body only its first member. */
function exampleOf({ of, partial, many }: OfResource): Record<string, unknown> | undefined {
  if (!of.example) return undefined
  const said = Object.entries(of.example).filter(([name]) => !many || !of.batch?.without.includes(name))
  return Object.fromEntries(partial ? said.slice(0, 1) : said)
}

/** In an envelope the type is beside the attributes, so it is not required in them. */
function withoutType({ required = [], ...schema }: JsonSchema): JsonSchema {
  return { ...schema, required: (required as string[]).filter((name) => name !== 'type') }
}

function inData(data: JsonSchema): JsonSchema {
  return { type: 'object', properties: { data }, required: ['data'] }
}

function envelope(type: string, attributes: JsonSchema): JsonSchema {
  return {
    type: 'object',
    properties: {
      type: { const: type },
      attributes,
      relationships: { type: 'object', description: 'May hold the references instead of the attributes.' },
    },
    required: ['type', 'attributes'],
  }
}

function attributesSchema(
  drawing: Drawing,
  { of, partial, many, extra, inside = {} }: OfResource,
): JsonSchema {
  const kind = many ? 'InBatch' : partial ? 'Patch' : 'Input'
  return drawing.components.share('schemas', `${pascal(of.type)}${kind}`, () => {
    const schema = partial ? partialSchema(of.fields) : objectSchema(of.fields, many ? of.batch?.without : [])
    const lists = Object.entries(inside).map(([name, child]) => {
      const items = attributesSchema(drawing, { of: child })
      return [name, { type: ['array', 'null'], maxItems: 100, items }]
    })
    return {
      ...schema,
      properties: { ...ignored, ...writable(of, schema, partial), ...Object.fromEntries(lists), ...extra },
    }
  })
}

/**
 * Returns the properties of a body's schema with their notes. Read-only fields are marked as such. Fields
 * that are hidden and read-only are left out.
 */
function writable(
  { fields }: Resource,
  { properties }: JsonSchema,
  partial: true | undefined,
): Record<string, JsonSchema> {
  const known = Object.entries(properties as Record<string, JsonSchema>).filter(([name]) => {
    const { hidden, readOnly } = fields[name]!.options
    return !(hidden && readOnly)
  })
  const described = known.map(([name, schema]) => {
    const field = fields[name]!
    const { note, default: otherwise } = field.options
    if (isReadOnly(field.options)) return [name, { ...shownSchema(field), readOnly: true }]
    return [
      name,
      {
        ...(note ? withNote(schema, note) : schema),
        ...(otherwise !== undefined && !partial && { default: otherwise }),
      },
    ]
  })
  return Object.fromEntries(described)
}

/** The members that a client may send back and that the server ignores. */
const ignored = Object.fromEntries(
  ['id', 'type', ...Object.keys(common)].map((name) => [name, { readOnly: true }]),
)
