import type { CardDispenser, CardEncoder, CardLockSystem } from '../../devices/capability.ts'
import { DeviceFault } from '../../devices/fault.ts'
import type { Clock } from '../../host/clock.ts'
import type { Actor, Document, Door, WriteOptions } from '../../resource/change.ts'
import { Problem } from '../../resource/problem.ts'
import { startedAnew } from '../dispensers/dispenser-changes.ts'
import { deviceProblem } from '../equipment/device-problem.ts'
import type { DispenserHandle } from '../equipment/handles.ts'
import { beginKey, type KeyBegun } from '../keys/begin-key.ts'
import type { KeyOrder } from '../keys/key-order.ts'
import type { AccessController } from '../resources/access-controller.ts'
import { bothHeard } from './both-heard.ts'
import { captureCard } from './capture-card.ts'
import { endCard, stepCard, verifyKey } from './card-changes.ts'
import { type CardMaker, expectAwaited } from './card-maker.ts'
import { lookInPath } from './card-seen.ts'
import { clearCard, isUntouched, trialOver } from './clear-card.ts'

/** An encoder of ours with the lock system it writes for. */
export interface Station {
  controller: AccessController
  encoder: CardEncoder
  system: CardLockSystem
  /** Null at a desk, where a hand lays the card on the encoder. */
  dispenser: { handle: DispenserHandle; machine: CardDispenser } | null
  /** Knows which card was made at the desk last. */
  desk: { issued: string | null }
  clock: Clock
}

/** Where on its way the card is: for an answer that cannot wait for the end, and for what a failure means. */
export interface Progress {
  step:
    | 'queued'
    | 'asked'
    | 'feeding'
    | 'searching'
    | 'writing'
    | 'proving'
    | 'verified'
    | 'presenting'
    | 'done'
  begun: KeyBegun | null
  /** The card's serial number, once it was found. */
  uid: string | null
  /** The caller was answered without a card, so none may come out any more. */
  late: boolean
  /** The card is made to see whether it can be: once proven it is erased and taken back. Then it says whether it was. */
  trial?: { isErased: boolean }
}

/** What makes a card a key, and where it comes from. */
export interface Making {
  maker: CardMaker
  /** Null at a desk, where a hand lays the card on the encoder. */
  dispenser: Station['dispenser']
}

/**
 * Makes one card: take it from the stacker, write, read back, prove, and only then present it. The key is live in the
 * store before the card can be reached, and a card that is not proven is captured. Rejects with the 502 of what
 * failed; by then the key is failed, or its way is left open for `settle`, and the key unknown if it may be written.
 */
export async function issueCard(
  door: Door,
  making: Making,
  order: KeyOrder,
  options: WriteOptions,
  progress: Progress,
): Promise<Document> {
  const { actor } = options
  expectAwaited(progress)
  const isPlaced = await look(door, making, actor)
  progress.step = 'asked'
  const begun = await door.write(beginKey, { ...order, isPlaced }, { actor })
  progress.begun = begun
  try {
    expectSayable(making, begun)
    return await make(door, making, { ...begun, isPlaced }, options, progress)
  } catch (error) {
    const isProven = await clearCard(door, making, begun, actor, progress, error)
    if (progress.trial) progress.trial.isErased = isProven
    throw answerTo(error, begun, progress, isProven)
  }
}

async function make(
  door: Door,
  { maker, dispenser }: Making,
  begun: KeyBegun & { isPlaced: boolean },
  options: WriteOptions,
  progress: Progress,
): Promise<Document> {
  const { actor } = options
  const { keyId, runId } = begun
  if (dispenser && !begun.isPlaced) {
    await maker.expectEmpty()
    await feed(dispenser, progress)
  }
  progress.step = 'searching'
  const made = await maker.encode(begun, async (uid) => {
    progress.uid = uid
    await door.write(stepCard, { runId, step: 'writing', ...(uid !== null && { uid }) }, { actor })
  })
  progress.uid = made.uid
  if (progress.trial) throw trialOver
  // A card in the machine is nobody's answer any more; one that a hand has is a key all the same.
  if (dispenser) expectAwaited(progress)
  const document = await door.write(verifyKey, { keyId, runId, ...made }, options)
  progress.step = 'verified'
  if (dispenser) await present(door, dispenser, runId, options, progress)
  else {
    maker.handed(progress.uid)
    const handed = { runId, ending: 'handed', status: null, reason: null, restore: false } as const
    await door.write(endCard, handed, { actor })
  }
  progress.step = 'done'
  return document
}

