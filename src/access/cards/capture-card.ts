import type { CardDispenser, CardPosition } from '../../devices/capability.ts'
import { DeviceFault } from '../../devices/fault.ts'
import type { Actor, Writer } from '../../resource/command.ts'
import type { DispenserHandle } from '../controllers/device-handle.ts'
import type { Antenna } from './antenna.ts'
import { blockCaptured, capturedCard } from './captured-card.ts'
import { erasedCard, stepCard } from './card-changes.ts'
import { remember } from './card-seen.ts'
import { type LyingCard, nothingSeen } from './wipe-card.ts'

/** The issuance whose card is captured. */
interface IssuedCard {
  runId: string
  /** The serial number of its card; null where nobody has read it. */
  uid: string | null
  /** Something may have been written to the card. */
  isTouched: boolean
  /** The key is live: a card that is gone may have been taken. */
  isProven: boolean
}

interface Capture {
  handle: DispenserHandle
  machine: CardDispenser
  /** Where the machine's sensors see the card. */
  card: CardPosition
  /** Absent for a card of no issuance that is open. */
  issued?: IssuedCard
  /** Null where no encoder of ours stands in the dispenser. */
  antenna: Antenna | null
  /** Where the card is to go, to be reached by the staff alone; the bin unless said otherwise. */
  to?: 'capture' | 'hold' | 'stacker'
  /** `left`: nobody has taken it from the gate. */
  ending?: 'captured' | 'left'
  /** The word for it in the history of its issuance. */
  reason?: string
  /** A guest has handed it back. */
  isReturned?: boolean
  /** The serial number of the card as it was read before, for what cannot be read again. */
  seenUid?: string | null
  /** The card is read and stays as it is. */
  keepsContent?: boolean
  /** Nothing is moved unless the card is proven blank: the start of the machine tries again. */
  onlyBlank?: boolean
  actor: Actor
}

interface Captured {
  uid: string | null
  blank: boolean
  /** Whether the card was moved where it should go. */
  isMoved: boolean
  /** The card was another than that of the issuance, of which nothing is written down then. */
  isOther: boolean
}

/**
 * Takes a card out of everybody's reach, the one way in which that is done: says so in the journal, brings the card to the
 * antenna, reads it, erases it, writes down what this proves of each key that was on it, and moves it.
 * Rejects with the machine's DeviceFault; the issuance is open then, and the next start of the machine goes on with it.
 */
export async function captureCard(writer: Writer, capture: Capture): Promise<Captured> {
  const { issued, actor, handle, to = 'capture', ending = 'captured', reason = null } = capture
  const before = handle.activity
  handle.activity = 'capturing'
  try {
    // From here on, that the card is gone no longer says that a guest has taken it.
    if (issued?.isProven) await writer.execute(stepCard, { runId: issued.runId, step: 'recalled' }, { actor })
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
    await writer.execute(capturedCard, found, { actor })
    return { uid, blank, isMoved: true, isOther }
  } finally {
    // One on a line that was cut may end after that of the next start has begun: neither leaves the other's word behind.
    handle.activity = before === 'capturing' ? null : before
  }
}

/** A proof counts at once: the motion that follows may fail. */
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

/** What is live on the card is blocked before the card moves: nobody may learn whether it has. */
async function blocked(
  writer: Writer,
  { seenUid, issued, actor }: Capture,
  { uid, ...found }: { uid: string | null; runId: string | null; ending: 'captured' | 'left' },
): Promise<string[]> {
  const known = uid ?? seenUid ?? issued?.uid
  return known ? writer.execute(blockCaptured, { uid: known, ...found }, { actor }) : []
}

/** Without an antenna that sees the card nothing is known of it. */
async function wiped({ machine, card, antenna, keepsContent }: Capture): Promise<LyingCard> {
  if (!antenna || !(await antenna.isReady())) return nothingSeen
  if (card === 'gate') await bringInside(machine)
  return keepsContent ? { ...(await antenna.look()), blank: false } : antenna.wipe()
}

/** From the gate back to the antenna. A machine that holds cards elsewhere takes a second motion. */
async function bringInside(machine: CardDispenser): Promise<void> {
  if (!machine.positions.includes('hold')) return
  const { card } = await machine.move('hold')
  if (card === 'hold') await machine.move('encoder')
}

async function putAway({ handle, machine }: Capture, to: NonNullable<Capture['to']>): Promise<void> {
  const card = remember(handle, await machine.move(to))
  if (to !== 'hold' && card !== 'none')
    throw new DeviceFault('dispenser-jam', 'A card in the path could not be captured.')
}
