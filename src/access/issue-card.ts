import {
  type CardDispenser,
  type CardEncoder,
  type CardLockSystem,
  type FoundCard,
  type Grant,
  writingOperations,
} from '../devices/capability.ts'
import { DeviceFault } from '../devices/fault.ts'
import type { Document, Door, WriteOptions } from '../resource/change.ts'
import { Problem } from '../resource/problem.ts'
import { awaitCard, prove, uidText } from './card-in-field.ts'
import { clearCard, isUntouched } from './clear-card.ts'
import { deviceProblem } from './device-problem.ts'
import type { DispenserHandle } from './handles.ts'
import { beginKey, endCard, type KeyBegun, type KeyOrder, stepCard, verifyKey } from './key-changes.ts'
import type { AccessController } from './resources/access-controller.ts'

/** Everything one card needs on its way. */
export interface Station {
  controller: AccessController
  encoder: CardEncoder
  system: CardLockSystem
  /** Null at a desk, where a hand lays the card on the encoder. */
  dispenser: { handle: DispenserHandle; machine: CardDispenser } | null
  /** Knows which card was made at the desk last. */
  desk: { issued: string | null }
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
}

/** How long a fed card may take to be found on the antenna. */
const cardSettlesMs = 2_000

/**
 * Makes one card: take it from the stacker, write, read back, prove, and only then present it. The key is live in the
 * store before the card can be reached, and a card that is not proven is captured. Rejects with the 502 of what
 * failed; by then the key is failed, or its way is left open for `settle`, and the key unknown if it may be written.
 */
export async function issueCard(
  door: Door,
  station: Station,
  order: KeyOrder,
  grantOf: (begun: KeyBegun) => Grant,
  options: WriteOptions,
  progress: Progress,
): Promise<Document> {
  const { actor } = options
  expectAwaited(progress)
  await look(station)
  progress.step = 'asked'
  const begun = await door.write(beginKey, order, { actor })
  progress.begun = begun
  try {
    const grant = grantOf(begun)
    expectSayable(station, grant)
    return await make(door, station, begun, grant, options, progress)
  } catch (error) {
    const isProven = await clearCard(door, station, begun, actor, progress, error)
    throw answerTo(error, begun, progress, isProven)
  }
}

async function make(
  door: Door,
  station: Station,
  { keyId, runId }: KeyBegun,
  grant: Grant,
  options: WriteOptions,
  progress: Progress,
): Promise<Document> {
  const { actor } = options
  const { encoder, system, dispenser } = station
  if (dispenser) {
    await expectEmptyField(encoder)
    await feed(dispenser, progress)
  }
  progress.step = 'searching'
  const card = dispenser ? await awaitCard(encoder, cardSettlesMs) : await handedCard(station)
  expectAwaited(progress)
  progress.uid = uidText(card)
  await door.write(stepCard, { runId, step: 'writing', uid: progress.uid }, { actor })
  const touched = () => {
    if (progress.step === 'searching') expectAwaited(progress)
    progress.step = 'writing'
  }
  await system.write(noting(encoder, touched), card, grant)
  progress.step = 'proving'
  await prove(system, encoder, card, grant)
  await encoder.off()
  expectAwaited(progress)
  const proof = { keyId, runId, uid: uidText(card), cardFormat: formatOf(card) }
  const document = await door.write(verifyKey, proof, options)
  progress.step = 'verified'
  if (dispenser) await present(door, dispenser, runId, options, progress)
  else {
    station.desk.issued = progress.uid
    await door.write(
      endCard,
      { runId, ending: 'handed', status: null, reason: null, restore: false },
      { actor },
    )
  }
  progress.step = 'done'
  return document
}

/** A card that cannot hold the grant is not fed for it. */
function expectSayable({ system }: Station, grant: Grant): void {
  const problem = system.grantProblem(grant)
  if (problem) throw new DeviceFault('unsupported-operation', problem)
}

