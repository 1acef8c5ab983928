import { messageOf } from '../update/update-document.ts'
import type { Found } from './check.ts'
import type { Facts } from './status-facts.ts'

/** Warns when the newest update failed or was taken back. Absent before the first update. */
export function updateResult({ updates: { last } }: Facts): Found[] {
  if (!last) return []
  const { result, version, from } = last
  const values = { version: version ?? '?', from, reason: last.reason.map(messageOf) }
  const code = result === 'failed' ? ('update-failed' as const) : ('update-taken-back' as const)
  return [
    {
      componentType: 'system',
      observedValue: result,
      status: result === 'confirmed' ? 'pass' : 'warn',
      messages: result === 'confirmed' ? [] : [{ code, values }],
    },
  ]
}
