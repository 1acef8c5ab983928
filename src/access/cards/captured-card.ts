import { change, type Transaction } from '../../resource/change.ts'
import { count, countCaptured, countFed, countJam, countRestacked } from '../dispensers/dispenser-counts.ts'
import { isOpen, openKeysOn, setStatus } from '../keys/key-status.ts'
import { type CardRun, cardRun } from '../resources/card-run.ts'
import { type Key, key } from '../resources/key.ts'
import { endRun } from './card-changes.ts'

/** A card that was taken out of everybody's reach. What was erased on it was said before: see `erasedCard`. */
export interface CapturedCard {
  dispenserId: string
  /** The issuance whose card it is. */
  runId: string | null
  /** Something may have been written to the card by that issuance. */
  mayHoldKey: boolean
  /** Null where nobody could read it. */
  uid: string | null
  /** The keys that were on it until it was erased. */
  keys: string[]
  ending: 'captured' | 'left'
  to: 'capture' | 'hold' | 'stacker'
  reason: string | null
  isReturned: boolean
}

/**
 * A card lies in the bin, in the stacker, or is held inside. What is still live on it was not erased and would open its
 * door to whoever empties the bin: it is blocked. Ends the issuance; the keys that its key had superseded come back.
 */
export const capturedCard = change('card/captured', (tx, input: CapturedCard): null => {
  const { dispenserId, runId, uid, ending, to } = input
  const run = runId === null ? null : (tx.find(cardRun, runId) as CardRun)
  if (run?.step === 'ended') return null
  countCard(tx, input, run)
  const blocked = block(tx, input)
  const issued = run && endCaptured(tx, run, input)
  if (to === 'stacker') return null
  const event = ending === 'left' ? 'card.left-at-gate' : 'card.captured'
  const keys = new Set([...input.keys, ...blocked, ...(issued ? [issued] : [])])
  tx.journal(event, `dispensers/${dispenserId}`, { uid, keys: [...keys] })
  return null
})

function countCard(
  tx: Transaction,
  { dispenserId, to, isReturned, reason }: CapturedCard,
  run: CardRun | null,
) {
  if (to === 'capture') countCaptured(tx, dispenserId)
  if (to === 'stacker') countRestacked(tx, dispenserId)
  if (isReturned) count(tx, dispenserId, 'returned')
  // One that was verified was counted then.
  if (run && !run.placed && (run.step === 'asked' || run.step === 'writing')) countFed(tx, dispenserId)
  if (run && (run.reason ?? reason) === 'dispenser-jam') countJam(tx, dispenserId)
}

/** Blocks what is live on the card beside the issuance's own key. Answers the ids. */
function block(tx: Transaction, { uid, runId, ending }: CapturedCard): string[] {
  const own = runId && (tx.find(cardRun, runId) as CardRun).keyId
  const live = uid === null ? [] : openKeysOn(tx, uid).filter(({ status }) => status === 'live')
  const others = live.filter(({ id }) => id !== own)
  const reason = ending === 'left' ? 'left at the gate' : 'in the bin'
  for (const row of others) setStatus(tx, row, 'blocked', { reason })
  return others.map(({ id }) => id)
}

/** Answers the id of the issuance's key; null when it had ended before. */
function endCaptured(tx: Transaction, run: CardRun, input: CapturedCard): string | null {
  const { uid, ending, reason, mayHoldKey } = input
  const { status, id } = tx.find(key, run.keyId) as Key
  const became = mayHoldKey ? 'blocked' : 'failed'
  endRun(tx, run, { ending, status: became, reason, restore: true, uid })
  return isOpen(status) ? id : null
}
