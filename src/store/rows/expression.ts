import type { Field } from '../../resource/field.ts'
import { instantText } from '../../resource/instant-sql.ts'
import { computedSql, type Resources, targetOf } from '../../resource/path.ts'
import { uuidText } from '../../resource/uuid-sql.ts'
import { filled, idText, slot, type Template } from './template.ts'

/**
 * Returns the template of a field's value as JSON shows it. `row` is the name or alias of the table that the SQL
 * reads.
 */
export function shownAs(resources: Resources, row: string, name: string, field: Field): Template {
  if (field.kind === 'parts') return partsOf(resources, row, field)
  if (field.to) return referenceOf(resources, held(resources, row, name, field), field)
  const value = shownValue(resources, held(resources, row, name, field), field)
  switch (field.shown) {
    case 'plain':
    case 'decimal':
      return slot(`json_quote(${value})`)
    case 'instant':
      return slot(`coalesce('"' || ${value} || '"', 'null')`)
    default:
      return slot(`coalesce(${value}, 'null')`)
  }
}

function referenceOf(resources: Resources, value: string, field: Field): Template {
  const { table } = targetOf(resources, field)
  const id = filled(`"${idText('target.id')}"`)
  return slot(`coalesce((SELECT ${id} FROM ${table} AS target WHERE target.rid = ${value}), 'null')`)
}

/** Returns the SQL that converts a column's value to the text that JSON shows, without quotation marks. */
export function shownValue(resources: Resources, value: string, field: Field): string {
  switch (field.shown) {
    case 'plain':
    case 'json':
      return value
    case 'flag':
      return `CASE ${value} WHEN 1 THEN 'true' WHEN 0 THEN 'false' END`
    case 'instant':
      return instantText(value)
    case 'decimal':
      return `${value} / 10000.0`
    case 'reference':
      return `(SELECT ${uuidText('target.id')} FROM ${targetOf(resources, field).table} AS target WHERE target.rid = ${value})`
    case 'sealed':
      return `CASE WHEN ${value} IS NOT NULL THEN '{"set":true}' END`
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
export function keptAs(resources: Resources, row: string, name: string, field: Field): Template {
  const raw = field.shown === 'instant' || field.shown === 'sealed'
  return raw && !field.options.computed
    ? slot(`json_quote(${row}.${name})`)
    : shownAs(resources, row, name, field)
}

function partsOf(resources: Resources, row: string, field: Field): Template {
  const { table = '', only } = field
  const members = Object.entries(field.members ?? {}).map(
    ([name, member]) => [name, shownAs(resources, table, name, member)] as const,
  )
  const item = only
    ? members.find(([name]) => name === only)![1]
    : `{${members.map(([name, value]) => `"${name}":${value}`).join()}}`
  return listed(item, `${table} WHERE ${table}.owner = ${row}.rid`)
}

/**
 * Returns the template of a list, with an item for each row of `from`. The items are in the order in which SQLite reads
 * the rows, which is that of an index: sorting lists of one or two items would take a tenth of the time of a document.
 * A test proves the order.
 */
export function listed(item: Template, from: string): Template {
  return `[${slot(`(SELECT group_concat(${filled(item)}) FROM ${from})`)}]`
}