/** A card that cannot hold the key is not fed for it. */
function expectSayable({ maker }: Making, begun: KeyBegun): void {
  const problem = maker.problem(begun)
  if (problem) throw new DeviceFault('unsupported-operation', problem)
}

/**
 * Refuses before anything moves: what would fail half-way. Resolves with whether a card stands at the encoder that is to
 * be written; any other card in the path is captured.
 */
async function look(door: Door, { dispenser, maker }: Making, actor: Actor): Promise<boolean> {
  if (!dispenser) return false
  const { handle } = dispenser
  const dispenserId = handle.id
  await expectWell(dispenser, () => door.write(startedAnew, { dispenserId }, { actor }))
  const { card, bin, stacker } = handle.seen!.status
  if (bin === 'full')
    throw new DeviceFault('dispenser-bin-full', 'The bin is full: a bad card could not be captured.')
  if (card === 'gate')
    throw new Problem('dispenser-busy-with-guest', 'A card still lies at the gate.', {
      meta: { retryAfterSeconds: 3 },
    })
  if (card === 'encoder' && (await maker.isUsable())) return true
  if (card !== 'none') await captureCard(door, { ...dispenser, card, antenna: maker.antenna, actor })
  if (stacker === 'empty') throw new DeviceFault('dispenser-empty', 'The stacker is empty.')
  return false
}

/** A machine that lost its power asks to be initialised: done once, without moving what it may hold. */
async function expectWell(
  { machine, handle }: NonNullable<Station['dispenser']>,
  startedAgain: () => Promise<unknown>,
): Promise<void> {
  try {
    await lookInPath(handle, machine)
  } catch (error) {
    if (!(error instanceof DeviceFault) || error.code !== 'dispenser-reset-required') throw error
    await machine.initialise('leave')
    await startedAgain()
    await lookInPath(handle, machine)
  }
}

async function feed(
  { machine, handle }: NonNullable<Station['dispenser']>,
  progress: Progress,
): Promise<void> {
  progress.step = 'feeding'
  handle.activity = 'dispensing'
  await machine.move('encoder')
  handle.activity = 'encoding'
}

async function present(
  door: Door,
  { machine, handle }: NonNullable<Station['dispenser']>,
  runId: string,
  { actor }: WriteOptions,
  progress: Progress,
): Promise<void> {
  progress.step = 'presenting'
  handle.activity = 'presenting'
  // The motion's failure says more than that of its journal line.
  await bothHeard(bringToGate(machine), door.write(stepCard, { runId, step: 'presented' }, { actor }))
}

/** A move that was not confirmed is held against the sensors: at the gate, or gone from it, the card was presented. */
async function bringToGate(machine: CardDispenser): Promise<void> {
  try {
    await machine.move('front')
  } catch (error) {
    if (!(error instanceof DeviceFault) || error.code !== 'dispenser-timeout') throw error
    const seen = await machine.status().catch(() => null)
    if (seen?.card !== 'none' && seen?.card !== 'gate') throw error
  }
}

/** What the caller is told. A failure of our own is no device's, and stays what it is. */
function answerTo(error: unknown, { keyId }: KeyBegun, { step }: Progress, isProven: boolean): unknown {
  if (!(error instanceof DeviceFault)) return error
  // A card that jams where it may already be written is in nobody's hand, and proves nothing.
  if (error.code === 'dispenser-jam') error.outcomeUnknown = !isUntouched(step)
  if (!isProven) error.outcomeUnknown = true
  return deviceProblem(error, { keyId, step })
}
