import { session } from './session.ts'

/**
 * Returns the name under which this tab stores data of the signed-in person. Another person at the station can neither
 * see nor send them. If another person sent a stored request, the box would execute it a second time, because an
 * idempotency key is valid for one person only.
 */
export function ownName(name: string): string {
  return `${name}.${session.value?.accountId ?? ''}`
}