/** An answer without a card has left: who got it asks again, and must not find two cards. */
function expectAwaited({ late }: Progress): void {
  if (late) throw new DeviceFault('encoder-busy', 'Nobody waits for this card any more.')
}

/** The card that a hand lays down. One of the staff's stays as it is. */
async function handedCard({ encoder, system, controller, desk }: Station): Promise<FoundCard> {
  const card = await awaitCard(encoder, handTakesMs(controller), desk)
  const { grant } = await system.read(encoder, card)
  if (grant?.usage === 'Staff')
    throw new Problem('foreign-card', 'The card is one of the staff; it was left as it is.')
  return card
}

/** A hand may need a while to lay a card down; its answer still has to leave in time. */
function handTakesMs({ timeoutMs }: AccessController): number {
  const limit = timeoutMs ?? 18_000
  return Math.max(limit / 2, limit - 3_000)
}

/** Refuses before anything moves: what would fail half-way, and a card that nobody can be sure of. */
async function look({ dispenser }: Station): Promise<void> {
  if (!dispenser) return
  const { machine, handle } = dispenser
  const status = await wellStatus(machine)
  if (status.bin === 'full')
    throw new DeviceFault('dispenser-bin-full', 'The bin is full: a bad card could not be captured.')
  if (status.card === 'gate')
    throw new Problem('dispenser-busy-with-guest', 'A card still lies at the gate.', {
      meta: { retryAfterSeconds: 3 },
    })
  if (status.card !== 'none') {
    handle.activity = 'capturing'
    await machine.move('capture')
  }
  if (status.stacker === 'empty') throw new DeviceFault('dispenser-empty', 'The stacker is empty.')
}

/** A machine that lost its power asks to be initialised: done once, without moving what it may hold. */
async function wellStatus(machine: CardDispenser) {
  try {
    return await machine.status()
  } catch (error) {
    if (!(error instanceof DeviceFault) || error.code !== 'dispenser-reset-required') throw error
    await machine.initialise('leave')
    return machine.status()
  }
}

/** The path is empty, so what the antenna sees lies on it from outside, and would be written instead of the fed card. */
async function expectEmptyField(encoder: CardEncoder): Promise<void> {
  if (await encoder.find())
    throw new DeviceFault('multiple-cards', 'A card lies on the encoder before one was fed.')
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

/** The encoder, telling when a write is about to leave: until then the card is as it was. */
function noting(encoder: CardEncoder, touched: () => void): CardEncoder {
  const { desfire } = encoder
  return {
    ...announced(encoder, writingOperations.encoder, touched),
    ...(desfire && { desfire: announced(desfire, writingOperations.desfire, touched) }),
  }
}

function announced<Device extends object>(
  device: Device,
  operations: readonly (keyof Device)[],
  touched: () => void,
): Device {
  const announcing = { ...device }
  for (const name of operations) {
    const operation = device[name] as (...given: unknown[]) => unknown
    announcing[name] = ((...given: unknown[]) => {
      touched()
      return operation(...given)
    }) as Device[typeof name]
  }
  return announcing
}

/** Neither of a motion and its journal line may be left to fail alone; the motion's failure says more. */
async function bothHeard(motion: Promise<void>, written: Promise<unknown>): Promise<void> {
  const [moved, noted] = await Promise.allSettled([motion, written])
  if (moved.status === 'rejected') throw moved.reason
  if (noted.status === 'rejected') throw noted.reason
}

/** What the caller is told. A failure of our own is no device's, and stays what it is. */
function answerTo(error: unknown, { keyId }: KeyBegun, { step }: Progress, isProven: boolean): unknown {
  if (!(error instanceof DeviceFault)) return error
  // A card that jams where it may already be written is in nobody's hand, and proves nothing.
  if (error.code === 'dispenser-jam') error.outcomeUnknown = !isUntouched(step)
  if (!isProven) error.outcomeUnknown = true
  return deviceProblem(error, { keyId, step })
}

function formatOf({ format }: FoundCard) {
  return format === 'unknown' ? null : format
}
