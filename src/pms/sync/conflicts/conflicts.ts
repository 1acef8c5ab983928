import type { Transaction } from '../../../resource/command.ts'
import type { ConflictReason } from '../../resources/sync-conflict.ts'
import { type SyncConflict, syncConflict } from '../../resources/sync-conflict.ts'
import type { Disagreement } from '../merge/merge-members.ts'
import type { Sharing } from '../sync-changes.ts'
import { messagesOf, type Seen, sentenceOf } from './conflict-sentence.ts'

/** Conflicts that are kept, at most. */
const mostKept = 20_000

/** Keeps what the two said differently, each in a sentence. What was said of the same before is settled by that. */
export function keepConflicts(
  tx: Transaction,
  { configurationId, reservationId }: Sharing,
  found: readonly Disagreement[],
  seen: Seen,
): string[] {
  if (found.length === 0) return []
  forget(tx)
  const open = openConflicts(tx, reservationId)
  return found.map((each) => {
    for (const old of open) {
      if (isReplaced(old, each)) resolve(tx, old, 'settled')
    }
    const { said, counts, reason, group } = each
    const side = (name: 'base' | 'local' | 'upstream') =>
      Object.fromEntries(Object.entries(said).map(([at, value]) => [at, value[name] ?? null]))
    const messages = messagesOf(tx, each, seen)
    const { id } = tx.insert(syncConflict, {
      configurationId,
      reservationId,
      stayId: each.stayId,
      fieldGroup: group,
      fields: [...new Set(Object.keys(said).map(fieldOf))],
      base: side('base'),
      local: side('local'),
      upstream: side('upstream'),
      counts,
      reason,
      sentence: sentenceOf('en', messages),
      messages,
      state: 'open',
      detectedAt: tx.now,
    })
    tx.journal('pms.conflict-detected', `sync-conflicts/${id}`, {
      configurationId,
      reservationId,
      group,
      reason,
    })
    return id
  })
}

/** A refusal replaces only an earlier refusal: the PMS has not said anything else of its own. */
function isReplaced(old: SyncConflict, { group, stayId, reason }: Disagreement): boolean {
  if (old.fieldGroup !== group || (old.stayId ?? null) !== stayId) return false
  return reason !== 'refused-by-pms' || old.reason === 'refused-by-pms'
}

function fieldOf(pointer: string): string {
  const names = pointer.split('/')
  const isThing = names.length % 2 === 1 && names.at(-2) !== undefined
  return (isThing ? names.at(-2) : names.at(-1)) || 'stays'
}

/** The open conflicts of a reservation. */
export function openConflicts(tx: Transaction, reservationId: string): SyncConflict[] {
  return tx.select(syncConflict, [
    { path: 'reservationId', operator: 'eq', value: reservationId },
    { path: 'state', operator: 'eq', value: 'open' },
  ])
}

/** Nothing is left to choose in those of a reservation that have one of these reasons. */
export function settleConflicts(
  tx: Transaction,
  reservationId: string,
  reasons: readonly ConflictReason[],
  except: readonly string[] = [],
): void {
  for (const each of openConflicts(tx, reservationId)) {
    if (reasons.includes(each.reason) && !except.includes(each.id)) resolve(tx, each, 'settled')
  }
}

/** Closes a conflict in this state, and journals it. */
export function resolve(
  tx: Transaction,
  { id, configurationId, reservationId }: SyncConflict,
  state: 'accepted' | 'reversed' | 'settled',
): void {
  tx.patch(syncConflict, id, { state, resolvedAt: tx.now })
  tx.journal('pms.conflict-resolved', `sync-conflicts/${id}`, { configurationId, reservationId, state })
}

/** Where there are too many the oldest goes. */
function forget(tx: Transaction): void {
  if (tx.count('SELECT count(*) FROM sync_conflict') < mostKept) return
  const [oldest] = tx.select(syncConflict, [], [{ path: 'detectedAt', descending: false }], 1)
  if (oldest) tx.remove(syncConflict, oldest.id)
}
