import { session } from './session.ts'

/**
 * Returns the name under which this tab keeps something of whoever is signed in. Another person at the same station neither sees it
 * nor sends it: sent by somebody else, a kept request would be done a second time, because its key counts for its own person.
 */
export function ownName(name: string): string {
  return `${name}.${session.value?.accountId ?? ''}`
}
