import { DeviceFault } from '../../devices/fault.ts'
import type { Actor, Door } from '../../resource/change.ts'
import { Problem } from '../../resource/problem.ts'
import type { KeyBegun } from '../keys/begin-key.ts'
import { doubtKey, endCard, erasedCard, stepCard } from './card-changes.ts'
import { uidText } from './card-in-field.ts'
import type { Making, Progress, Station } from './issue-card.ts'

/** Ends the way of a card that was made on trial, where one for a guest would go on. */
export const trialOver = new Error('the trial is over')

/**
 * After a failure: the card is erased where that can be, and captured. What that proves of the key is written down;
 * where nothing is proven the way stays open, and the machine starts anew and settles it. Resolves with whether it is
 * proven that no card holds the key. Rejects only when the store takes nothing.
 */
export async function clearCard(
  door: Door,
  making: Making,
  { runId }: KeyBegun,
  actor: Actor,
  progress: Progress,
  error: unknown,
): Promise<boolean> {
  const { uid, step } = progress
  const way = { runId, reason: reasonOf(error), uid }
  if (!making.dispenser) return clearDesk(door, making, way, actor, step)
  const { handle } = making.dispenser
  try {
    const back = await takenBack(making, progress, way.reason, () => recall(door, runId, actor))
    if (back === 'lost') handle.bay.reset()
    const ending = back === 'captured' ? ('captured' as const) : ('failed' as const)
    const end = { ...way, ending, status: isProven(step) ? 'removed' : 'failed', restore: true } as const
    const isSettled = back !== 'lost' || isUntouched(step)
    if (isSettled) await door.write(endCard, end, { actor })
    else await door.write(doubtKey, way, { actor })
    return isSettled
  } catch (unwritten) {
    handle.bay.reset()
    throw unwritten
  }
}

/** The card stays with whoever laid it there. */
async function clearDesk(
  door: Door,
  { maker }: Making,
  way: { runId: string; reason: string; uid: string | null },
  actor: Actor,
  step: Progress['step'],
): Promise<boolean> {
  const { uid } = way
  const erased = !isUntouched(step) && uid !== null && (await maker.wipe(uid)).blank
  const end =
    erased || isUntouched(step)
      ? ({ ending: 'failed', status: 'failed', restore: true } as const)
      : ({ ending: 'unknown', status: 'unknown', restore: false } as const)
  await door.write(endCard, { ...way, ...end }, { actor })
  if (erased) await door.write(erasedCard, { uid }, { actor })
  return erased || isUntouched(step)
}

/** Once the machine swallows a card that a guest may have had, its absence no longer says that he took it. */
async function recall(door: Door, runId: string, actor: Actor): Promise<void> {
  await door.write(stepCard, { runId, step: 'recalled' }, { actor })
}

/** `none`: no card has left the stacker. `lost`: it is not known where the card is. */
async function takenBack(
  { maker, dispenser }: Making,
  { step, uid }: Progress,
  reason: string,
  recalled: () => Promise<void>,
): Promise<'captured' | 'none' | 'lost'> {
  if (step === 'asked' || !dispenser) return 'none'
  const { handle, machine } = dispenser
  try {
    // What may be written and was not erased waits for the encoder: the start of the machine tries again.
    if (!isUntouched(step) && !(await maker.wipe(uid)).blank) return 'lost'
    handle.activity = 'capturing'
    const { card } = await machine.status()
    if (card === 'none') return isUntouched(step) && reason !== 'dispenser-timeout' ? 'none' : 'lost'
    if (isProven(step)) await recalled()
    const { card: after } = await machine.move('capture')
    return after === 'none' ? 'captured' : 'lost'
  } catch (error) {
    if (!(error instanceof DeviceFault)) throw error
    return 'lost'
  }
}

/** Nothing was written to a card so far. */
export function isUntouched(step: Progress['step']): boolean {
  return ['queued', 'asked', 'feeding', 'searching'].includes(step)
}

/** The key was live, so it is taken away rather than never made. */
function isProven(step: Progress['step']): boolean {
  return ['verified', 'presenting', 'done'].includes(step)
}

/**
 * Erases the card on the antenna and reads it back. Resolves with its serial number, null when none was found, and
 * whether it is proven blank; a card of another serial number than `expected` is left as it is.
 */
export async function wipe(
  { encoder, system }: Pick<Station, 'encoder' | 'system'>,
  expected: string | null,
): Promise<{ uid: string | null; blank: boolean }> {
  const found: { uid: string | null; blank: boolean } = { uid: null, blank: false }
  try {
    const card = await encoder.find()
    if (!card) return found
    found.uid = uidText(card)
    if (expected !== null && found.uid !== expected) return found
    await system.erase(encoder, card)
    const again = await encoder.find()
    if (!again || uidText(again) !== found.uid) return found
    found.blank = (await system.read(encoder, again)).blank
    await encoder.off()
  } catch (error) {
    if (!(error instanceof DeviceFault)) throw error
  }
  return found
}

/** The word for it in the card's history; a failure of our own has none but this. */
function reasonOf(error: unknown): string {
  if (error === trialOver) return 'trial'
  return error instanceof DeviceFault || error instanceof Problem ? error.code : 'internal'
}
