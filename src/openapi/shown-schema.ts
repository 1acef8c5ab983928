import { exactly } from '../jsonapi/description.ts'
import { documentShape } from '../jsonapi/document.ts'
import { withNote } from '../jsonapi/schemas/form.ts'
import { uuid } from '../jsonapi/schemas/words.ts'
import type { Field, JsonSchema } from '../resource/field.ts'
import { text } from '../resource/fields.ts'
import type { Resources } from '../resource/path.ts'
import type { Projection } from '../resource/projection.ts'
import { common, type Resource } from '../resource/resource.ts'
import { nullable } from '../resource/schema.ts'
import type { Components, Reference } from './components.ts'
import { pascal } from './names.ts'

/** What is needed to build schemas. */
export interface Drawing {
  resources: Resources
  components: Components
}

/**
 * Returns the schema of a resource object, the value of `data`. It is derived from the projection that the
 * store fills in.
 */
export function resourceSchema(drawing: Drawing, resource: Resource): Reference {
  return drawing.components.share('schemas', pascal(resource.type), () => {
    const schema = wholeSchema(drawing, resource)
    // The `meta` of the day, which only answers to reads contain.
    return resource.moment ? withMember(schema, 'meta', resource.moment.schema) : schema
  })
}

/** Returns the schema of a resource object that a search has found: `about` are members of its `meta` beside those of the day. */
export function foundSchema(
  drawing: Drawing,
  resource: Resource,
  about: Record<string, JsonSchema>,
): Reference {
  return drawing.components.share('schemas', `Found${pascal(resource.type)}`, () => {
    const ofDay = (resource.moment?.schema.properties ?? {}) as Record<string, JsonSchema>
    return withMember(wholeSchema(drawing, resource), 'meta', exactly({ ...ofDay, ...about }))
  })
}

function wholeSchema(drawing: Drawing, resource: Resource): JsonSchema {
  const target = (type: string) => drawing.resources.get(type)!
  return schemaOf(
    drawing,
    resource,
    documentShape(resource, target, undefined, () => true),
  )
}

function withMember(schema: JsonSchema, name: string, member: JsonSchema): JsonSchema {
  return { ...schema, properties: { ...(schema.properties as object), [name]: member } }
}

function schemaOf(drawing: Drawing, resource: Resource, shape: Projection): JsonSchema {
  switch (shape.is) {
    case 'literal':
      return { const: shape.value }
    case 'object':
      return exactly(
        Object.fromEntries(
          Object.entries(shape.members).map(([name, member]) => [name, schemaOf(drawing, resource, member)]),
        ),
        Object.entries(shape.members).flatMap(([name, member]) =>
          needsScope(resource, member) ? [name] : [],
        ),
      )
    case 'id':
      return uuid
    case 'path':
      return { type: 'string', format: 'uri-reference' }
    case 'field':
      return fieldSchema(resource, shape.name)
    case 'one': {
      const { to = '', options } = resource.fields[shape.field]!
      const one = related(drawing, to, shape.of)
      return options.required ? one : nullable(one)
    }
    case 'many': {
      const { type } = resource.children[shape.relationship]!
      return { type: 'array', items: related(drawing, type, shape.of) }
    }
    case 'listed': {
      const { to = '' } = resource.fields[shape.field]!.members![shape.member]!
      return { type: 'array', items: related(drawing, to, shape.of) }
    }
  }
}

/** Whether the field is shown only to callers with a certain scope. */
function needsScope({ fields }: Resource, shape: Projection): boolean {
  return shape.is === 'field' && fields[shape.name]?.options.scope !== undefined
}

/** Returns the schema of another resource: of its identifier, or of its document inside the attributes. */
function related(drawing: Drawing, type: string, of: Projection): Reference {
  const isName = of.is === 'object' && 'type' in of.members
  return drawing.components.share('schemas', `${pascal(type)}${isName ? 'Identifier' : 'Inside'}`, () =>
    schemaOf(drawing, drawing.resources.get(type)!, of),
  )
}

function fieldSchema(resource: Resource, name: string): JsonSchema {
  const own = resource.fields[name]
  if (!own) return shownValue(common[name as keyof typeof common])
  const example = resource.example?.[name]
  const isPlain = example !== undefined && typeof example !== 'object'
  return { ...shownSchema(own), ...(isPlain && { examples: [example] }) }
}

/**
 * Returns the schema of a field in a document. It may be null unless the field is required, has a default or
 * is a list of parts.
 */
export function shownSchema(field: Field): JsonSchema {
  const { kind, options } = field
  const isAlways = options.required || options.default !== undefined || kind === 'parts'
  const schema = isAlways ? shownValue(field) : nullable(shownValue(field))
  return options.note === undefined ? schema : withNote(schema, options.note)
}

function shownValue({ kind, shown, schema, only, members = {} }: Field): JsonSchema {
  if (shown === 'sealed') return exactly({ set: { const: true } })
  if (kind !== 'parts') return withoutAnyText(schema)
  const shownMembers = Object.entries(members).map(([name, member]) => [name, shownSchema(member)])
  const item = members[only ?? '']
  return { type: 'array', items: item ? shownSchema(item) : exactly(Object.fromEntries(shownMembers)) }
}

const anyText = [text(), text({ multiline: true })].map(({ schema }) => schema.pattern)

/** A pattern that only excludes control characters matters to writers, not to readers. */
function withoutAnyText({ pattern, ...schema }: JsonSchema): JsonSchema {
  return pattern === undefined || anyText.includes(pattern) ? schema : { ...schema, pattern }
}
