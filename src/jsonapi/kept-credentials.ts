import { isDeepStrictEqual } from 'node:util'
import { invalidValue } from '../resource/problem.ts'

/**
 * Throws 422 `validation-failed` when a text of the connection, such as an address, differs. Stored
 * credentials are write-only, so a client could otherwise have them sent to an address of its own. A client
 * that changes the address must send the credentials again. Numbers and flags of a connection may change.
 */
export function expectSameAddresses(kept: unknown, wanted: unknown): void {
  if (hasSameAddresses(kept, wanted)) return
  throw invalidValue('/credentials', 'The connection has changed. Send the credentials again with it.', {
    expected: 'credentials',
  })
}

/** Returns whether two connections have the same texts, such as addresses. */
export function hasSameAddresses(one: unknown, other: unknown): boolean {
  return isDeepStrictEqual(textsIn(one), textsIn(other))
}

function textsIn(connection: unknown): Record<string, string> {
  const texts = Object.entries(connection ?? {}).filter(([, value]) => typeof value === 'string')
  return Object.fromEntries(texts)
}
