import type { Transaction } from '../resource/command.ts'
import { formerActor } from './resources/former-actor.ts'

/**
 * Keeps the name of a deleted account, token or station for the audit of its earlier changes. Runs in the transaction
 * of a command.
 */
export function keepName(tx: Transaction, { id, name }: { id: string; name: string }): void {
  const filter = { path: 'actorId', operator: 'eq', value: id } as const
  const [kept] = tx.select(formerActor, [filter], [], 1)
  if (kept) tx.patch(formerActor, kept.id, { name })
  else tx.insert(formerActor, { actorId: id, name })
}
