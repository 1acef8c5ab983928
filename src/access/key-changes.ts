import { randomUUID } from 'node:crypto'
import { stay } from '../reservation/resources/stay.ts'
import { change, type Document, type Transaction } from '../resource/change.ts'
import { Problem } from '../resource/problem.ts'
import type { Attributes } from '../resource/resource.ts'
import { countDispensed, countEnd } from './dispenser-counts.ts'
import type { KeyRequest } from './key-request.ts'
import {
  isOver,
  mayBecome,
  openKeysOn,
  restoreSupersededBy,
  setGone,
  setStatus,
  supersede,
} from './key-status.ts'
import { keysOf, newerOriginal, olderKeys } from './lock-order.ts'
import { refuseOccupied } from './occupied-unit.ts'
import { type CardRun, cardRun } from './resources/card-run.ts'
import { dispenser } from './resources/dispenser.ts'
import { type Key, type KeyStatus, key } from './resources/key.ts'

type KeyRow = Attributes<typeof key.fields>
type RunRow = Attributes<typeof cardRun.fields>

export interface KeyOrder {
  request: KeyRequest & { unitName: string }
  providerId: string
  controllerId: string
  dispenserId: string | null
  keyType: KeyRow['keyType']
  /** The unit's code in the lock system. */
  lock: string
  validFrom: number
  validUntil: number
  authorizations: string[]
  maxCopies: number
  /** The caller may make an original for a unit that is occupied by another stay, and says so. */
  override: boolean
}

/** What the card is to hold, and where the key and its way are written down. */
export interface KeyBegun {
  keyId: string
  runId: string
  sequence: number
  copy: boolean
  credential: number
}

/**
 * Writes down that a key is about to be made. An original supersedes the unit's live keys before the card is touched;
 * they come back if the write is proven not to have happened.
 */
export const beginKey = change('issue-key/asked', (tx, order: KeyOrder): KeyBegun => {
  const { request, providerId, controllerId, lock } = order
  const unitKeys = { unitName: request.unitName, providerId }
  const live = keysOf(tx, unitKeys, 'live')
  const stayId = stayIdOf(tx, request.externalId)
  if (isOver(tx, stayId)) throw stayOver()
  const source = live.find((each) => each.original && each.lock === lock && belongsTo(each, request, stayId))
  const original = request.original ?? source === undefined
  if (original && !order.override) refuseOccupied(tx, unitKeys, stayId)
  if (!original && !source)
    throw new Problem('no-original-key', 'The unit has no live original key of this stay to copy.')
  if (!original && source) refuseTooManyCopies(tx, source, order.maxCopies)
  const copiedFrom = original ? undefined : source
  const sequence = copiedFrom?.lockSequence ?? tx.next(`lock:${providerId}:${lock}`)
  const credential = tx.next('credential')
  const row = tx.insert(key, {
    ...request,
    original,
    providerId,
    controllerId,
    keyType: order.keyType,
    authorizations: order.authorizations,
    isVirtual: false,
    status: 'pendingWrite',
    sequence: copiedFrom ? familySize(tx, copiedFrom) + 1 : 1,
    familyId: copiedFrom?.familyId ?? randomUUID(),
    validFrom: order.validFrom,
    validUntil: order.validUntil,
    // A copy that names no stay ends with the stay of what it copies.
    externalId: request.externalId ?? copiedFrom?.externalId,
    stayId: stayId ?? copiedFrom?.stayId,
    lock,
    credential,
    lockSequence: sequence,
  } as KeyRow)
  if (original) for (const each of live) supersede(tx, each, row.id)
  const run = tx.insert(cardRun, {
    keyId: row.id,
    controllerId,
    dispenserId: order.dispenserId,
    step: 'asked',
  } as RunRow)
  return { keyId: row.id, runId: run.id, sequence, copy: !original, credential }
})

/** The next step on the card's way, before it is taken. */
export const stepCard = change(
  'issue-key/step',
  (tx, input: { runId: string; step: CardRun['step']; uid?: string }) => {
    const { runId, step, uid } = input
    tx.patch(cardRun, runId, {
      step,
      ...(uid !== undefined && { uid }),
      ...(step === 'presented' && { presentedAt: tx.now }),
    } as Partial<RunRow>)
    return null
  },
)

/**
 * The card holds what was asked for, and was read back: the key is live. Only now may the card leave the machine. Throws
 * stay-status-transition when its stay has ended meanwhile, and unit-occupied when a newer original was quicker.
 */
export const verifyKey = change(
  'issue-key/verified',
  (tx, input: { keyId: string; runId: string; uid: string; cardFormat: KeyRow['cardFormat'] }): Document => {
    const { keyId, runId, uid, cardFormat } = input
    const asked = tx.find(key, keyId) as Key
    refuseOvertaken(tx, asked)
    const row = tx.patch(key, keyId, { status: 'live', verified: true, uid, cardFormat } as Partial<KeyRow>)
    for (const older of olderKeys(tx, asked)) supersede(tx, older, keyId)
    for (const other of openKeysOn(tx, uid)) if (other.id !== keyId) setGone(tx, other, 'overwritten')
    tx.patch(cardRun, runId, { step: 'verified', uid } as Partial<RunRow>)
    tx.journal('key.live', `access/keys/${keyId}`, { revision: row.revision })
    countDispensed(tx, tx.find(cardRun, runId) as CardRun)
    return tx.document(key, keyId)
  },
)

