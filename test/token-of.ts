import assert from 'node:assert/strict'
import type { Ask } from './appliance.ts'

/** The token of a new caller in this role, with further scopes. */
export async function tokenOf(ask: Ask, role: string, scopes: string[] = []): Promise<string> {
  const made = await ask('POST', '/api/config/v1/tokens', { body: { name: role, role, scopes } })
  assert.equal(made.status, 201, made.text)
  return made.body.meta.token
}
