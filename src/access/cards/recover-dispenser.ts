import type { CardDispenser, CardPosition } from '../../devices/capability.ts'
import type { Actor, Writer } from '../../resource/command.ts'
import type { Reader } from '../../resource/keeper.ts'
import type { Machines, Property } from '../access.ts'
import type { DispenserHandle } from '../controllers/device-handle.ts'
import { startedAnew } from '../dispensers/dispenser-changes.ts'
import { dispenserBy } from '../lookups.ts'
import { type CardRun, cardRun } from '../resources/card-run.ts'
import { dispenser } from '../resources/dispenser.ts'
import { type KeyStatus, key } from '../resources/key.ts'
import { antennaIn } from './antenna.ts'
import { captureCard } from './capture-card.ts'
import { endCard } from './card-changes.ts'
import { lookInPath, remember } from './card-seen.ts'
import { watchGate } from './gate.ts'

const actor: Actor = { by: 'recovery', requestId: null }
/** The word for it in the history of an issuance. */
const reason = 'recovered'

/**
 * Puts right what a power cut, a killed program or a failing machine left behind, before anything new is issued: the
 * issuances that are still open are held against where the card is found. An unproven card is erased and captured; a
 * proven one may stay at the gate for its guest.
 */
export async function recoverDispenser(
  access: Property & Machines,
  handle: DispenserHandle,
  machine: CardDispenser,
): Promise<void> {
  const { reader, writer } = access
  const runs = openRuns(reader, [{ path: 'dispenserId', operator: 'eq', value: handle.id }])
  const last = runs.at(-1)
  // The machine holds one card: whatever it is, it is not that of an earlier issuance.
  await endAll(writer, runs.slice(0, -1))
  const card = await lookInPath(handle, machine)
  if (last) await recoverRun(access, handle, machine, last, card)
  else if (card !== 'none') await recoverNobodys(access, handle, machine, card)
  const byItself = handle.starts > 1 && !handle.restartAsked
  if (byItself) await writer.execute(startedAnew, { dispenserId: handle.id }, { actor })
}

async function recoverRun(
  access: Property & Machines,
  handle: DispenserHandle,
  machine: CardDispenser,
  run: CardRun,
  card: CardPosition,
): Promise<void> {
  const { writer, reader } = access
  if (card === 'none') return endAll(writer, [run])
  if (card === 'gate' && isProven(run) && !isRecalled(reader, run)) return waiting(access, handle, run.id)
  const isTouched = run.step !== 'asked'
  const issued = { runId: run.id, uid: run.uid ?? null, isTouched, isProven: isProven(run) }
  const antenna = antennaIn(access, handle.id)
  const { isOther } = await captureCard(writer, { handle, machine, card, issued, antenna, reason, actor })
  // The card of the issuance was gone before another came into the path.
  if (isOther) await endAll(writer, [run])
}

/**
 * Nobody's card is treated as the property wants it; the next issuance uses or captures it in any case. One that stays
 * within reach is watched.
 */
async function recoverNobodys(
  access: Property & Machines,
  handle: DispenserHandle,
  machine: CardDispenser,
  card: CardPosition,
): Promise<void> {
  const { reader, writer } = access
  const initAction = reader.row(dispenser, handle.id)?.initAction
  if (initAction === 'capture')
    await captureCard(writer, { handle, machine, card, antenna: antennaIn(access, handle.id), actor })
  else if (card === 'gate' && initAction === 'hold') remember(handle, await machine.move('hold'))
  else if (card === 'gate') waiting(access, handle, null)
}

/** A card waits at the gate, a proven one or, without a run, nobody's: somebody has to see whether it is taken. */
function waiting(access: Property & Machines, handle: DispenserHandle, runId: string | null): void {
  void watchGate(access, handle, dispenserBy(access, handle.id), { runId })
}

/** At a desk nobody can look where the card is: what was being written is in somebody's hand. */
export async function recoverDesk({ reader, writer }: Property): Promise<void> {
  await endAll(writer, openRuns(reader, [{ path: 'dispenserId', operator: 'isnull', value: null }]))
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
  // The machine may have captured it, written as it was; its guest did not come for it.
  if (run.step === 'recalled') return { ending: 'captured', status: 'blocked', restore: true }
  if (!isProven(run)) return { ending: 'unknown', status: 'unknown', restore: false }
  return { ending: run.dispenserId ? 'taken' : 'handed', status: null, restore: false }
}

/** It was called back because its key has ended: where that failed it is not left within reach once more. */
function isRecalled(reader: Reader, { step, keyId }: CardRun): boolean {
  return step === 'recalled' && reader.row(key, keyId)?.status !== 'live'
}

function isProven({ step }: CardRun): boolean {
  return step === 'verified' || step === 'presented' || step === 'recalled'
}

async function endAll(writer: Writer, runs: CardRun[]): Promise<void> {
  for (const run of runs)
    await writer.execute(endCard, { runId: run.id, reason, ...afterNothingFound(run) }, { actor })
}

function openRuns(
  reader: Reader,
  also: { path: string; operator: 'eq' | 'isnull'; value: string | null }[],
): CardRun[] {
  const filters = [{ path: 'step', operator: 'ne' as const, value: 'ended' }, ...also]
  return reader.rows(cardRun, { filters, sort: [], page: { size: 1000 } })
}
