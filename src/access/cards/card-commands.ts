import { command, type Document, type Transaction } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import { countCaptured, countDispensed, countJam } from '../dispensers/dispenser-commands.ts'
import { guardDoors } from '../keys/doors/door-guard.ts'
import { newerKey, refuseOrphan } from '../keys/doors/lock-order.ts'
import { restoreEndedBy, supersedeAtDoors } from '../keys/doors/superseding.ts'
import { happen, type KeyEvent, openKeysOn } from '../keys/life/key-life.ts'
import { isOver, stayOver } from '../keys/life/stay-of-key.ts'
import { resolveMade } from '../keys/online-commands.ts'
import type { Confirmation } from '../keys/orders/key-order.ts'
import { endElsewhere } from '../keys/stay/end-keys.ts'
import { type CardRun, cardRun, isReceived, wasVerified } from '../resources/card-run.ts'
import { type Key, key } from '../resources/key.ts'
import { deadBy } from '../resources/key-door.ts'
import type { MadeCard } from './card-maker.ts'

/** Stores the next step of an issuance before the step is taken. */
export const stepCard = command(
  'issue-key/step',
  (tx, input: { runId: string; step: CardRun['step']; uid?: string }) => {
    const { runId, step, uid } = input
    tx.patch(cardRun, runId, { step, ...(uid !== undefined && { uid }) })
    return null
  },
)

/**
 * Makes the key live, after the card was written and read back. Only then may the card leave the machine: with a dispenser, the
 * issuance has then also reached the step `presented`, because nothing comes between. Throws
 * stay-status-transition when the stay has ended meanwhile, and unit-occupied when a newer original of the unit was
 * made or another guest has checked in meanwhile.
 */
export const verifyKey = command(
  'issue-key/verified',
  (tx, input: { keyId: string; runId: string; confirmed: Confirmation | null } & MadeCard): Document => {
    const { keyId, runId, confirmed, uid, cardFormat, verified, reference } = input
    const requested = tx.find(key, keyId)
    refuseOvertaken(tx, requested, confirmed)
    const row =
      happen(tx, requested, 'made', { changes: { verified, uid, cardFormat, reference } }) ?? requested
    supersedeAtDoors(tx, row)
    const others = uid === null ? [] : openKeysOn(tx, uid, row.providerId)
    for (const other of others) if (other.id !== keyId) setGone(tx, other, 'overwritten')
    const run = tx.find(cardRun, runId)
    if (run.dispenserId) tx.patch(cardRun, runId, { step: 'presented', presentedAt: tx.now, uid })
    else tx.patch(cardRun, runId, { step: 'verified', uid })
    tx.journal('key.live', `access/keys/${keyId}`, { revision: row.revision })
    countDispensed(tx, run)
    return tx.document(key, keyId)
  },
)

/** How an issuance ended. */
interface Ending {
  ending: NonNullable<CardRun['ending']>
  /** What the ending means for the key; null for nothing. */
  event: KeyEvent | null
  reason: string | null
  /** The keys that this one superseded are restored. */
  restore: boolean
  uid?: string | null
}

/**
 * Ends an issuance whose card was not captured under observation, and gives its key the status that follows. Does
 * nothing when the issuance has ended before.
 */
export const endCard = command('issue-key/ended', (tx, input: Ending & { runId: string }) => {
  const run = tx.find(cardRun, input.runId)
  if (run.step === 'ended') return null
  endRun(tx, run, input)
  if (run.dispenserId) {
    if (input.ending === 'captured') countCaptured(tx, run.dispenserId)
    if ((run.reason ?? input.reason) === 'dispenser-jam') countJam(tx, run.dispenserId)
  }
  if (input.ending === 'captured')
    tx.journal('card.captured', `dispensers/${run.dispenserId}`, { uid: run.uid, keys: [run.keyId] })
  return null
})

