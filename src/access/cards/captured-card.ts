import { command, type Transaction } from '../../resource/command.ts'
import { count, countCaptured, countInStacker, countJam } from '../dispensers/dispenser-commands.ts'
import { happen, isOpen, openKeysOn } from '../keys/life/key-life.ts'
import { type CardRun, cardRun, wasVerified } from '../resources/card-run.ts'
import { key } from '../resources/key.ts'
import { endRun } from './card-commands.ts'

/** A captured card. The proofs for other keys on it were stored before it was moved. */
export interface CapturedCard {
  dispenserId: string
  /** The issuance whose card it is. */
  runId: string | null
  /** That issuance may have written to the card. */
  mayHoldKey: boolean
  /** A lock system writes the cards of this dispenser. It cancels the older keys of a unit as it writes a new one. */
  byLockSystem: boolean
  /** Its serial number; null where it could not be read. */
  uid: string | null
  /** The keys on it that were proven dead or blocked before it was moved. */
  keys: string[]
  /** `left`: the guest did not take the card from the gate. */
  ending: 'captured' | 'left'
  /** The destination, which only the staff can reach. */
  to: 'capture' | 'hold' | 'stacker'
  /** The reason that is stored with the issuance. */
  reason: string | null
  /** A guest has handed it back. */
  isReturned: boolean
}

/**
 * Blocks the live keys of a card that is captured and not erased, except the key of the issuance itself. Otherwise the
 * person who empties the bin could open doors with the card. Returns the ids of the blocked keys.
 */
export const blockCaptured = command(
  'card/blocked',
  (tx, { uid, runId, ending }: Pick<CapturedCard, 'runId' | 'ending'> & { uid: string }): string[] => {
    const own = runId && tx.find(cardRun, runId).keyId
    const live = openKeysOn(tx, uid, null).filter(({ id, status }) => status === 'live' && id !== own)
    const reason = ending === 'left' ? 'left at the gate' : 'in the bin'
    for (const row of live) happen(tx, row, 'captured', { data: { reason } })
    return live.map(({ id }) => id)
  },
)

/**
 * Stores that a card lies in the bin or in the stacker, or is held inside. Ends the issuance. Its key is blocked where
 * the card may hold it, and failed otherwise. The keys that it superseded are restored, unless a lock system may have
 * cancelled them.
 */
export const capturedCard = command('card/captured', (tx, input: CapturedCard): null => {
  const { dispenserId, runId, uid, ending, to } = input
  const run = runId === null ? null : tx.find(cardRun, runId)
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
  if (to === 'stacker') countInStacker(tx, dispenserId, 1)
  if (isReturned) count(tx, dispenserId, 'returned')
  // A verified card was counted when it was verified.
  if (run && !run.placed && !wasVerified(run)) countInStacker(tx, dispenserId, -1)
  if (run && (run.reason ?? reason) === 'dispenser-jam') countJam(tx, dispenserId)
}

/** Returns the id of the issuance's key; null when the key had ended before. */
function endCaptured(tx: Transaction, run: CardRun, input: CapturedCard): string | null {
  const { uid, ending, reason, mayHoldKey, byLockSystem } = input
  const { status, id } = tx.find(key, run.keyId)
  const event = mayHoldKey ? 'captured' : 'unwritten'
  endRun(tx, run, { ending, event, reason, restore: !(mayHoldKey && byLockSystem), uid })
  return isOpen(status) ? id : null
}
