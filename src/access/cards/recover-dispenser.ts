import type { CardDispenser, CardPosition } from '../../devices/capability.ts'
import type { Actor, Writer } from '../../resource/command.ts'
import type { Reader } from '../../resource/keeper.ts'
import { first, having } from '../../resource/query.ts'
import type { Machines, Property } from '../access.ts'
import { lookInPath, remember } from '../dispensers/card-seen.ts'
import { startedAnew } from '../dispensers/dispenser-commands.ts'
import type { DispenserHandle } from '../handles/device-handle.ts'
import { dispenserBy } from '../lookups.ts'
import { type CardRun, cardRun, wasVerified } from '../resources/card-run.ts'
import { dispenser } from '../resources/dispenser.ts'
import { key } from '../resources/key.ts'
import { antennaIn } from './antenna.ts'
import { captureCard } from './capture-card.ts'
import { endCard } from './card-commands.ts'
import type { Feeder } from './card-maker.ts'
import { watchGate } from './watch-gate.ts'

const actor: Actor = { by: 'recovery', requestId: null }
/** The reason that is stored with a recovered issuance. */
const reason = 'recovered'

/**
 * Recovers a dispenser after a power cut, a crash or a machine fault, before anything new is issued. It compares the
 * open issuances with the position of the card. An unproven card is erased and captured. A proven one may stay at the
 * gate for its guest.
 */
export async function recoverDispenser(
  access: Machines,
  handle: DispenserHandle,
  machine: CardDispenser,
): Promise<void> {
  const { reader, writer } = access
  const runs = openRuns(reader, handle.id)
  const last = runs.at(-1)
  // The machine holds one card, so it holds none of the earlier issuances.
  await endAll(writer, runs.slice(0, -1), antennaIn(access, handle.id) === null)
  const card = await lookInPath(handle, machine)
  if (last) await recoverRun(access, { handle, machine }, last, card)
  else if (card !== 'none') await recoverOther(access, { handle, machine }, card)
  const byItself = handle.starts > 1 && !handle.restartRequested
  if (byItself) await writer.execute(startedAnew, { dispenserId: handle.id }, { actor })
}

async function recoverRun(
  access: Machines,
  { handle, machine }: Feeder,
  run: CardRun,
  card: CardPosition,
): Promise<void> {
  const { writer, reader } = access
  const antenna = antennaIn(access, handle.id)
  if (card === 'none') return endAll(writer, [run], antenna === null)
  if (card === 'gate' && wasVerified(run) && !isRecalled(reader, run))
    return void watchGate(access, handle, dispenserBy(access, handle.id), { runId: run.id })
  const isTouched = run.step !== 'asked'
  const issued = { runId: run.id, uid: run.uid ?? null, isTouched, wasVerified: wasVerified(run) }
  const { isOther } = await captureCard(writer, { handle, machine, card, issued, antenna, reason, actor })
  // The card in the path is another one: the card of the issuance had left the machine before.
  if (isOther) await endAll(writer, [run], antenna === null)
}

/**
 * Treats a card without an issuance by the dispenser's `initAction`. A card that stays at the gate is watched. The next
 * issuance uses or captures a card inside.
 */
async function recoverOther(
  access: Machines,
  { handle, machine }: Feeder,
  card: CardPosition,
): Promise<void> {
  const initAction = access.reader.row(dispenser, handle.id)?.initAction
  if (initAction === 'capture')
    await captureCard(access.writer, { handle, machine, card, antenna: antennaIn(access, handle.id), actor })
  else if (card === 'gate' && initAction === 'hold') remember(handle, await machine.move('hold'))
  else if (card === 'gate') void watchGate(access, handle, dispenserBy(access, handle.id), { runId: null })
}

/** Ends the open issuances of the front desks. No sensor sees their cards, which may have been taken away. */
export async function recoverDesk({ reader, writer }: Property): Promise<void> {
  await endAll(writer, openRuns(reader, null), true)
}

/**
 * How an issuance ends when no card is in the path. Before the first byte nothing was written; after the proof the
 * guest has the card. A lock system cancels the older keys of the unit as it writes a new one.
 */
function afterNothingFound(run: CardRun, byLockSystem: boolean) {
  if (run.step === 'asked') return { ending: 'failed', event: 'unwritten', restore: true } as const
  // The machine may have captured the card without erasing it, or the guest has pulled it out at that moment. Both
  // cards may open.
  const lost = { ending: 'unknown', event: 'lost-in-recall', restore: !byLockSystem } as const
  if (run.step === 'recalled') return lost
  if (!wasVerified(run)) return { ending: 'unknown', event: 'no-answer', restore: false } as const
  return { ending: run.dispenserId ? 'taken' : 'handed', event: null, restore: false } as const
}

/** Whether the card was recalled because its key had ended. Such a card is not left at the gate again. */
function isRecalled(reader: Reader, { step, keyId }: CardRun): boolean {
  return step === 'recalled' && reader.row(key, keyId)?.status !== 'live'
}

async function endAll(writer: Writer, runs: CardRun[], byLockSystem: boolean): Promise<void> {
  for (const run of runs) {
    const ending = afterNothingFound(run, byLockSystem)
    await writer.execute(endCard, { runId: run.id, reason, ...ending }, { actor })
  }
}

/** The open issuances at a dispenser, or those at the front desks (null), oldest first. */
function openRuns(reader: Reader, dispenserId: string | null): CardRun[] {
  const isOpen = { path: 'step', operator: 'ne', value: 'ended' } as const
  return reader.rows(cardRun, first([isOpen, ...having({ dispenserId })]))
}
