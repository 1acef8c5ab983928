import type { CardPosition } from '../../devices/capability.ts'
import { DeviceFault } from '../../devices/fault.ts'
import type { Actor, Writer } from '../../resource/command.ts'
import { remember } from '../dispensers/card-seen.ts'
import { type Antenna, type LyingCard, nothingSeen } from './antenna.ts'
import { blockCaptured, type CapturedCard, capturedCard } from './captured-card.ts'
import { erasedCard, stepCard } from './card-commands.ts'
import type { Feeder } from './card-maker.ts'

/** By default, the card goes to the bin as one that was captured, not returned. */
interface Capture extends Feeder, Partial<Pick<CapturedCard, 'ending' | 'to' | 'reason' | 'isReturned'>> {
  /** Where the machine's sensors see the card. */
  card: CardPosition
  /** The open issuance to which the card belongs; absent for any other card. */
  issued?: {
    runId: string
    /** The serial number of its card; null where it was not read. */
    uid: string | null
    /** Something may have been written to the card. */
    isTouched: boolean
    /** The key is live: if the card is gone, the guest may have taken it. */
    wasVerified: boolean
  }
  /** Null where no encoder of this appliance stands in the dispenser. */
  antenna: Antenna | null
  /** The serial number from an earlier read. It is used when the card cannot be read now. */
  seenUid?: string | null
  /** The card is read, not erased. */
  keepsContent?: boolean
  /** Moved only if it is proven blank. Otherwise the next start of the machine tries again. */
  onlyBlank?: boolean
  actor: Actor
}

interface Captured {
  /** Whether the card was moved to its destination. */
  isMoved: boolean
  /** The card is not that of the issuance. Nothing is stored for the issuance then. */
  isOther: boolean
}

/**
 * Captures a card; every capture uses this function. It stores the step `recalled` for a proven card, moves the card to
 * the antenna, reads it, erases it, stores what this proves of each key on it, and moves it to its destination. Rejects
 * with the machine's DeviceFault. The issuance then stays open, and the next start of the machine recovers it.
 */
export async function captureCard(writer: Writer, capture: Capture): Promise<Captured> {
  const { issued, actor, handle } = capture
  const before = handle.activity
  handle.activity = 'capturing'
  try {
    // From here on, an empty path does not prove that a guest took the card.
    if (issued?.wasVerified)
      await writer.execute(stepCard, { runId: issued.runId, step: 'recalled' }, { actor })
    return await putAway(writer, capture, await wiped(capture))
  } finally {
    // A capture on a closed line may end after the next start of the machine has begun another capture. The activity
    // `capturing` of one capture must not be restored by the other.
    handle.activity = before === 'capturing' ? null : before
  }
}

/** Erases the card, or only reads it where its content is kept. Nothing is seen without an antenna that is ready. */
async function wiped({ machine, card, antenna, keepsContent }: Capture): Promise<LyingCard> {
  if (!antenna || !(await antenna.isReady())) return nothingSeen
  if (card === 'gate' && machine.positions.includes('hold')) {
    const held = await machine.move('hold')
    // Where the hold position is not at the encoder, a second motion follows.
    if (held.card === 'hold') await machine.move('encoder')
  }
  return keepsContent ? { ...(await antenna.look()), blank: false } : antenna.wipe()
}

/** Stores what was found of the keys on the card, moves the card, and stores where it lies. */
async function putAway(
  writer: Writer,
  capture: Capture,
  { uid, blank, erased }: LyingCard,
): Promise<Captured> {
  const { issued, antenna, actor, handle, machine, to = 'capture', ending = 'captured' } = capture
  const dispenserId = handle.id
  const isOther = !!issued?.uid && uid !== null && uid !== issued.uid
  const runId = issued && !isOther ? issued.runId : null
  const keys: string[] = []
  // The proof is stored at once, because the motion that follows may fail.
  if (blank && uid !== null && antenna) {
    const input = { uid, providerId: antenna.providerId, runId, dispenserId, erased }
    keys.push(...(await writer.execute(erasedCard, input, { actor })))
  }
  if (capture.onlyBlank && !blank) return { isMoved: false, isOther }
  // The live keys are blocked before the card moves, because the outcome of the motion may stay unknown.
  const known = uid ?? capture.seenUid ?? issued?.uid
  if (known) keys.push(...(await writer.execute(blockCaptured, { uid: known, runId, ending }, { actor })))
  const left = remember(handle, await machine.move(to))
  if (to !== 'hold' && left !== 'none')
    throw new DeviceFault(
      'dispenser-jam',
      'A card in the path could not be captured. Open the machine and take it out.',
    )
  const { reason = null, isReturned = false } = capture
  const card = { dispenserId, runId, uid, keys, ending, to, reason, isReturned }
  const mayHoldKey = issued?.isTouched ?? false
  await writer.execute(capturedCard, { ...card, mayHoldKey, byLockSystem: antenna === null }, { actor })
  return { isMoved: true, isOther }
}
