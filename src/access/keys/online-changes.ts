import { isDeepStrictEqual } from 'node:util'
import type { OnlineKey } from '../../devices/lock-system.ts'
import { change, type Document, type Transaction } from '../../resource/change.ts'
import { Problem } from '../../resource/problem.ts'
import type { Attributes } from '../../resource/resource.ts'
import { type Key, key } from '../resources/key.ts'
import type { KeyOrder } from './key-order.ts'
import { isOver, restoreSupersededBy, setStatus, supersede } from './key-status.ts'
import { endElsewhere } from './left-unit.ts'
import { meet, newerOriginal, olderKeys } from './lock-order.ts'
import { refuseOccupied } from './occupied-unit.ts'
import { hasOtherOwner } from './pin-in-use.ts'

type KeyRow = Attributes<typeof key.fields>

/** A key as it stands, and whether its stay has ended meanwhile: then it is to be revoked. */
export type Confirmed = Document & { isOver?: true }

/** The lock system has confirmed a key. Its answer is kept only while its stay lasts. */
export const confirmKey = change(
  'issue-key/confirmed',
  (tx, input: { keyId: string; made: OnlineKey; verified: boolean }): Confirmed => {
    const { keyId, made, verified } = input
    const asked = tx.find(key, keyId) as Key
    // What seemed to prove it dead came before the lock system had it.
    const alive = { isVirtual: false, proof: null, provenDeadAt: null, revocationToldAt: null }
    tx.patch(key, keyId, { ...made, verified, ...alive } as Partial<KeyRow>)
    if (hasEnded(asked) || isOver(tx, asked.stayId)) {
      if (asked.status !== 'revocationPending' && asked.status !== 'blocked')
        setStatus(tx, asked, 'revocationPending', { reason: 'stay-over' })
      return { ...tx.document(key, keyId), isOver: true }
    }
    resolveMade(tx, asked)
    endElsewhere(tx, asked)
    const { revision } = tx.find(key, keyId)
    tx.journal(wasHeld(asked) ? 'key.materialized' : 'key.live', `access/keys/${keyId}`, { revision })
    return tx.document(key, keyId)
  },
  { isDone: ({ isOver: ended }) => !ended },
)

/** It is proven that the lock system has no such key: what was held is held again, anything else has failed. */
export const failKey = change('issue-key/failed', (tx, input: { keyId: string; reason: string }) => {
  const { keyId, reason } = input
  const row = tx.find(key, keyId) as Key
  if (row.status !== 'pendingWrite' && row.status !== 'unknown') return null
  if (wasHeld(row)) {
    tx.patch(key, keyId, { isVirtual: true, status: 'virtual' } as Partial<KeyRow>)
    tx.journal('key.write-failed', `access/keys/${keyId}`, { status: 'virtual', reason })
  } else setStatus(tx, row, 'failed', { reason })
  restoreSupersededBy(tx, keyId)
  return null
})

/** The lock system may have the key, and cannot be asked now. */
export const doubtOnlineKey = change('issue-key/doubted', (tx, input: { keyId: string; reason: string }) => {
  const row = tx.find(key, input.keyId) as Key
  if (row.status === 'pendingWrite') setStatus(tx, row, 'unknown', { reason: input.reason })
  return null
})

/** What a change may have to give back; the window in Unix milliseconds. */
type Left = Required<Pick<Key, 'status' | 'proof' | 'provenDeadAt' | 'validFrom' | 'validUntil'>>

/**
 * The lock system is about to be asked for another window or unit: until it is known what became of that, the key counts
 * as open in both windows, also one that was over. Null when somebody else has its PIN in the new window. Throws
 * key-status-transition when it is not live any more, and unit-occupied when it would now open the unit of another stay
 * that is in house.
 */
export const beginChange = change(
  'change-key/asked',
  (tx, input: { keyId: string; order: KeyOrder }): { was: Left; wide: Left } | null => {
    const { keyId, order } = input
    const row = tx.find(key, keyId) as Key
    if (row.status !== 'live' && row.status !== 'expired') throw notLive(row)
    const { unitName } = order.request
    const unitKeys = { unitName, providerId: row.providerId }
    if (!order.override)
      refuseOccupied(tx, unitKeys, row.stayId ?? null, (other) => isNews(row, order, other))
    if (hasOtherOwner(tx, row.pinMark, row, order)) return null
    const was = leftOf(row)
    const wide = {
      status: 'live',
      proof: null,
      provenDeadAt: null,
      validFrom: Math.min(was.validFrom ?? order.validFrom, order.validFrom),
      validUntil: Math.max(was.validUntil ?? order.validUntil, order.validUntil),
    } as const
    if (!isDeepStrictEqual(was, wide)) tx.patch(key, keyId, wide as Partial<KeyRow>)
    return { was, wide }
  },
)

/** The lock system has refused the change: the key is what it was. */
export const refuseChange = change(
  'change-key/refused',
  (tx, { keyId, was, wide }: { keyId: string; was: Left; wide: Left }) => {
    const isAsLeft = isDeepStrictEqual(leftOf(tx.find(key, keyId) as Key), wide)
    if (isAsLeft && !isDeepStrictEqual(was, wide)) tx.patch(key, keyId, was as Partial<KeyRow>)
    return null
  },
)

function leftOf({ status, proof, provenDeadAt, validFrom, validUntil }: Key): Left {
  return {
    status,
    proof: proof ?? null,
    provenDeadAt: provenDeadAt ?? null,
    validFrom: validFrom ?? null,
    validUntil: validUntil ?? null,
  } as Left
}

/** A key that is there was given another window, unit or authorizations, and the lock system has confirmed it. */
export const changedKey = change(
  'change-key/confirmed',
  (tx, input: { keyId: string; values: Record<string, unknown>; made: OnlineKey }): Document => {
    const { keyId, values, made } = input
    const row = tx.patch(key, keyId, { ...values, ...made } as Partial<KeyRow>)
    tx.journal('key.changed', `access/keys/${keyId}`, {
      revision: row.revision,
      changed: Object.keys(values),
    })
    return tx.document(key, keyId)
  },
)

/** A key as it is: the answer to a request that found nothing to do. */
export const keepKey = change(
  'keep-key',
  (tx, input: { keyId: string }): Document => tx.document(key, input.keyId),
)

export const onlineChanges = [
  confirmKey,
  failKey,
  doubtOnlineKey,
  beginChange,
  refuseChange,
  changedKey,
  keepKey,
]

/** A key in doubt was made: it takes the place that the lock gives it among those made meanwhile. */
export function resolveMade(tx: Transaction, row: Key): void {
  const newer = newerOriginal(tx, row)
  if (newer) supersede(tx, row, newer.id)
  else {
    setStatus(tx, row, 'live', { reason: 'read' })
    for (const older of olderKeys(tx, row)) supersede(tx, older, row.id)
  }
}

/** Somebody has revoked it while it was made. */
function hasEnded({ status }: Key): boolean {
  return ['revocationPending', 'blocked', 'invalidated', 'removed'].includes(status ?? '')
}

/** The key did not meet the other one before, and would now. Cards of one lock always meet. */
function isNews(row: Key, order: KeyOrder, other: Key): boolean {
  const isCard = row.keyType === 'keyCard'
  if (row.status === 'live' && row.lock === order.lock && (isCard || meet(row, other))) return false
  return isCard || meet(order, other)
}

function notLive({ status }: Key): Problem {
  return new Problem('key-status-transition', `The key is ${status} by now.`, { meta: { status } })
}

function wasHeld({ opensAt }: Key): boolean {
  return opensAt !== null && opensAt !== undefined
}
