import type { Transaction } from '../../resource/command.ts'
import type { Resource } from '../../resource/resource.ts'
import type { Attributes, Named } from './row-writer.ts'

/**
 * Returns the audit data of a change to the configuration: its revision number, and the values before and
 * after it. Returns an empty object for any other resource.
 */
export function configAudit(
  tx: Transaction,
  { base }: Resource,
  fields: Named[],
  before: Attributes,
  after: Attributes,
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
function masked(fields: Named[], values: Attributes): Attributes {
  const there = fields.filter(([name]) => values[name] !== undefined && values[name] !== null)
  return Object.fromEntries(
    there.map(([name, { shown }]) => [name, shown === 'sealed' ? '***' : values[name]]),
  )
}
