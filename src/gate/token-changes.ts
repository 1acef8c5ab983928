import { change, type Document } from '../resource/change.ts'
import type { Role } from './scopes.ts'
import { token } from './token.ts'

export interface NewToken {
  name: string
  role: Role
  scopes: string[]
  expiresAt: number | null
  digest: string
}

/** Keeps a token's digest; the token itself never comes here. */
export const createToken = change('create-token', (tx, input: NewToken): Document => {
  const { id } = tx.insert(token, { ...input })
  return tx.document(token, id)
})

export const tokenChanges = [createToken]
