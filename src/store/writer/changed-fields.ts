import type { Transaction } from '../../resource/command.ts'
import type { Field } from '../../resource/field.ts'
import type { Resource, Row } from '../../resource/resource.ts'
import { type AttributeValues, type Named, planOf, storedIn } from './table-plan.ts'

/** Returns the stored fields whose values differ between `before` and `after`. */
export function changedFields(resource: Resource, before: Row, after: AttributeValues): Named[] {
  const changed: Named[] = []
  for (const named of planOf(resource).stored) {
    const [name, field] = named
    const [is, was] = [after[name], (before as AttributeValues)[name]]
    if (is !== was && !isSameJson(comparable(field, is), comparable(field, was))) changed.push(named)
  }
  return changed
}

/** Whether both values have the same JSON; the order of object members does not count. */
function isSameJson(a: unknown, b: unknown): boolean {
  if (a === b) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (Array.isArray(a) || Array.isArray(b)) {
    return (
      Array.isArray(a) &&
      Array.isArray(b) &&
      a.length === b.length &&
      a.every((each, at) => isSameJson(each, b[at]))
    )
  }
  const [one, other] = [a as AttributeValues, b as AttributeValues]
  for (const name in one) if (!isSameJson(one[name], other[name])) return false
  for (const name in other) if (other[name] !== undefined && one[name] === undefined) return false
  return true
}

/**
 * Makes values comparable: undefined and an empty list become null, and parts keep only their stored members.
 */
function comparable({ kind, members = {}, only }: Field, value: unknown): unknown {
  if (value === undefined || (Array.isArray(value) && value.length === 0)) return null
  if (kind !== 'parts' || only || !Array.isArray(value)) return value
  const kept = storedIn(members)
  return value.map((item) => kept.map(([name, { options }]) => item[name] ?? options.default ?? null))
}

/** Returns the former and the new value of each changed field that an event shows; null without one. */
export function tracedValues(
  changed: Named[],
  before: AttributeValues,
  after: AttributeValues,
): Record<string, { from: unknown; to: unknown }> | null {
  const traced = changed.filter(([, { options }]) => options.traced)
  if (traced.length === 0) return null
  return Object.fromEntries(
    traced.map((named) => [named[0], { from: tracedValue(named, before), to: tracedValue(named, after) }]),
  )
}

function tracedValue([name, { options }]: Named, values: AttributeValues): unknown {
  const value = values[name] ?? null
  if (options.traced !== 'money' || value === null) return value
  return { currency: values.currency, amount: value }
}

/**
 * Returns the audit data of a change to the configuration: its revision number, and the values before and
 * after it. Returns an empty object for any other resource.
 */
export function configAudit(
  tx: Transaction,
  { base }: Resource,
  fields: Named[],
  before: AttributeValues,
  after: AttributeValues,
) {
  if (base !== '/api/config/v1') return {}
  const settings = fields.filter(([, { options }]) => !options.readOnly && !options.operational)
  if (settings.length === 0) return {}
  return {
    configRevision: tx.next('config'),
    before: masked(settings, before),
    after: masked(settings, after),
  }
}

/** Returns the present values; secrets are masked with stars. */
function masked(fields: Named[], values: AttributeValues): AttributeValues {
  const there = fields.filter(([name]) => values[name] !== undefined && values[name] !== null)
  return Object.fromEntries(
    there.map(([name, { shown }]) => [name, shown === 'sealed' ? '***' : values[name]]),
  )
}
