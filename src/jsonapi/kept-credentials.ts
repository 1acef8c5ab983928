import { isDeepStrictEqual } from 'node:util'
import { Problem } from '../resource/problem.ts'

/**
 * Credentials that nobody can read must not be sent to another address than the one they were given for: whoever says
 * another says them again. Throws 422 `validation-failed`. Numbers and flags of a connection are no addresses.
 */
export function expectSameAddresses(kept: unknown, wanted: unknown): void {
  if (isDeepStrictEqual(textsIn(kept), textsIn(wanted))) return
  throw new Problem('validation-failed', 'The connection is another: give the credentials for it again.', {
    pointer: '/credentials',
    meta: { expected: 'credentials' },
  })
}

function textsIn(connection: unknown): Record<string, string> {
  const texts = Object.entries(connection ?? {}).filter(([, value]) => typeof value === 'string')
  return Object.fromEntries(texts)
}
