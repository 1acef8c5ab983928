import type { OnlineKey } from '../../devices/lock-system.ts'
import { command, type Document, type Transaction } from '../../resource/command.ts'
import { type Key, key } from '../resources/key.ts'
import { openBy } from '../resources/key-door.ts'
import { guardDoors, noteConfirmation, opensToStranger } from './doors/door-guard.ts'
import { newerKey } from './doors/lock-order.ts'
import { restoreEndedBy, supersede, supersedeAtDoors } from './doors/superseding.ts'
import { happen, setProven } from './life/key-life.ts'
import { isOver } from './life/stay-of-key.ts'
import type { Confirmation } from './orders/key-order.ts'
import { endElsewhere } from './stay/end-keys.ts'

/** The document of a key, and whether its stay has ended or another guest has its unit meanwhile; the key is revoked then. */
type Confirmed = Document & { isOver?: true }

/**
 * Makes a key live after the lock system has confirmed it. The answer is stored as the result of the request only if
 * the stay still lasts.
 */
export const confirmKey = command(
  'issue-key/confirmed',
  (tx, input: { keyId: string; made: OnlineKey; verified: boolean }): Confirmed => {
    const { keyId, made, verified } = input
    const { doorRows } = tx.find(key, keyId)
    // Earlier proofs of its end date from before the lock system had the key.
    const open = openBy(doorRows)
    const changes = { ...made, verified, isVirtual: false, ...open, revocationToldAt: null }
    const row = tx.patch(key, keyId, changes)
    if (hasEnded(row) || isOver(tx, row.stayId)) {
      happen(tx, row, 'made-too-late', { data: { reason: 'stay-over' } })
      return { ...tx.document(key, keyId), isOver: true }
    }
    if (!resolveMade(tx, row)) return { ...tx.document(key, keyId), isOver: true }
    endElsewhere(tx, row)
    const { revision } = tx.find(key, keyId)
    tx.journal(wasHeld(row) ? 'key.materialized' : 'key.live', `access/keys/${keyId}`, { revision })
    return tx.document(key, keyId)
  },
  { isDone: ({ isOver: ended }) => !ended },
)

/**
 * Ends a key that the lock system does not have. A key that was virtual is virtual again, a revoked key is proven dead,
 * and any other key has failed. The keys that it superseded are restored.
 */
export const failKey = command('issue-key/failed', (tx, input: { keyId: string; reason: string }) => {
  const { keyId, reason } = input
  const row = tx.find(key, keyId)
  const again = { as: 'virtual', type: 'key.write-failed', changes: { isVirtual: true } } as const
  const held = wasHeld(row) && again
  if (row.status === 'revocationPending' || row.status === 'blocked') setProven(tx, row, 'never-made')
  else if (!happen(tx, row, 'not-made', { ...held, data: { reason } })) return null
  restoreEndedBy(tx, keyId)
  return null
})

/** Sets a pending key to unknown: the lock system may have it, and cannot be asked now. */
export const doubtOnlineKey = command('issue-key/doubted', (tx, input: { keyId: string; reason: string }) => {
  happen(tx, tx.find(key, input.keyId), 'no-answer', { data: { reason: input.reason } })
  return null
})

/** Returns a key's document unchanged, for a request that needs no change. */
export const keepKey = command(
  'keep-key',
  (tx, input: { keyId: string }): Document => tx.document(key, input.keyId),
)

/**
 * Resolves an unknown key that was made: it is superseded if a newer key is live, and live otherwise. One that would open the unit of
 * a guest who came meanwhile is revoked. Returns whether the key may stay.
 */
export function resolveMade(tx: Transaction, row: Key): boolean {
  const newer = newerKey(tx, row)
  if (newer) supersede(tx, row, newer.id)
  else if (opensToStranger(tx, row)) {
    happen(tx, row, 'refused', { data: { reason: 'unit-occupied' } })
    return false
  } else {
    happen(tx, row, 'made', { data: { reason: 'read' } })
    supersedeAtDoors(tx, row)
  }
  return true
}

/** Throws unit-occupied as the guard of the doors does, before a key in doubt is made after all. */
export const guardDoubtfulKey = command(
  'issue-pin/made-again',
  (tx, { keyId, confirmed }: { keyId: string; confirmed: Confirmation | null }) => {
    const row = tx.find(key, keyId)
    noteConfirmation(tx, keyId, confirmed, guardDoors(tx, { ...row, countsItself: false, confirmed }))
    return null
  },
)

/** Whether the key was revoked while it was made. */
function hasEnded({ status }: Key): boolean {
  return ['revocationPending', 'blocked', 'invalidated', 'removed'].includes(status ?? '')
}

function wasHeld({ opensAt }: Key): boolean {
  return opensAt !== null && opensAt !== undefined
}
