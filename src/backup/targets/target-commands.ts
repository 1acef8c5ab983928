import { command } from '../../resource/command.ts'
import { backupTarget } from './backup-target.ts'

interface Outcome {
  id: string
  /** The id of the backup that was verified at the target. */
  backup: string
  /** Why it failed; null when the backup was verified. */
  problem: string | null
}

/** A backup at a target. */
export interface Delivered {
  /** The id of the target. */
  id: string
  backup: string
  /** Unix milliseconds. */
  verifiedAt: number
}

/**
 * The command that records the outcome of a delivery. The journal gets a line when a target begins to fail, and when it
 * works again. The command does nothing for a deleted target.
 */
export const noteDelivery = command('backup/delivered', (tx, { id, backup, problem }: Outcome): Delivered => {
  const delivered = { id, backup, verifiedAt: tx.now }
  const [target] = tx.select(backupTarget, [{ path: 'id', operator: 'eq', value: id }])
  if (!target) return delivered
  const found = problem === null ? { verifiedBackup: backup, verifiedAt: tx.now } : {}
  tx.patch(backupTarget, id, { ...found, problem })
  if ((problem === null) === ((target.problem ?? null) === null)) return delivered
  const type = problem === null ? 'system.backup-target-well' : 'system.backup-target-failed'
  tx.journal(type, 'system', { id, name: target.name, ...(problem !== null && { problem }) })
  return delivered
})
