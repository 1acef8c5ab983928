import type { JsonSchema } from '../resource/field.ts'
import { isReadOnly } from '../resource/fields.ts'
import { nullable } from '../resource/schema.ts'
import type { Section } from './sections.ts'

const schemas = new Map<string, { whole: JsonSchema; partial: JsonSchema }>()
/** The name of an item of another section. */
const name: JsonSchema = { type: 'string', minLength: 1, maxLength: 60 }

/**
 * Returns the JSON Schema of an item of a section: the fields that its resource takes, with the names of the document for those
 * that refer to another item. A new item has all required fields, one that is found among the stored rows has some of them.
 */
export function itemSchema(section: Section, isNew: boolean): JsonSchema {
  const { whole, partial } = schemas.getOrInsertComputed(section.name, () => schemasOf(section))
  return isNew ? whole : partial
}

function schemasOf(section: Section): { whole: JsonSchema; partial: JsonSchema } {
  const names = memberNames(section)
  const fields = Object.entries(section.resource.fields).filter(([, { options }]) => !isReadOnly(options))
  const properties: Record<string, JsonSchema> = Object.fromEntries(
    fields.map(([field, { schema, options }]) => {
      const member = names.get(field)
      const own = member ? name : schema
      return [member ?? field, options.required ? own : nullable(own)]
    }),
  )
  if (section.name === 'lockSystems') properties.mapUnits = { type: 'string' }
  if (section.name === 'keyServices')
    properties.encoders = nullable(withMember(properties.encoders!, 'encoder'))
  const partial: JsonSchema = { type: 'object', additionalProperties: false, properties, required: [] }
  const required = fields.filter(([, { options }]) => options.required)
  return {
    partial,
    whole: { ...partial, required: required.map(([field]) => names.get(field) ?? field) },
  }
}

/** The members of a document that stand for a field with the id of another item, by the name of that field. */
export function memberNames({ name: section, references }: Section): Map<string, string> {
  // Each encoder of a key service has it, and not the service.
  if (section === 'keyServices') return new Map([['controllerId', 'encoder']])
  return new Map(Object.entries(references).map(([member, { field }]) => [field, member]))
}

/** The schema of the encoders of a key service, which a document names. */
function withMember(schema: JsonSchema, member: string): JsonSchema {
  const list = structuredClone(schema) as {
    items: { properties: Record<string, JsonSchema>; required: string[] }
  }
  const { controllerId: _, ...others } = list.items.properties
  list.items.properties = { ...others, [member]: name }
  list.items.required = list.items.required.map((each) => (each === 'controllerId' ? member : each))
  return { ...list, type: 'array' }
}
