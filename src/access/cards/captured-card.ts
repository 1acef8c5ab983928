import { command, type Transaction } from '../../resource/command.ts'
import { count, countCaptured, countFed, countJam, countRestacked } from '../dispensers/dispenser-counts.ts'
import { isOpen, openKeysOn, setStatus } from '../keys/key-status.ts'
import { type CardRun, cardRun } from '../resources/card-run.ts'
import { type Key, key } from '../resources/key.ts'
import { endRun } from './card-changes.ts'

/** A card that was taken out of everybody's reach. What that proves of other keys on it was said before it was moved. */
interface CapturedCard {
  dispenserId: string
  /** The issuance whose card it is. */
  runId: string | null
  /** Something may have been written to the card by that issuance. */
  mayHoldKey: boolean
  /** Null where nobody could read it. */
  uid: string | null
  /** The keys that were on it, and were proven dead or blocked before it was moved. */
  keys: string[]
  ending: 'captured' | 'left'
  to: 'capture' | 'hold' | 'stacker'
  reason: string | null
  isReturned: boolean
}

/**
 * A card that nobody could erase is about to be put away. What is live on it would open its door to whoever empties the
 * bin: it is blocked, but for the key of the issuance. Answers the ids of what was blocked.
 */
export const blockCaptured = command(
  'card/blocked',
  (tx, { uid, runId, ending }: Pick<CapturedCard, 'runId' | 'ending'> & { uid: string }): string[] => {
    const own = runId && (tx.find(cardRun, runId) as CardRun).keyId
    const live = openKeysOn(tx, uid, null).filter(({ id, status }) => status === 'live' && id !== own)
    const reason = ending === 'left' ? 'left at the gate' : 'in the bin'
    for (const row of live) setStatus(tx, row, 'blocked', { reason })
    return live.map(({ id }) => id)
  },
)

/**
 * A card lies in the bin, in the stacker, or is held inside. Ends the issuance: its key is blocked where the card may hold
 * it, and the keys that it had superseded come back.
 */
export const capturedCard = command('card/captured', (tx, input: CapturedCard): null => {
  const { dispenserId, runId, uid, ending, to } = input
  const run = runId === null ? null : (tx.find(cardRun, runId) as CardRun)
  if (run?.step === 'ended') return null
  countCard(tx, input, run)
  const issued = run && endCaptured(tx, run, input)
  if (to === 'stacker') return null
  const event = ending === 'left' ? 'card.left-at-gate' : 'card.captured'
  const keys = new Set([...input.keys, ...(issued ? [issued] : [])])
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

/** Answers the id of the issuance's key; null when it had ended before. */
function endCaptured(tx: Transaction, run: CardRun, input: CapturedCard): string | null {
  const { uid, ending, reason, mayHoldKey } = input
  const { status, id } = tx.find(key, run.keyId) as Key
  const became = mayHoldKey ? 'blocked' : 'failed'
  endRun(tx, run, { ending, status: became, reason, restore: true, uid })
  return isOpen(status) ? id : null
}
