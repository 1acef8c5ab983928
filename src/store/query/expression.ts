import type { Field } from '../../resource/field.ts'
import { computedSql, type Resources, targetOf } from '../../resource/path.ts'
import { uuidText } from '../../resource/uuid-sql.ts'

/**
 * Returns the SQL that yields a field's value as JSON shows it. `row` is the name or alias of the table that
 * the SQL reads.
 */
export function shownAs(resources: Resources, row: string, name: string, field: Field): string {
  if (field.kind === 'parts') return partsOf(resources, row, field)
  return shownValue(resources, held(resources, row, name, field), field)
}

/** Returns the SQL that converts a column's value to the value that JSON shows. */
export function shownValue(resources: Resources, value: string, field: Field): string {
  switch (field.shown) {
    case 'plain':
      return value
    case 'flag':
      return `json(CASE ${value} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END)`
    case 'json':
      return `json(${value})`
    case 'instant':
      return instantText(value)
    case 'decimal':
      return `${value} / 10000.0`
    case 'reference':
      return `(SELECT ${uuidText('target.id')} FROM ${targetOf(resources, field).table} AS target WHERE target.rid = ${value})`
    case 'sealed':
      return `json(CASE WHEN ${value} IS NOT NULL THEN '{"set":true}' END)`
  }
}

/** Returns the SQL of a column, or of the expression of a computed field. */
export function held(resources: Resources, row: string, name: string, { options }: Field): string {
  const computed = computedSql(resources, options)
  return computed ? `(${computed})` : `${row}.${name}`
}

/**
 * Like `shownAs`, but instants stay numbers and sealed texts stay sealed. Commands read rows in this form.
 */
export function keptAs(resources: Resources, row: string, name: string, field: Field): string {
  const raw = field.shown === 'instant' || field.shown === 'sealed'
  return raw && !field.options.computed ? `${row}.${name}` : shownAs(resources, row, name, field)
}

function partsOf(resources: Resources, row: string, field: Field): string {
  const { table = '', only } = field
  const members = Object.entries(field.members ?? {}).map(
    ([name, member]) => [name, shownAs(resources, table, name, member)] as const,
  )
  const item = only
    ? members.find(([name]) => name === only)?.[1]
    : `json_object(${members.map(([name, value]) => `'${name}', ${value}`).join(', ')})`
  // SQLite treats the result of a subquery as text, so json() marks it as JSON again.
  return `json((SELECT json_group_array(${item} ORDER BY ${table}.position) FROM ${table} WHERE ${table}.owner = ${row}.rid))`
}

function instantText(column: string): string {
  return `(strftime('%Y-%m-%dT%H:%M:%S', ${column} / 1000, 'unixepoch') || printf('.%03dZ', ${column} % 1000))`
}
