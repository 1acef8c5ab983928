import type { Resources } from '../../resource/path.ts'
import type { Query } from '../../resource/query.ts'
import type { Resource } from '../../resource/resource.ts'
import { type Condition, comparison, fold, type Test, testsOf } from './filter.ts'
import { firstOf, trigramsOf } from './search-index.ts'
import { backFrom, type Trail, trailOf } from './trail.ts'

/**
 * A source of candidate rows for some filters of a query. It yields every row that matches them; it may yield
 * a row twice, and rows that do not match.
 */
export interface Source {
  /** The SQL that yields the row numbers. */
  rows: Condition
  /**
   * The SQL that yields one line for each indexed value that leads to candidates. Counting these lines
   * estimates the candidates.
   */
  values: Condition
}

/** Sources that use an ordinary index, and sources that use the full-text index. */
export interface Sources {
  indexed: Source[]
  searched: Source[]
}

/**
 * Returns the sources of a query: the filters that an index can answer. Filters with the same path apply to
 * the same value.
 */
export function sourcesOf(resources: Resources, resource: Resource, { filters }: Query): Sources {
  const found: Sources = { indexed: [], searched: [] }
  for (const same of Map.groupBy(filters, ({ path }) => path).values()) {
    const tests = testsOf(resources, resource, same)
    const trail = trailOf(resource, tests[0]!.path)
    if (!trail) continue
    const indexed = byIndex(resources, trail, tests)
    const searched = indexed ? null : bySearch(trail, tests)
    if (indexed) found.indexed.push(indexed)
    if (searched) found.searched.push(searched)
  }
  return found
}

const indexable = new Set(['eq', 'in', 'lt', 'lte', 'gt', 'gte'])

function byIndex(resources: Resources, trail: Trail, tests: Test[]): Source | null {
  const { index, from, rid } = trail
  if (!index) return byIndexOfAWord(trail, tests)
  const conditions = tests.flatMap((test) => {
    if (!indexable.has(test.operator)) return []
    if (!index.converted) return [comparison(resources, `s.${index.name}`, test)]
    const value = test.operator === 'eq' ? index.converted(String(test.value)) : undefined
    return value === undefined ? [] : [{ sql: `s.${index.name} = ?`, values: [value] }]
  })
  return conditions.length === 0 ? null : sourceFrom(trail, from, rid, all(conditions))
}

/**
 * A partial index for one word, such as `status = 'due'`: SQLite uses it only when the SQL contains the word
 * as a literal.
 */
function byIndexOfAWord(trail: Trail, tests: Test[]): Source | null {
  const { resource, from, rid, column } = trail
  for (const { operator, value: word } of tests) {
    const only = `${column} = '${word}'`
    const isDeclared = resource.indexes.some(({ where }) => where === only)
    if (operator === 'eq' && isDeclared) return sourceFrom(trail, from, rid, { sql: `s.${only}`, values: [] })
  }
  return null
}

function bySearch(trail: Trail, tests: Test[]): Source | null {
  const number = trail.field?.options.search
  if (number === undefined) return null
  const { like } = trail.field?.options ?? {}
  const parts = tests
    .filter(({ operator }) => operator === 'like' || operator === 'eq')
    .flatMap(({ value }) => like?.parts(String(value)) ?? [{ texts: [fold(String(value))] }])
    .flatMap((part) => (part.isAsWritten ? [] : [part.texts]))
  const match = matchOf(parts)
  if (match === null) return null
  const [first, end] = [firstOf(number), firstOf(number + 1)]
  const contains = parts
    .map((texts) => ` AND (${texts.map(() => 'instr(text, ?) > 0').join(' OR ')})`)
    .join('')
  const from = `(
    SELECT rowid - ${first} AS rid FROM search WHERE search MATCH ? AND rowid > ${first} AND rowid < ${end}
    UNION ALL
    SELECT place - ${first} FROM search_pending WHERE place > ${first} AND place < ${end} AND NOT gone${contains}
  ) AS s`
  const values = [match, ...parts.flat()]
  return sourceFrom(trail, from, 's.rid', { sql: 'TRUE', values })
}

/** So many forms are looked for in the index, which reads its list for each: 96 of them took the main thread half a second. */
const mostForms = 8

/**
 * The FTS5 query for the parts, each in one of its forms. A part of which a form is too short for the index says nothing, nor do
 * those with the most forms where there are too many; a query of which no part says anything is left to a scan.
 */
function matchOf(parts: readonly (readonly string[])[]): string | null {
  const groups: string[] = []
  let forms = 0
  for (const texts of parts.toSorted((one, other) => one.length - other.length)) {
    const grams = texts.map(trigramsOf)
    if (grams.includes(null)) continue
    forms += texts.length > 1 ? texts.length : 0
    if (forms > mostForms) break
    groups.push(`(${grams.map((each) => `(${each})`).join(' OR ')})`)
  }
  return groups.length === 0 ? null : groups.join(' AND ')
}

function sourceFrom(trail: Trail, from: string, rid: string, condition: Condition): Source {
  const { sql, values } = condition
  return {
    rows: backFrom(trail, from, rid, condition),
    values: { sql: `SELECT 1 FROM ${from} WHERE ${sql}`, values },
  }
}

function all(conditions: Condition[]): Condition {
  return {
    sql: conditions.map(({ sql }) => sql).join(' AND '),
    values: conditions.flatMap(({ values }) => values),
  }
}
