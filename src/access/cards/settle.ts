import type { CardDispenser, CardLockSystem, CardPosition } from '../../devices/capability.ts'
import { DeviceFault } from '../../devices/fault.ts'
import type { Actor, Door } from '../../resource/change.ts'
import type { Reader } from '../../resource/keeper.ts'
import { capturedCard, startedAnew } from '../dispensers/dispenser-changes.ts'
import type { DispenserHandle, EncoderHandle } from '../equipment/handles.ts'
import { type CardRun, cardRun } from '../resources/card-run.ts'
import { dispenser } from '../resources/dispenser.ts'
import type { KeyStatus } from '../resources/key.ts'
import { endCard, erasedCard } from './card-changes.ts'
import { wipe } from './clear-card.ts'

const actor: Actor = { by: 'settle', requestId: null }

export interface SettleOptions {
  reader: Reader
  door: Door
  /** The encoder that a card in this dispenser lies on, and the lock system it writes for; null where there is none. */
  encoderOf(dispenserId: string): { encoder: EncoderHandle; system: CardLockSystem } | null
  /** A card waits at the gate, a proven one or, without a run, nobody's: somebody has to see whether it is taken. */
  waiting(handle: DispenserHandle, runId: string | null): void
}

/**
 * Puts right what a power cut, a killed program or a failing machine left behind, before anything new is issued: the
 * ways that are still open are held against where the card is found. An unproven card is erased and captured; a proven
 * one may stay at the gate for its guest.
 */
export async function settleDispenser(
  options: SettleOptions,
  handle: DispenserHandle,
  machine: CardDispenser,
): Promise<void> {
  const { reader, door } = options
  const runs = openRuns(reader, [{ path: 'dispenserId', operator: 'eq', value: handle.id }])
  const last = runs.at(-1)
  // The machine holds one card: whatever it is, it is not that of an earlier way.
  await endAll(door, runs.slice(0, -1), afterNothingFound)
  const { card } = await machine.status()
  if (last) await settleRun(options, handle, machine, last, card)
  else if (card !== 'none') await settleNobodys(options, handle, machine, card)
  const byItself = handle.starts > 1 && !handle.restartAsked
  if (byItself) await door.write(startedAnew, { dispenserId: handle.id }, { actor })
}

async function settleRun(
  options: SettleOptions,
  handle: DispenserHandle,
  machine: CardDispenser,
  run: CardRun,
  card: CardPosition,
): Promise<void> {
  const { door } = options
  if (card === 'gate' && isProven(run)) return options.waiting(handle, run.id)
  const found = card === 'none' ? null : await captureCard(options, handle.id, machine, run.uid ?? null)
  await endAll(door, [run], found?.ours ? afterCapture(found.blank) : afterNothingFound)
  // Whatever else the store has on that card is gone with it.
  if (found?.blank && found.uid !== null) await door.write(erasedCard, { uid: found.uid }, { actor })
}

/**
 * Nobody's card is treated as the house wants it; the next card that is made captures it in any case. One that stays
 * within reach is watched.
 */
async function settleNobodys(
  options: SettleOptions,
  handle: DispenserHandle,
  machine: CardDispenser,
  card: CardPosition,
): Promise<void> {
  const { door, reader } = options
  const initAction = reader.row(dispenser, handle.id)?.initAction
  if (initAction === 'capture') {
    const { uid, blank } = await captureCard(options, handle.id, machine, null)
    if (blank && uid !== null) await door.write(erasedCard, { uid }, { actor })
    await door.write(capturedCard, { dispenserId: handle.id, uid, returned: false }, { actor })
  } else if (card === 'gate' && initAction === 'hold') await machine.move('hold')
  else if (card === 'gate') options.waiting(handle, null)
}

/** At a desk nobody can look where the card is: what was being written is in somebody's hand. */
export async function settleDesk({ reader, door }: Pick<SettleOptions, 'reader' | 'door'>): Promise<void> {
  const runs = openRuns(reader, [{ path: 'dispenserId', operator: 'isnull', value: null }])
  await endAll(door, runs, afterNothingFound)
}

interface Ending {
  ending: NonNullable<CardRun['ending']>
  /** Null leaves the key as it is. */
  status: KeyStatus | null
  restore: boolean
}

/** No card is in the path. Before the first byte nothing can have been written; after the proof the guest has it. */
function afterNothingFound(run: CardRun): Ending {
  if (run.step === 'asked') return { ending: 'failed', status: 'failed', restore: true }
  // The machine may have swallowed it, written as it was; its guest did not come for it.
  if (run.step === 'recalled') return { ending: 'captured', status: 'blocked', restore: true }
  if (!isProven(run)) return { ending: 'unknown', status: 'unknown', restore: false }
  return { ending: run.dispenserId ? 'taken' : 'handed', status: null, restore: false }
}

/** The card is in the bin: what it was to open, or could open, no guest holds. */
function afterCapture(erased: boolean) {
  return (run: CardRun): Ending => {
    const status = run.step === 'asked' ? 'failed' : statusInBin(erased, isProven(run))
    return { ending: 'captured', status, restore: true }
  }
}

/**
 * What becomes of a key whose card lies in the bin. Out of a guest's reach is not gone: a card that nobody could erase
 * would still open the door to whoever empties the bin.
 */
function statusInBin(erased: boolean, proven: boolean): 'removed' | 'failed' | 'blocked' {
  if (!erased) return 'blocked'
  return proven ? 'removed' : 'failed'
}

function isProven({ step }: CardRun): boolean {
  return step === 'verified' || step === 'presented' || step === 'recalled'
}

/** `ours` is false when the card is known to be another than the expected one. */
async function captureCard(
  options: SettleOptions,
  dispenserId: string,
  machine: CardDispenser,
  expected: string | null,
): Promise<{ ours: boolean; uid: string | null; blank: boolean }> {
  const near = options.encoderOf(dispenserId)
  const { uid, blank } = near ? await wipeWithin(near, expected) : { uid: null, blank: false }
  const { card } = await machine.move('capture')
  if (card !== 'none') throw new DeviceFault('dispenser-jam', 'A card in the path could not be captured.')
  const ours = expected === null || uid === null || uid === expected
  return { ours, uid, blank: blank && uid !== null }
}

/** An encoder that is away does not keep the card in the path. */
async function wipeWithin(
  { encoder, system }: { encoder: EncoderHandle; system: CardLockSystem },
  expected: string | null,
): Promise<{ uid: string | null; blank: boolean }> {
  try {
    await encoder.bay.ready(5_000)
    return await encoder.bay.use((device) => wipe({ encoder: device, system }, expected))
  } catch (error) {
    if (error instanceof DeviceFault) return { uid: null, blank: false }
    throw error
  }
}

async function endAll(door: Door, runs: CardRun[], endingOf: (run: CardRun) => Ending): Promise<void> {
  for (const run of runs)
    await door.write(endCard, { runId: run.id, reason: 'settled', ...endingOf(run) }, { actor })
}

function openRuns(
  reader: Reader,
  also: { path: string; operator: 'eq' | 'isnull'; value: string | null }[],
): CardRun[] {
  const filters = [{ path: 'step', operator: 'ne' as const, value: 'ended' }, ...also]
  return reader.rows(cardRun, { filters, sort: [], page: { size: 1000 } })
}
