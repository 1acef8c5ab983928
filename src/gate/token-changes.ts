import { change, type Document } from '../resource/change.ts'
import { token } from './token.ts'

/** Keeps a token's digest; the token itself never comes here. */
export const createToken = change(
  'create-token',
  (
    tx,
    input: { name: string; role: string; scopes: string[]; expiresAt: number | null; digest: string },
  ): Document => {
    const { id } = tx.insert(token, input as Parameters<typeof tx.insert<typeof token.fields>>[1])
    return tx.document(token, id)
  },
)

export const tokenChanges = [createToken]
