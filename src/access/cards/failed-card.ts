import { DeviceFault } from '../../devices/fault.ts'
import type { Actor, Writer } from '../../resource/command.ts'
import type { JobStep, Progress } from '../keys/orders/job.ts'
import { captureCard } from './capture-card.ts'
import { doubtKey, endCard, erasedCard } from './card-commands.ts'
import type { Making } from './card-maker.ts'

interface FailedCard extends Pick<Progress, 'step' | 'uid'> {
  runId: string
  /** The reason that is stored with the issuance. */
  reason: string
  /** A rule has refused the key after its card was written, so it must not stay alive. */
  isRefused: boolean
  actor: Actor
}

/**
 * Clears up after a failed issuance: erases the card where possible, captures it, and stores what this proves of the
 * key. Where nothing is proven the issuance stays open, and the machine restarts and recovers it. Resolves with whether
 * it is proven that no card holds the key. Rejects only when the store cannot write.
 */
export async function clearCard(writer: Writer, making: Making, failure: FailedCard): Promise<boolean> {
  if (!making.dispenser) return clearDesk(writer, making, failure)
  const { runId, reason, uid, step, actor } = failure
  const { bay } = making.dispenser.handle
  try {
    const isLost = await captureFed(writer, making, failure)
    if (isLost) bay.reset()
    const isClear = !isLost || isUntouched(step)
    if (isClear) await nothingHolds(writer, failure)
    else await writer.execute(doubtKey, { runId, reason, uid }, { actor })
    return isClear
  } catch (unwritten) {
    bay.reset()
    throw unwritten
  }
}

/** Clears up at a front desk, where the card cannot be captured. */
async function clearDesk(writer: Writer, { maker }: Making, failure: FailedCard): Promise<boolean> {
  const { runId, reason, uid, step, isRefused, actor } = failure
  if (isUntouched(step)) return nothingHolds(writer, failure).then(() => true)
  const { antenna } = maker
  const isErased = uid !== null && antenna !== null && (await antenna.wipe(uid)).blank
  if (isErased) {
    const { providerId } = antenna
    await writer.execute(erasedCard, { uid, providerId, runId, erased: true }, { actor })
    return nothingHolds(writer, failure).then(() => true)
  }
  const event = isRefused ? 'refused' : 'no-answer'
  await writer.execute(endCard, { runId, reason, uid, ending: 'unknown', event, restore: false }, { actor })
  return false
}

/** Ends an issuance whose key is on no card. Does nothing for a captured card: its issuance has ended by then. */
async function nothingHolds(writer: Writer, { runId, reason, uid, actor }: FailedCard): Promise<void> {
  const failed = { ending: 'failed', event: 'unwritten', restore: true } as const
  await writer.execute(endCard, { runId, reason, uid, ...failed }, { actor })
}

/** Captures the card, if one has left the stacker. Resolves with whether its place or its content is unknown then. */
async function captureFed(
  writer: Writer,
  { maker, dispenser }: Making,
  { runId, uid, step, reason, actor }: FailedCard,
): Promise<boolean> {
  if (step === 'asked' || !dispenser) return false
  try {
    const { card } = await dispenser.machine.status()
    if (card === 'none') return !isUntouched(step) || reason === 'dispenser-timeout'
    const { isMoved, isOther } = await captureCard(writer, {
      ...dispenser,
      card,
      issued: { runId, uid, isTouched: !isUntouched(step), wasVerified: wasVerified(step) },
      antenna: maker.antenna,
      reason,
      // A card that may be written and could not be erased stays in place: the start of the machine tries again.
      onlyBlank: !isUntouched(step),
      actor,
    })
    return !isMoved || isOther
  } catch (error) {
    if (!(error instanceof DeviceFault)) throw error
    return true
  }
}

/** Whether nothing was written to a card up to this step. */
export function isUntouched(step: JobStep): boolean {
  return ['queued', 'asked', 'feeding', 'searching'].includes(step)
}

function wasVerified(step: JobStep): boolean {
  return ['verified', 'presenting', 'done'].includes(step)
}
