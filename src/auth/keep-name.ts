import type { Transaction } from '../resource/command.ts'
import { formerActor } from './former-actor.ts'

/** Keeps the name of a deleted account, token or station in the transaction of a command, for what it did before. */
export function keepName(tx: Transaction, { id, name }: { id: string; name: string }): void {
  tx.insert(formerActor, { actorId: id, name })
}
