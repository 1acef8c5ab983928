import type { Transaction } from '../../../resource/command.ts'
import { Problem } from '../../../resource/problem.ts'
import { having } from '../../../resource/query.ts'
import type { Attributes } from '../../../resource/resource.ts'
import { type Key, type KeyStatus, key, openStatuses } from '../../resources/key.ts'
import { closedBy, type DeathProof } from '../../resources/key-door.ts'

/**
 * What may happen to a key, and the status that it has then. The columns are the status before: V virtual, P pendingWrite,
 * U unknown, L live, S superseded, B blocked, R revocationPending, I invalidated, D removed, X expired, F failed. At a point the
 * event changes nothing. Of several letters the first is meant where the event does not say which. Only `happen` changes the
 * status of a stored key.
 */
export const keyLife = [
  //  V  P  U   L   S    B  R   I D X    F
  ['P  .  .   .   .    .  .   . . .    .', 'due'], // A held PIN is sent to its lock system.
  ['.  L  L   .   .    .  .   . . L    L', 'made'], // Its card is proven, or the lock system has it.
  ['R  R  R   R   R    .  .   R R R    R', 'made-too-late'], // The same after its stay was over, or after it was revoked.
  ['.  FV FV  .   .    .  .   . . .    .', 'not-made'], // Neither a card nor the lock system has it. A held PIN is held again.
  ['.  F  F   F   F    F  F   . . .    .', 'unwritten'], // Nothing was written to its card.
  ['.  U  .   .   .    .  .   . . .    .', 'no-answer'], // A card or the lock system may have it.
  ['.  .  .   U   .    .  .   . . .    .', 'lost-in-recall'], // Its card is in the machine, or the guest has pulled it out.
  ['.  S  S   S   .    .  S   . . S    S', 'superseded'], // A newer original has its main door.
  ['.  .  .   .   LRDX .  .   . . .    .', 'comes-back'], // That newer original was never made.
  ['DI .  RDI RDI RDI  .  RDI . . DI   .', 'revoked'], // A request or a PMS ends it.
  ['B  .  B   B   B    .  B   . . B    .', 'lost'], // Its digits are not used again.
  ['D  R  R   R   R    .  .   . . .    .', 'stay-over'],
  ['.  R  R   R   R    .  .   . . .    .', 'check-in-undone'], // A held PIN opens nothing, and stays.
  ['.  .  .   .   .    .  LU  . V .    .', 'stay-goes-on'], // It has the status from before its stay ended it.
  ['D  R  R   R   R    .  .   . . .    .', 'next-guest'],
  ['.  .  R   R   R    .  .   . . .    .', 'moved'], // Its guest has a key of another unit.
  ['.  .  .   R   .    .  .   . . .    .', 'revoked-meanwhile'], // The lock system has revoked it although its stay goes on.
  ['.  R  R   R   R    .  .   . . .    .', 'refused'], // Its card was written and is refused by a rule.
  ['.  B  B   B   B    .  B   . . .    .', 'captured'], // Its card is in the machine, and was not erased.
  ['.  F  F   DF  DF   DF DF  . . .    .', 'erased'], // Its card was read back blank, or holds another key.
  ['DX .  .   DX  .    .  ID  . . .    .', 'proven-dead'], // Its last door is closed.
  ['.  .  .   .   .    .  .   R R LVRD .', 'clock-set-back'], // Its window was over by a clock that was ahead.
  ['.  .  .   .   .    .  .   R R .    .', 'reopened'], // What had closed one of its doors does not count any more.
  ['U  .  .   .   .    .  .   . . .    .', 'restored'], // It was due since the backup.
] as const

export type KeyEvent = (typeof keyLife)[number][1]

const letters: Readonly<Record<string, KeyStatus>> = {
  V: 'virtual',
  P: 'pendingWrite',
  U: 'unknown',
  L: 'live',
  S: 'superseded',
  B: 'blocked',
  R: 'revocationPending',
  I: 'invalidated',
  D: 'removed',
  X: 'expired',
  F: 'failed',
}
const columns = Object.values(letters)
const rows: ReadonlyMap<KeyEvent, string[]> = new Map(
  keyLife.map(([cells, event]) => [event, cells.split(/ +/)]),
)

