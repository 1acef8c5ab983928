import type { Transaction } from '../resource/command.ts'
import { formerActor } from './former-actor.ts'

/**
 * Keeps the name of a deleted account, token or station for the audit of its earlier changes. Runs in the transaction
 * of a command.
 */
export function keepName(tx: Transaction, { id, name }: { id: string; name: string }): void {
  tx.insert(formerActor, { actorId: id, name })
}
