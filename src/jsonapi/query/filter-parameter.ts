import type { Field, Stored } from '../../resource/field.ts'
import { uuidPattern } from '../../resource/fields.ts'
import { didYouMean } from '../../resource/nearest.ts'
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
 * Returns the names in the brackets of a filter's parameter: `a.b` and `like` of `filter[a.b][like]`. Returns null for
 * any other parameter.
 */
export function namesOfFilter(parameter: string): string[] | null {
  const [, brackets] = /^filter((?:\[[\w.-]+\])+)$/.exec(parameter) ?? []
  return brackets === undefined ? null : brackets.slice(1, -1).split('][')
}

/**
 * Reads a filter and checks it against the resource. `names` are the names in the brackets of the parameter. Brackets
 * and dots are equivalent: `filter[profile][lastName][like]` is `filter[profile.lastName][like]`. Throws a 400 that
 * names the parameter as the client wrote it and lists the allowed values.
 */
export function readFilter(
  resources: Resources,
  resource: Resource,
  parameter: string,
  names: string[],
  text: string,
): ReadFilter {
  const { path, operator } = pathAndOperator(resources, resource, names)
  const found = filterablePath(resources, resource, path)
  if (!found) {
    const allowed = filterableFields(resource).map(([name]) => name)
    throw new Problem('invalid-filter-field', `${parameter.slice(0, 100)} cannot be filtered.`, {
      parameter,
      meta: { allowed, supportedOperators: operators },
      didYouMean: didYouMean(path, allowed),
    })
  }
  if (!isOperator(operator)) {
    const detail = `Unknown operator ${operator}; supported: ${operators.join(', ')}.`
    throw new Problem('invalid-filter-operator', detail, {
      parameter,
      meta: { supportedOperators: operators },
      didYouMean: didYouMean(operator, operators),
    })
  }
  const value = valueFor(operator, found.field, text, parameter)
  return { filter: { path, operator, value }, scopes: scopesAlong(found) }
}

/**
 * The last of several names is the operator, unless it is the name of a field: `filter[reservationIds][searchForm]`.
 * After a path that cannot be filtered it can only be a field.
 */
function pathAndOperator(
  resources: Resources,
  resource: Resource,
  names: string[],
): { path: string; operator: string } {
  const [whole, before, last] = [names.join('.'), names.slice(0, -1).join('.'), names.at(-1) ?? '']
  if (names.length === 1) return { path: whole, operator: 'eq' }
  const isField =
    !isOperator(last) &&
    (filterablePath(resources, resource, whole) || !filterablePath(resources, resource, before))
  return isField ? { path: whole, operator: 'eq' } : { path: before, operator: last }
}

function filterablePath(resources: Resources, resource: Resource, path: string): Path | null {
  const found = resolvePath(resources, resource, path)
  return found && isFilterable(found) ? found : null
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
  const words = wordsOf(field)
  const options = { parameter, meta: { expected: form }, didYouMean: didYouMean(text, words) }
  if (words.length > 0)
    throw new Problem('invalid-filter-value', `${parameter}: expected one of ${words.join(', ')}.`, options)
  throw new Problem('invalid-filter-value', `${parameter}: expected ${form}.`, options)
}

/** The words of a closed set; empty for any other field. */
function wordsOf(field: Field | null): string[] {
  const { enum: words = [] } = (field?.schema ?? {}) as { enum?: unknown[] }
  return words.filter((word) => typeof word === 'string')
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