/** How a card's way ended, and what that proves of its key. */
export const endCard = change(
  'issue-key/ended',
  (
    tx,
    input: {
      runId: string
      ending: NonNullable<CardRun['ending']>
      status: KeyStatus | null
      reason: string | null
      /** The keys that this one superseded come back. */
      restore: boolean
      uid?: string | null
    },
  ) => {
    const run = tx.find(cardRun, input.runId) as CardRun
    if (run.step === 'ended') return null
    const row = tx.find(key, run.keyId) as Key
    // What was found out first is the reason; a key that has moved on meanwhile is not called back.
    const reason = run.reason ?? input.reason
    const uid = input.uid ?? run.uid
    if (uid) tx.patch(key, row.id, { uid } as Partial<KeyRow>)
    if (input.status && mayBecome(row.status, input.status)) setStatus(tx, row, input.status, { reason })
    if (input.restore) restoreSupersededBy(tx, row.id)
    const { ending } = input
    tx.patch(cardRun, run.id, { step: 'ended', ending, reason, endedAt: tx.now } as Partial<RunRow>)
    if (run.dispenserId) countEnd(tx, { ...run, reason }, run.dispenserId, ending)
    const event = endEvents[ending]
    if (event) tx.journal(event, `dispensers/${run.dispenserId}`, { keyId: row.id })
    return null
  },
)

/** The write may have happened and cannot be looked up now: the way stays open until it can. */
export const doubtKey = change(
  'issue-key/unknown',
  (tx, input: { runId: string; reason: string; uid: string | null }) => {
    const { runId, reason, uid } = input
    const run = tx.find(cardRun, runId) as CardRun
    const row = tx.find(key, run.keyId) as Key
    if (mayBecome(row.status, 'unknown')) setStatus(tx, row, 'unknown', { reason })
    tx.patch(cardRun, run.id, { reason, uid } as Partial<RunRow>)
    return null
  },
)

/** A card was read: a key in doubt that was written to it is live if the card holds it, and was not made otherwise. */
export const readCard = change('card-read', (tx, input: { uid: string; credential: number | null }) => {
  for (const row of openKeysOn(tx, input.uid)) {
    if (row.status !== 'unknown') continue
    if (row.credential === input.credential) resolveMade(tx, row)
    else {
      setStatus(tx, row, 'failed', { reason: 'read' })
      restoreSupersededBy(tx, row.id)
    }
  }
  return null
})

/** A card was erased and read back: what it held is gone. Answers the ids of the keys that were on it. */
export const erasedCard = change('erase-key', (tx, input: { uid: string }): string[] => {
  const open = openKeysOn(tx, input.uid)
  for (const row of open) setGone(tx, row, 'erased')
  const keys = open.map(({ id }) => id)
  tx.journal('card.erased', 'access/cards', { uid: input.uid, keys })
  return keys
})

/** Counts and switches of a dispenser that its own operations set. */
export const patchDispenser = change(
  'dispenser-state',
  (tx, input: { dispenserId: string; values: Record<string, unknown>; event?: string }) => {
    const row = tx.patch(dispenser, input.dispenserId, input.values as never)
    if (input.event) tx.journal(input.event, `dispensers/${row.id}`, { changed: Object.keys(input.values) })
    return { id: row.id, revision: row.revision }
  },
)

export const keyChanges = [
  beginKey,
  stepCard,
  verifyKey,
  endCard,
  doubtKey,
  readCard,
  erasedCard,
  patchDispenser,
]

const endEvents: Partial<Record<NonNullable<CardRun['ending']>, string>> = {
  left: 'card.left-at-gate',
  captured: 'card.captured',
}

/** The key in doubt is on its card: it takes the place that the lock gives it among those made meanwhile. */
function resolveMade(tx: Transaction, row: Key): void {
  const newer = newerOriginal(tx, row)
  if (newer) supersede(tx, row, newer.id)
  else {
    setStatus(tx, row, 'live', { reason: 'read' })
    for (const older of olderKeys(tx, row)) supersede(tx, older, row.id)
  }
}

/** While a card is made its stay may end, and another controller may make a newer one for the unit. */
function refuseOvertaken(tx: Transaction, row: Key): void {
  if (row.status !== 'pendingWrite' || isOver(tx, row.stayId)) throw stayOver()
  const newer = newerOriginal(tx, row)
  if (!newer) return
  throw new Problem('unit-occupied', 'A newer original key of the unit was made meanwhile.', {
    pointer: '/unitName',
    meta: { keyId: newer.id },
  })
}

function stayOver(): Problem {
  return new Problem('stay-status-transition', 'The stay is over, or has changed while the card was made.', {
    pointer: '/externalId',
  })
}

function belongsTo(row: Key, { externalId }: KeyRequest, stayId: string | null): boolean {
  if (externalId === null || row.externalId === externalId) return true
  return stayId !== null && row.stayId === stayId
}

function familySize(tx: Transaction, { familyId }: Key): number {
  return tx.select(key, [{ path: 'familyId', operator: 'eq', value: familyId ?? '' }]).length
}

function refuseTooManyCopies(tx: Transaction, source: Key, maxCopies: number): void {
  const family = tx.select(key, [{ path: 'familyId', operator: 'eq', value: source.familyId ?? '' }])
  const copies = family.filter((each) => !each.original && each.status === 'live').length
  if (copies < maxCopies) return
  throw new Problem('validation-failed', `The lock system takes at most ${maxCopies} copies of a key.`, {
    pointer: '/original',
    meta: { maxCopies },
  })
}

/** The stay that an externalId names: its own externalId, or its id. */
function stayIdOf(tx: Transaction, externalId: string | null): string | null {
  if (!externalId) return null
  const [found] = tx.select(stay, [{ path: 'externalId', operator: 'eq', value: externalId }], [], 1)
  if (found) return found.id
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(externalId)) return null
  const [byId] = tx.select(stay, [{ path: 'id', operator: 'eq', value: externalId }], [], 1)
  return byId?.id ?? null
}
