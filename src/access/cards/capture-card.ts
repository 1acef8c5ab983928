import type { CardDispenser, CardPosition } from '../../devices/capability.ts'
import { DeviceFault } from '../../devices/fault.ts'
import type { Actor, Writer } from '../../resource/command.ts'
import type { DispenserHandle } from '../controllers/device-handle.ts'
import type { Antenna } from './antenna.ts'
import { blockCaptured, capturedCard } from './captured-card.ts'
import { erasedCard, stepCard } from './card-commands.ts'
import { remember } from './card-seen.ts'
import { type LyingCard, nothingSeen } from './wipe-card.ts'

/** The issuance whose card is captured. */
interface IssuedCard {
  runId: string
  /** The serial number of its card; null where it was not read. */
  uid: string | null
  /** Something may have been written to the card. */
  isTouched: boolean
  /** The key is live: if the card is gone, the guest may have taken it. */
  wasVerified: boolean
}

interface Capture {
  handle: DispenserHandle
  machine: CardDispenser
  /** Where the machine's sensors see the card. */
  card: CardPosition
  /** The open issuance to which the card belongs; absent for any other card. */
  issued?: IssuedCard
  /** Null where no encoder of this appliance stands in the dispenser. */
  antenna: Antenna | null
  /** The destination, which only the staff can reach; the bin by default. */
  to?: 'capture' | 'hold' | 'stacker'
  /** `left`: the guest did not take the card from the gate. */
  ending?: 'captured' | 'left'
  /** The reason that is stored with the issuance. */
  reason?: string
  /** A guest has handed it back. */
  isReturned?: boolean
  /** The serial number from an earlier read. It is used when the card cannot be read now. */
  seenUid?: string | null
  /** The card is read, not erased. */
  keepsContent?: boolean
  /**
   * The card is moved only if it is proven blank. Otherwise it stays, and the next start of the machine tries again.
   */
  onlyBlank?: boolean
  actor: Actor
}

interface Captured {
  uid: string | null
  blank: boolean
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
  const { issued, actor, handle, to = 'capture', ending = 'captured', reason = null } = capture
  const before = handle.activity
  handle.activity = 'capturing'
  try {
    // From here on, an empty path does not prove that a guest took the card.
    if (issued?.wasVerified)
      await writer.execute(stepCard, { runId: issued.runId, step: 'recalled' }, { actor })
    const card = await wiped(capture)
    const { uid, blank } = card
    const isOther = !!issued?.uid && uid !== null && uid !== issued.uid
    const runId = issued && !isOther ? issued.runId : null
    const dead = await proven(writer, capture, card, runId)
    if (capture.onlyBlank && !blank) return { uid, blank, isMoved: false, isOther }
    const keys = [...dead, ...(await blocked(writer, capture, { uid, runId, ending }))]
    await putAway(capture, to)
    const isReturned = capture.isReturned ?? false
    const mayHoldKey = issued?.isTouched ?? false
    const found = { dispenserId: handle.id, runId, mayHoldKey, uid, keys, ending, to, reason, isReturned }
    await writer.execute(capturedCard, { ...found, byLockSystem: capture.antenna === null }, { actor })
    return { uid, blank, isMoved: true, isOther }
  } finally {
    // A capture on a closed line may end after the next start of the machine has begun another capture. The activity
    // `capturing` of one capture must not be restored by the other.
    handle.activity = before === 'capturing' ? null : before
  }
}

/**
 * Stores the proof at once, because the motion that follows may fail. Returns the ids of the keys that were on the
 * card.
 */
async function proven(
  writer: Writer,
  { handle, antenna, actor }: Capture,
  { uid, blank, erased }: LyingCard,
  runId: string | null,
): Promise<string[]> {
  if (!blank || uid === null || !antenna) return []
  const input = { uid, providerId: antenna.providerId, runId, dispenserId: handle.id, erased }
  return writer.execute(erasedCard, input, { actor })
}

/**
 * Blocks the live keys of the card before it moves, because the outcome of the motion may stay unknown. Returns their
 * ids.
 */
async function blocked(
  writer: Writer,
  { seenUid, issued, actor }: Capture,
  { uid, ...found }: { uid: string | null; runId: string | null; ending: 'captured' | 'left' },
): Promise<string[]> {
  const known = uid ?? seenUid ?? issued?.uid
  return known ? writer.execute(blockCaptured, { uid: known, ...found }, { actor }) : []
}

/**
 * Erases the card, or only reads it where its content is kept. Without an antenna that is ready, nothing is known of
 * the card.
 */
async function wiped({ machine, card, antenna, keepsContent }: Capture): Promise<LyingCard> {
  if (!antenna || !(await antenna.isReady())) return nothingSeen
  if (card === 'gate') await bringInside(machine)
  return keepsContent ? { ...(await antenna.look()), blank: false } : antenna.wipe()
}

/**
 * Moves the card from the gate to the antenna, where the machine has a hold position. Where that position is not at the
 * encoder, a second motion follows.
 */
async function bringInside(machine: CardDispenser): Promise<void> {
  if (!machine.positions.includes('hold')) return
  const { card } = await machine.move('hold')
  if (card === 'hold') await machine.move('encoder')
}

async function putAway({ handle, machine }: Capture, to: NonNullable<Capture['to']>): Promise<void> {
  const card = remember(handle, await machine.move(to))
  if (to !== 'hold' && card !== 'none')
    throw new DeviceFault(
      'dispenser-jam',
      'A card in the path could not be captured. Open the machine and take it out.',
    )
}
