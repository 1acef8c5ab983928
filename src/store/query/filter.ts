import type { Field, Likeness, Stored } from '../../resource/field.ts'
import { type Path, type PathStep, type Resources, resolvePath, targetOf } from '../../resource/path.ts'
import type { Filter } from '../../resource/query.ts'
import type { Resource } from '../../resource/resource.ts'
import { uuidText } from '../../resource/uuid-sql.ts'
import { shownValue } from '../rows/expression.ts'
import { toBlob } from '../uuid.ts'

export interface Condition {
  sql: string
  values: (Stored | Buffer)[]
}

/** A filter with its path resolved. */
export interface Test {
  path: Path
  operator: Filter['operator']
  value: Stored
}

/**
 * Returns the conditions of a query. Filters that share a relationship apply to the same related row:
 * `stays.startDate` and `stays.status` must both match one stay. With `judging`, the candidate rows are
 * already known, and SQLite tests each of them; it uses indexes only to reach related rows.
 */
export function conditionsOf(
  resources: Resources,
  { table }: Resource,
  tests: Test[],
  { judging }: { judging: boolean },
): Condition[] {
  return within(resources, { row: table, table, isPart: false, depth: 0, member: null, judging }, tests)
}

/** Resolves the paths of a query's filters. */
export function testsOf(resources: Resources, resource: Resource, filters: Filter[]): Test[] {
  return filters.map(({ path, operator, value }) => {
    const resolved = resolvePath(resources, resource, path)
    if (!resolved) throw new RangeError(`${resource.type} has no ${path}`)
    return { path: resolved, operator, value }
  })
}

/** The context in which a name is resolved: a row of a table, or a JSON value inside a row. */
interface Scope {
  row: string
  /**
   * The table of the row, empty for an item of a JSON list; `isPart` says whether the table contains parts.
   */
  table: string
  isPart: boolean
  depth: number
  /** The SQL of the JSON value that contains the members; null when the row itself contains them. */
  member: string | null
  judging: boolean
}

function within(resources: Resources, place: Scope, tests: Test[]): Condition[] {
  const here = tests.filter(({ path }) => path.steps.length === 0)
  const further = Map.groupBy(
    tests.filter(({ path }) => path.steps.length > 0),
    ({ path }) => JSON.stringify(path.steps[0], (key, value) => (key === 'resource' ? undefined : value)),
  )
  return [
    ...here.map((test) => comparison(resources, columnOf(place, test.path), test)),
    ...[...further.values()].flatMap((group) => through(resources, place, group)),
  ]
}

function through(resources: Resources, place: Scope, group: Test[]): Condition[] {
  const step = group[0]!.path.steps[0]!
  const rest = group.map((test) => ({ ...test, path: { ...test.path, steps: test.path.steps.slice(1) } }))
  if (step.via === 'object') {
    return within(resources, { ...place, member: jsonAt(place, step.field) }, rest)
  }
  const row = `t${place.depth + 1}`
  const there = {
    ...place,
    row,
    table: tableOfStep(step),
    isPart: step.via === 'parts',
    depth: place.depth + 1,
    member: step.via === 'list' ? `${row}.value` : null,
  }
  const inner = within(resources, there, rest)
  return [related(step, place, row, inner, rest)]
}

function tableOfStep(step: PathStep): string {
  if (step.via === 'parts') return step.table
  return 'resource' in step ? step.resource.table : ''
}

/**
 * An equality matches few rows, so the related table is searched first (IN). Any other operator is tested for
 * each row (EXISTS). `isnull` also matches a row without related rows.
 */
function related(step: PathStep, place: Scope, row: string, inner: Condition[], rest: Test[]): Condition {
  const sql = inner.map((each) => each.sql).join(' AND ')
  const values = inner.flatMap((each) => each.values)
  const { from, theirs, ours } = joined(step, place, row)
  const leads = !place.judging && theirs !== null && rest.some(({ operator }) => operator === 'eq')
  const on = theirs === null ? 'TRUE' : `${theirs} = ${ours}`
  const found = leads
    ? `${ours} IN (SELECT ${theirs} FROM ${from} WHERE ${sql})`
    : `EXISTS (SELECT 1 FROM ${from} WHERE ${on} AND ${sql})`
  const holdsOfNothing = rest.every(({ operator }) => operator === 'isnull')
  return {
    sql: holdsOfNothing ? `(${found} OR NOT EXISTS (SELECT 1 FROM ${from} WHERE ${on}))` : found,
    values,
  }
}

/**
 * Returns the related table, aliased `row`, and the two columns of the join; items of a JSON list have no
 * such columns.
 */
function joined(
  step: PathStep,
  place: Scope,
  row: string,
): { from: string; theirs: string | null; ours: string } {
  const table = (name: string, theirs: string, ours: string) => ({
    from: `${name} AS ${row}`,
    theirs: `${row}.${theirs}`,
    ours,
  })
  switch (step.via) {
    case 'reference':
      return table(
        step.resource.table,
        'rid',
        step.computed ? computedAt(place, step.computed) : `${place.row}.${step.field}`,
      )
    case 'children':
      return table(step.resource.table, step.by, `${place.row}.rid`)
    case 'parts':
      return table(step.table, 'owner', `${place.row}.rid`)
    default:
      return { from: `json_each(${jsonAt(place, step.field)}) AS ${row}`, theirs: null, ours: '' }
  }
}