/** Ends an issuance, and lets its event happen to the key. */
export function endRun(tx: Transaction, run: CardRun, { ending, restore, event, ...found }: Ending): void {
  const row = tx.find(key, run.keyId)
  // The first reason is kept.
  const reason = run.reason ?? found.reason
  const uid = found.uid ?? run.uid
  if (uid) tx.patch(key, row.id, { uid })
  if (event) happen(tx, row, event, { data: { reason } })
  if (restore) restoreEndedBy(tx, row.id)
  if (isReceived({ ending })) endElsewhere(tx, row)
  tx.patch(cardRun, run.id, { step: 'ended', ending, reason, endedAt: tx.now })
}

/**
 * Sets the key to unknown: the write may have happened, and the card cannot be read now. The issuance stays open until the card
 * is read, or is captured at the next start of its dispenser.
 */
export const doubtKey = command(
  'issue-key/unknown',
  (tx, input: { runId: string; reason: string; uid: string | null }) => {
    const { runId, reason, uid } = input
    const run = tx.patch(cardRun, runId, { reason, uid })
    happen(tx, tx.find(key, run.keyId), 'no-answer', { data: { reason } })
    return null
  },
)

/**
 * Resolves the unknown keys of a card that was read. Each becomes live if the card holds its credential, and failed
 * otherwise.
 */
export const cardRead = command(
  'card-read',
  (tx, input: { uid: string; providerId: string; credential: number | null }) => {
    for (const row of openKeysOn(tx, input.uid, input.providerId)) {
      if (row.status !== 'unknown') continue
      if (row.credential === input.credential) {
        resolveMade(tx, row)
        if (tx.find(key, row.id).status === 'live') endElsewhere(tx, row)
      } else {
        happen(tx, row, 'not-made', { data: { reason: 'read' } })
        restoreEndedBy(tx, row.id)
      }
    }
    return null
  },
)

/** A card that was read back blank. */
interface BlankCard {
  uid: string
  /** The lock system whose part of the card is blank. */
  providerId: string
  /**
   * The issuance of the card, which has not left the machine or the encoder. The keys that its key superseded are
   * restored.
   */
  runId?: string | null
  dispenserId?: string
  /** It held data, and was erased. */
  erased: boolean
}

/** Ends the keys of a card that was read back blank. Returns their ids. */
export const erasedCard = command('erase-key', (tx, input: BlankCard): string[] => {
  const { uid, providerId, runId = null, dispenserId, erased } = input
  const run = runId === null ? null : tx.find(cardRun, runId)
  if (run) tx.patch(key, run.keyId, { uid })
  const open = openKeysOn(tx, uid, providerId)
  for (const row of open) setGone(tx, row, 'erased', row.id !== run?.keyId || wasVerified(run))
  const keys = open.map(({ id }) => id)
  if (run && keys.includes(run.keyId)) restoreEndedBy(tx, run.keyId)
  const subject = dispenserId ? `dispensers/${dispenserId}` : 'access/cards'
  if (erased || keys.length > 0) tx.journal('card.erased', subject, { uid, keys })
  return keys
})

/**
 * Ends a key whose card holds other data or none. A key that was unknown or pending counts as never made: the keys that
 * it superseded are restored.
 */
function setGone(tx: Transaction, row: Key, reason: string, wasLive = true): void {
  const wasMade = wasLive && row.status !== 'unknown' && row.status !== 'pendingWrite'
  const changes = wasMade ? deadBy(row.doorRows ?? [], 'card-erased', tx.now) : {}
  happen(tx, row, 'erased', { as: wasMade ? 'removed' : 'failed', data: { reason }, changes })
  if (!wasMade) restoreEndedBy(tx, row.id)
}

/**
 * Throws when the stay has ended while this card was made, when another controller has made a newer key of the unit, and
 * when another guest has checked in there.
 */
function refuseOvertaken(tx: Transaction, row: Key, confirmed: Confirmation | null): void {
  if (row.status !== 'pendingWrite' || isOver(tx, row.stayId)) throw stayOver()
  refuseOrphan(tx, row)
  const newer = newerKey(tx, row)
  if (newer)
    throw new Problem(
      'unit-occupied',
      'A newer original key of the unit exists, so this key is no longer valid.',
      { pointer: '/unitName', meta: { keyId: newer.id } },
    )
  guardDoors(tx, { ...row, countsItself: false, confirmed })
}
