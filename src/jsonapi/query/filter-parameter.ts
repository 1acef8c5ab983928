import type { Field, Stored } from '../../resource/field.ts'
import { uuidPattern } from '../../resource/fields.ts'
import { type Path, type Resources, resolvePath } from '../../resource/path.ts'
import { Problem } from '../../resource/problem.ts'
import { type Filter, type Operator, operators } from '../../resource/query.ts'
import { common, type Resource } from '../../resource/resource.ts'

/** A filter, with the scopes for reading the resources on its path. */
interface ReadFilter {
  filter: Filter
  scopes: string[]
}

/**
 * Reads `filter[path][operator]=text` and checks it against the resource. Throws a 400 that lists the allowed
 * values.
 */
export function readFilter(
  resources: Resources,
  resource: Resource,
  parameter: string,
  { path, operator, text }: { path: string; operator: string; text: string },
): ReadFilter {
  const found = resolvePath(resources, resource, path)
  if (!found || !isFilterable(found)) {
    throw new Problem('invalid-filter-field', `${path} cannot be filtered.`, {
      parameter,
      meta: { allowed: filterableNames(resource), supportedOperators: operators },
    })
  }
  if (!isOperator(operator)) {
    const detail = `Unknown operator ${operator}; supported: ${operators.join(', ')}.`
    throw new Problem('invalid-filter-operator', detail, {
      parameter,
      meta: { supportedOperators: operators },
    })
  }
  const value = valueFor(operator, found.field, text, parameter)
  return { filter: { path, operator, value }, scopes: scopesAlong(found) }
}

function valueFor(operator: Operator, field: Field | null, text: string, parameter: string): Stored {
  if (operator === 'isnull' || operator === 'notnull') return null
  if (operator === 'like') return text
  return readValue(field, text, parameter)
}

/**
 * Filtering needs the scope for reading. Without it, a caller could guess a hidden value letter by letter.
 */
function scopesAlong({ steps, field }: Path): string[] {
  const along = steps.flatMap((step) => ('resource' in step ? [step.resource.scopes.read] : []))
  return field?.options.scope === undefined ? along : [...along, field.options.scope]
}

function isOperator(word: string): word is Operator {
  return (operators as readonly string[]).includes(word)
}

/** A reference is filtered by its id; an object only by its members. */
function isFilterable({ name, field }: Path): boolean {
  if (field === null) return true
  if (field.options.filterable === false || isInternal(field)) return false
  return field.kind === 'scalar' || name === ''
}

/**
 * A field that is neither shown nor writable is internal. A hidden field that a body can set may be filtered.
 */
function isInternal({ options }: Field): boolean {
  return options.hidden === true && options.readOnly === true
}

/** Reads the value of a field, or an id when there is no field. */
function readValue(field: Field | null, text: string, parameter: string): Stored {
  const form = field?.form ?? 'id (UUID)'
  const value = field ? field.read(text) : uuidPattern.test(text) ? text : undefined
  if (value !== undefined) return value
  throw new Problem('invalid-filter-value', `${parameter}: expected ${form}.`, {
    parameter,
    meta: { expected: form },
  })
}

/**
 * Returns everything in the resource itself that can be filtered, with its field (null for the id); members
 * stand for objects and parts. Paths through relationships are not listed.
 */
export function filterableFields(resource: Resource): [name: string, field: Field | null][] {
  const fields = Object.entries({ ...resource.fields, ...common }).filter(
    ([, field]) => field.options.filterable !== false && !isInternal(field),
  )
  return [['id', null], ...fields.flatMap(([name, field]) => fieldsIn(name, field))]
}

function fieldsIn(name: string, field: Field): [name: string, field: Field][] {
  const { members, only } = field
  if (!members || only) return [[name, members?.[only ?? ''] ?? field]]
  return Object.entries(members).map(([member, inside]) => [`${name}.${member}`, inside])
}

function filterableNames(resource: Resource): string[] {
  return filterableFields(resource).map(([name]) => name)
}