const events: Partial<Record<KeyStatus, string>> = {
  superseded: 'key.superseded',
  blocked: 'key.blocked',
  invalidated: 'key.invalidated',
  removed: 'key.removed',
  expired: 'key.expired',
  failed: 'key.write-failed',
  unknown: 'key.outcome-unknown',
}

/** What an event brings with it. */
interface Happening {
  /** The status, where the event has several. */
  as?: KeyStatus | null | undefined
  /** What the journal says of it; the event as its reason by default. */
  data?: Record<string, unknown>
  changes?: Partial<Attributes<typeof key.fields>>
  /** The type of the line of the journal, where it is not that of the status. */
  type?: string
}

/** The statuses that a key may have after an event; none where it changes nothing. */
export function statusesAfter(event: KeyEvent, status: Key['status']): KeyStatus[] {
  const cell = rows.get(event)?.[columns.indexOf(status ?? 'failed')] ?? ''
  return [...cell].flatMap((letter) => letters[letter] ?? [])
}

/**
 * Lets an event happen to a key: changes its status by the table, with further fields, and writes the journal. Returns the key as
 * it is then; null, and changes nothing, where the table names no status.
 */
export function happen(
  tx: Transaction,
  row: Pick<Key, 'id' | 'status'>,
  event: KeyEvent,
  { as, data = { reason: event }, changes = {}, type }: Happening = {},
): Key | null {
  const after = statusesAfter(event, row.status)
  const [status = null] = as ? [as] : after
  if (after.length === 0 || !status) return null
  if (!after.includes(status)) throw new Error(`${event} does not make a key that is ${row.status} ${status}`)
  const now = tx.patch(key, row.id, { ...changes, status })
  const said = type ?? (row.status === 'unknown' ? 'key.outcome-resolved' : events[status])
  if (said) tx.journal(said, `access/keys/${row.id}`, { revision: now.revision, status, ...data })
  return now
}

/** Whether a key of this status may still open its door. */
export function isOpen(status: string | null | undefined): boolean {
  return (openStatuses as readonly unknown[]).includes(status)
}

/** The Problem for a request that a key of this status refuses. */
export function wrongStatus(
  { status }: Pick<Key, 'status'>,
  detail = `The key is now ${status}.`,
  meta: Record<string, unknown> = {},
): Problem {
  return new Problem('key-status-transition', detail, { meta: { status, ...meta } })
}

/**
 * Stores a proof that the key no longer opens doors: which, depends on the proof; `locks` are those for which it was given, null
 * for all. With its last door the key is proven dead, and a pending revocation is complete.
 */
export function setProven(
  tx: Transaction,
  row: Key,
  proof: DeathProof,
  locks: readonly string[] | null = null,
): void {
  const doorRows = closedBy(row.doorRows ?? [], proof, { locks, at: tx.now })
  const isDead = doorRows.every((door) => door.proof)
  const isTold = proof === 'lock-acknowledged' && doorRows.every((door) => door.proof || !door.lock)
  const acknowledged = isTold && { revocationToldAt: tx.now }
  const dead = isDead && { proof, provenDeadAt: tx.now }
  const { revision } = tx.patch(key, row.id, { doorRows, ...acknowledged, ...dead })
  if (!isDead) {
    if (isTold) happen(tx, row, 'revoked-meanwhile')
    return
  }
  if (happen(tx, row, 'proven-dead', { as: endedAs(row, proof), data: { reason: proof } })) return
  tx.journal('key.proven-dead', `access/keys/${row.id}`, { revision, status: row.status, proof })
}

/** How a key ends by a proof. */
export function endedAs({ status, revokedAs }: Key, proof: DeathProof): KeyStatus {
  if (status !== 'revocationPending') return proof === 'validity-over' ? 'expired' : 'removed'
  return revokedAs ?? (proof === 'card-erased' ? 'removed' : 'invalidated')
}

/**
 * The open keys that were made on the card with this serial number, for one lock system or for all (null). A lock
 * system sees only its own part of a card: a blank part proves nothing about the keys of another.
 */
export function openKeysOn(tx: Transaction, uid: string, providerId: string | null): Key[] {
  return tx
    .select(key, having({ uid }))
    .filter((row) => isOpen(row.status) && (providerId === null || row.providerId === providerId))
}
