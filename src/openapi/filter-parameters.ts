import { filterableFields } from '../jsonapi/query/filter-parameter.ts'
import type { Field, JsonSchema } from '../resource/field.ts'
import { type Operator, operators } from '../resource/query.ts'
import type { Resource } from '../resource/resource.ts'
import type { Components, Reference } from './components.ts'

/**
 * Returns one parameter for each field of a resource: `filter[name]` with the operators as its properties,
 * sent as `filter[name][like]=…`.
 */
export function filterParameters(components: Components, resource: Resource): JsonSchema[] {
  return filterableFields(resource).map(([name, field]) => ({
    name: `filter[${name}]`,
    in: 'query',
    description: [
      `Filter with an operator; the value is ${field?.form ?? 'id (UUID)'}.`,
      field?.options.filterNote ?? [],
    ]
      .flat()
      .join(' '),
    style: 'deepObject',
    explode: true,
    schema: operatorsOf(components, field),
    example: {},
  }))
}

function operatorsOf(components: Components, field: Field | null): JsonSchema | Reference {
  const schema = field?.schema ?? { type: 'string', format: 'uuid' }
  const make = () => operatorSchema(schema)
  return 'enum' in schema ? make() : components.share('schemas', `${kindOf(schema, field)}Filter`, make)
}

function kindOf({ type, format }: JsonSchema, field: Field | null): string {
  if (format === 'uuid') return 'Id'
  if (format === 'date') return 'Date'
  if (format === 'date-time') return 'Instant'
  if (type === 'boolean') return 'Flag'
  if (type === 'integer') return 'Integer'
  if (type === 'number') return 'Number'
  return field?.form.startsWith('time ') ? 'Time' : 'Text'
}

function operatorSchema({ type, format, enum: words }: JsonSchema): JsonSchema {
  const value = words
    ? { enum: words }
    : { type: type === 'array' ? 'string' : type, ...(format ? { format } : {}) }
  const byOperator: Partial<Record<Operator, JsonSchema>> = {
    like: { type: 'string', description: 'Contains this text; case is ignored.' },
    isnull: { type: 'string', description: 'Has no value. The parameter value is ignored.' },
    notnull: { type: 'string', description: 'Has a value. The parameter value is ignored.' },
  }
  return {
    type: 'object',
    properties: Object.fromEntries(operators.map((operator) => [operator, byOperator[operator] ?? value])),
    additionalProperties: false,
  }
}
