import type { Resources } from '../resource/path.ts'
import type { Query } from '../resource/query.ts'
import type { Resource } from '../resource/resource.ts'
import type { Columns } from './columns.ts'
import { type Condition, comparison, fold, type Test, testsOf } from './filter.ts'
import { firstOf, gramsOf } from './search-index.ts'
import { backFrom, type Trail, trailOf } from './trail.ts'
import type { ValueTest } from './value-test.ts'

/** A way to the rows that pass some filters of a query: all that do, maybe again and again, and some that do not. */
export interface Source {
  /** SQL for their numbers. */
  rows: Condition
  /** SQL with a line for each value that leads to them. */
  values: Condition
}

/** Where a column in memory would be a source, with what it has to be asked. */
export interface Hint {
  trail: Trail
  tests: ValueTest[]
}

export interface Sources {
  /** By an index, by the search index: those that are counted the fastest first. */
  indexed: Source[]
  searched: Source[]
  /** For filters that have neither. */
  hints: Hint[]
}

/** Filters on the same path are about the same value. */
export function sourcesOf(
  resources: Resources,
  columns: Columns,
  resource: Resource,
  { filters }: Query,
): Sources {
  const found: Sources = { indexed: [], searched: [], hints: [] }
  for (const same of Map.groupBy(filters, ({ path }) => path).values()) {
    const tests = testsOf(resources, resource, same)
    const trail = trailOf(resource, tests[0]!.path)
    if (!trail) continue
    // What holds of no value at all is found nowhere.
    const sought =
      trail.isMany || trail.hops.length > 0 ? tests.filter(({ operator }) => operator !== 'isnull') : tests
    const indexed = byIndex(resources, trail, sought)
    const searched = indexed ? null : bySearch(trail, sought)
    if (indexed) found.indexed.push(indexed)
    if (searched) found.searched.push(searched)
    const hinted = indexed || searched ? null : columns.testsOf(trail, sought)
    if (hinted) found.hints.push({ trail, tests: hinted })
  }
  return found
}

const inOrder = new Set(['eq', 'lt', 'lte', 'gt', 'gte'])

function byIndex(resources: Resources, trail: Trail, tests: Test[]): Source | null {
  const { index, from, rid } = trail
  if (!index) return byIndexOfAWord(trail, tests)
  const conditions = tests.flatMap((test) => {
    if (!inOrder.has(test.operator)) return []
    if (!index.converted) return [comparison(resources, `s.${index.name}`, test)]
    const value = test.operator === 'eq' ? index.converted(String(test.value)) : undefined
    return value === undefined ? [] : [{ sql: `s.${index.name} = ?`, values: [value] }]
  })
  return conditions.length === 0 ? null : sourceFrom(trail, from, rid, all(conditions))
}

/** An index of the rows that hold one word is seen by SQLite only where the word itself stands. */
function byIndexOfAWord(trail: Trail, tests: Test[]): Source | null {
  const { resource, from, rid, value } = trail
  for (const { operator, path, value: word } of tests) {
    const only = `${path.name} = '${word}'`
    const isDeclared = resource.indexes.some(({ where }) => where === only)
    if (operator !== 'eq' || value !== `s.${path.name}` || !isDeclared) continue
    return sourceFrom(trail, from, rid, { sql: `s.${only}`, values: [] })
  }
  return null
}

function bySearch(trail: Trail, tests: Test[]): Source | null {
  const number = trail.field?.options.search
  if (number === undefined) return null
  const texts = tests.filter(({ operator }) => operator === 'like' || operator === 'eq')
  const grams = texts.flatMap(({ value }) => gramsOf(String(value)) ?? [])
  if (grams.length === 0) return null
  const [first, end] = [firstOf(number), firstOf(number + 1)]
  const contains = texts.map(() => ' AND instr(text, ?) > 0').join('')
  const from = `(
    SELECT rowid - ${first} AS rid FROM search WHERE search MATCH ? AND rowid > ${first} AND rowid < ${end}
    UNION ALL
    SELECT place - ${first} FROM search_pending WHERE place > ${first} AND place < ${end} AND NOT gone${contains}
  ) AS s`
  const values = [grams.join(' '), ...texts.map(({ value }) => fold(String(value)))]
  return sourceFrom(trail, from, 's.rid', { sql: 'TRUE', values })
}

function sourceFrom(trail: Trail, from: string, rid: string, condition: Condition): Source {
  const { sql, values } = condition
  return {
    rows: backFrom(trail, from, rid, condition),
    values: { sql: `SELECT 1 FROM ${from} WHERE ${sql}`, values },
  }
}

/** The rows that hold a value, given by their numbers. */
export function sourceOfRids(trail: Trail, rids: readonly number[]): Source {
  const condition = { sql: 'TRUE', values: [JSON.stringify(rids)] }
  return sourceFrom(trail, 'json_each(?) AS s', 's.value', condition)
}

function all(conditions: Condition[]): Condition {
  return {
    sql: conditions.map(({ sql }) => sql).join(' AND '),
    values: conditions.flatMap(({ values }) => values),
  }
}
