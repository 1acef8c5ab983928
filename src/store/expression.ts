import type { Field } from '../resource/fields.ts'
import type { Resources } from '../resource/path.ts'
import type { Resource } from '../resource/resource.ts'
import { textOf } from './uuid.ts'

/** SQL that yields a field's value as it stands in JSON; `row` is the name of the table or alias it is read from. */
export function shownAs(resources: Resources, row: string, name: string, field: Field): string {
  if (field.kind === 'parts') return partsOf(resources, row, field)
  return shownValue(resources, held(row, name, field), field)
}

/** SQL that turns what a column holds into what is shown of it. */
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
      return `(SELECT ${textOf('target.id')} FROM ${tableOf(resources, field)} AS target WHERE target.rid = ${value})`
    case 'sealed':
      return `json(CASE WHEN ${value} IS NOT NULL THEN '{"set":true}' END)`
  }
}

/** SQL for what a column holds, or for what stands in its place. */
export function held(row: string, name: string, { options }: Field): string {
  return options.computed ? `(${options.computed})` : `${row}.${name}`
}

/** As `shownAs`, but instants stay numbers and sealed texts stay sealed: what a change gets to see. */
export function keptAs(resources: Resources, row: string, name: string, field: Field): string {
  const raw = field.shown === 'instant' || field.shown === 'sealed'
  return raw && !field.options.computed ? `${row}.${name}` : shownAs(resources, row, name, field)
}

export function tableOf(resources: Resources, field: Field): string {
  return targetOf(resources, field).table
}

export function targetOf(resources: Resources, field: Field): Resource {
  const target = resources.get(field.to ?? '')
  if (!target) throw new RangeError(`a field points at ${field.to}, which is not a resource`)
  return target
}

function partsOf(resources: Resources, row: string, field: Field): string {
  const { table = '', only } = field
  const members = Object.entries(field.members ?? {}).map(
    ([name, member]) => [name, shownAs(resources, table, name, member)] as const,
  )
  const item = only
    ? members.find(([name]) => name === only)?.[1]
    : `json_object(${members.map(([name, value]) => `'${name}', ${value}`).join(', ')})`
  // A subquery's result is text again, so it is said once more that it is JSON.
  return `json((SELECT json_group_array(${item} ORDER BY ${table}.position) FROM ${table} WHERE ${table}.owner = ${row}.rid))`
}

function instantText(column: string): string {
  return `(strftime('%Y-%m-%dT%H:%M:%S', ${column} / 1000, 'unixepoch') || printf('.%03dZ', ${column} % 1000))`
}