function jsonAt({ row, member }: Scope, name: string): string {
  return member === null ? `${row}.${name}` : `json_extract(${member}, '$.${name}')`
}

function columnOf(place: Scope, { name, field, computed }: Path): string {
  if (name === '') return place.member ?? place.row
  if (place.member !== null) return `json_extract(${place.member}, '$.${name}')`
  if (computed) return computedAt(place, computed)
  // The unary plus keeps SQLite from using an index for this column.
  const plus = place.judging && place.depth > 0 ? '+' : ''
  return `${plus}${place.row}.${field === null ? 'id' : name}`
}

/**
 * The SQL of a computed field names its table by the table's own name. When the row has an alias, a subquery
 * by primary key reads the value.
 */
function computedAt({ row, table, isPart }: Scope, sql: string): string {
  if (row === table) return `(${sql})`
  const key = isPart ? ['owner', 'position'] : ['rid']
  const same = key.map((column) => `${table}.${column} = ${row}.${column}`).join(' AND ')
  return `(SELECT (${sql}) FROM ${table} WHERE ${same})`
}

const comparisons: Record<Exclude<Test['operator'], 'in' | 'like' | 'isnull' | 'notnull'>, string> = {
  eq: '=',
  ne: 'IS NOT',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
}

/** Returns the condition that compares `column` with the value of a test. */
export function comparison(
  resources: Resources,
  column: string,
  { path: { field }, operator, value }: Test,
): Condition {
  if (operator === 'isnull') return { sql: `${column} IS NULL`, values: [] }
  if (operator === 'notnull') return { sql: `${column} IS NOT NULL`, values: [] }
  if (operator === 'in') {
    if (field === null || field.shown === 'reference') throw new RangeError(`in: ${column} is an id`)
    return { sql: `${column} IN (SELECT value FROM json_each(?))`, values: [value] }
  }
  if (operator === 'like') return contains(resources, column, field, String(value))
  const sign = comparisons[operator]
  if (field === null) return { sql: `${column} ${sign} ?`, values: [toBlob(String(value))] }
  if (field.shown === 'reference') {
    const found = `(SELECT rid FROM ${targetOf(resources, field).table} WHERE id = ?)`
    // An unknown id differs from every row, and also from a row without a reference: -1 is no row number.
    const target = operator === 'ne' ? `coalesce(${found}, -1)` : found
    return { sql: `${column} ${sign} ${target}`, values: [toBlob(String(value))] }
  }
  return { sql: `${column} ${sign} ?`, values: [value] }
}

/**
 * LIKE in SQLite ignores the case of ASCII letters only. For any other text, LIKE preselects by its ASCII
 * part and `fold` compares the whole.
 */
function contains(resources: Resources, column: string, field: Field | null, text: string): Condition {
  const shown = shownText(resources, column, field)
  if (field?.options.like) return containsParts(field.options.like, shown, text)
  if (isPlain(text)) return like(shown, text)
  const plain = like(shown, longestPlain(text))
  return {
    sql: `(${plain.sql} AND instr(fold(${shown}), ?) > 0)`,
    values: [...plain.values, fold(text)],
  }
}

/** The condition that a searched text contains all parts of the value, each in one of its forms. */
function containsParts(likeness: Likeness, shown: string, text: string): Condition {
  const parts = likeness.parts(text)
  const found = parts.map(({ texts, isAsWritten }) => {
    const searched = isAsWritten ? likeness.asWritten!(shown) : likeness.sql(shown)
    return `(${texts.map(() => `instr(${searched}, ?) > 0`).join(' OR ')})`
  })
  return {
    sql: parts.length === 0 ? 'FALSE' : `(${found.join(' AND ')})`,
    values: parts.flatMap(({ texts }) => texts),
  }
}

/** Whether LIKE in SQLite compares this text without regard to case. */
function isPlain(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text)
}

function like(shown: string, text: string): Condition {
  return { sql: `${shown} LIKE ? ESCAPE '\\'`, values: [`%${text.replace(/[\\%_]/g, '\\$&')}%`] }
}

/**
 * Returns the longest run of ASCII letters and digits, which LIKE can search. The run leaves out i and k,
 * because letters outside ASCII fold into them: İ into i, the Kelvin sign into k.
 */
function longestPlain(text: string): string {
  const runs = text.normalize('NFC').match(/[a-hjl-z0-9]+/gi) ?? ['']
  return runs.reduce((longest, run) => (run.length > longest.length ? run : longest))
}

/** Returns the SQL of the text to search: an id, an item of a text list, or a field's value. */
function shownText(resources: Resources, column: string, field: Field | null): string {
  if (field === null) return uuidText(column)
  return field.kind === 'list' ? column : shownValue(resources, column, field)
}

/**
 * Folds text to lower case in every script. It is registered as an SQL function on every connection. The
 * search index contains folded texts, so a change of this function needs a migration that refills the index.
 */
export function fold(text: string): string {
  return text.normalize('NFC').toLowerCase().replaceAll('ς', 'σ')
}
