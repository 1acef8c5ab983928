import { command, type Document } from '../../resource/command.ts'
import { keepName } from '../keep-name.ts'
import { token } from '../resources/token.ts'
import { boundByMaker, madeNow } from '../rights/made-rights.ts'
import { rightIsDecided } from '../rights/right-to-confirm.ts'
import type { Role } from '../roles.ts'

export interface NewToken {
  name: string
  role: Role
  scopes: string[]
  expiresAt: number | null
  digest: string
}

/** The command that stores a token's digest. The token itself is never passed to it. */
export const createToken = command('create-token', (tx, input: NewToken): Document => {
  const { id } = tx.insert(token, { ...input, ...madeNow(tx) })
  return tx.document(token, id)
})

const overlapMs = 86_400_000

interface Rotation {
  id: string
  digest: string
  revision?: number | undefined
}

/**
 * The command that replaces a token. The current token stays valid for another 24 hours; the one before it
 * becomes invalid. Who rotates a token answers for it from now on.
 */
export const rotateToken = command('rotate-token', (tx, input: Rotation): Document => {
  tx.expectRevision(token, { ...input })
  const { digest: previousDigest = null } = tx.find(token, input.id)
  const previousUntil = tx.now + overlapMs
  tx.patch(token, input.id, { digest: input.digest, previousDigest, previousUntil, ...madeNow(tx) })
  rightIsDecided(tx, input.id)
  return tx.document(token, input.id)
})

/** The command that records when a token was last used. It does nothing when the token was deleted. */
export const tokenUsed = command('token-used', (tx, { id, at }: { id: string; at: number }): null => {
  const [found] = tx.select(token, [{ path: 'id', operator: 'eq', value: id }], [], 1)
  if (found) tx.patch(token, id, { lastUsedAt: at })
  return null
})

interface Removal {
  id: string
  revision?: number | undefined
}

/** The command that revokes a token. What it made is refused. Its name is kept for the audit of its earlier changes. */
export const removeToken = command('remove-token', (tx, input: Removal): null => {
  tx.expectRevision(token, input)
  const before = tx.find(token, input.id)
  tx.remove(token, input.id)
  boundByMaker(tx, before.id, null)
  rightIsDecided(tx, before.id)
  keepName(tx, before)
  return null
})

export const tokenChanges = [createToken, rotateToken, tokenUsed, removeToken]
