import type { Resources } from '../resource/path.ts'
import { common, type Resource } from '../resource/resource.ts'
import { type Column, column } from './column.ts'
import { tableOf } from './expression.ts'
import type { Test } from './filter.ts'
import type { statements } from './statements.ts'
import type { Trail } from './trail.ts'
import { toBlob } from './uuid.ts'
import type { ValueTest } from './value-test.ts'

const mostColumns = 12
const mostBytes = 64_000_000

/** Columns in memory, made when they are first needed; the least recently used make room. */
export interface Columns {
  /** What a column would be asked; null for a field that none is kept of, or tests that none can answer. */
  testsOf(trail: Trail, tests: readonly Test[]): ValueTest[] | null
  /** The column, if there is one already. */
  find(trail: Trail): Column | undefined
  make(trail: Trail): Column
}

export function columns(prepare: ReturnType<typeof statements>, resources: Resources): Columns {
  const kept = new Map<string, Column>()
  const keyOf = ({ value, from }: Trail) => `${value} ${from}`

  function find(trail: Trail): Column | undefined {
    const key = keyOf(trail)
    const found = kept.get(key)
    if (found) {
      kept.delete(key)
      kept.set(key, found)
    }
    return found
  }

  function make(trail: Trail): Column {
    const made = find(trail) ?? column(prepare, trail)
    kept.set(keyOf(trail), made)
    for (const oldest of kept.keys()) {
      const all = kept.values().reduce((sum, each) => sum + each.bytes(), 0)
      if (kept.size === 1 || (kept.size <= mostColumns && all <= mostBytes)) break
      kept.delete(oldest)
    }
    return made
  }

  function valueTest({ path: { field }, operator, value }: Test): ValueTest[] {
    if (operator === 'isnull' || operator === 'notnull') return [{ operator, value: null }]
    if (operator === 'like') return field?.shown === 'plain' ? [{ operator, value }] : []
    if (field?.shown !== 'reference') return [{ operator, value }]
    if (operator !== 'eq') return []
    const sql = `SELECT rid FROM ${tableOf(resources, field)} WHERE id = ?`
    const rid = prepare(sql)
      .pluck()
      .get(toBlob(String(value))) as number | undefined
    return [{ operator, value: rid ?? -1 }]
  }

  function testsOf(trail: Trail, tests: readonly Test[]): ValueTest[] | null {
    const found = isRemarked(trail) ? tests.flatMap(valueTest) : []
    return found.length === 0 ? null : found
  }

  return { testsOf, find, make }
}

/** Whether every change of it is written down in the journal. */
function isRemarked({ field, resource }: Trail): boolean {
  if (field === null || field === common.revision || field.options.unremarked) return false
  return field !== common.updatedAt || !hasUnremarked(resource)
}

function hasUnremarked({ fields }: Resource): boolean {
  return Object.values(fields).some(({ options }) => options.unremarked)
}
