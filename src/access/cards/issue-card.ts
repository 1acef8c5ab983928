import { DeviceFault } from '../../devices/fault.ts'
import type { Actor, Document, WriteOptions, Writer } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import { deviceProblem } from '../controllers/device-problem.ts'
import { startedAnew } from '../dispensers/dispenser-changes.ts'
import { beginKey } from '../keys/begin-key.ts'
import type { Job, Progress } from '../keys/job.ts'
import type { KeyBegun, KeyOrder } from '../keys/key-order.ts'
import { bothHeard } from './both-heard.ts'
import { captureCard } from './capture-card.ts'
import { endCard, stepCard, verifyKey } from './card-changes.ts'
import type { Feeder, MadeCard, Making } from './card-maker.ts'
import { lookInPath } from './card-seen.ts'
import { clearCard, isUntouched } from './clear-card.ts'

/** A card that is in a hand, or at the gate. */
interface Issued {
  document: Document
  /** Its issuance. */
  runId: string
}

/** An issuance that is written down. */
type Begun = KeyBegun & {
  /** A card that stands at the encoder already is written. */
  isPlaced: boolean
}

/**
 * Makes one card: take it from the stacker, write, read back, prove, and only then present it. The key is live in the
 * store before the card can be reached, and a card that is not proven is captured. Rejects with the 502 of what
 * failed; by then the key is failed, or its issuance is left open for the next start of the machine, and the key unknown
 * if it may be written.
 */
export async function issueCard(
  writer: Writer,
  making: Making,
  order: KeyOrder,
  options: WriteOptions,
  job: Job,
): Promise<Issued> {
  const { actor } = options
  const begun = await begin(writer, making, order, actor, job)
  try {
    const made = await encode(writer, making, begun, actor, job)
    return { document: await deliver(writer, making, begun, made, options, job), runId: begun.runId }
  } catch (error) {
    throw await failure(writer, making, begun, actor, job, error)
  }
}

/**
 * Makes a card as for a guest, up to its proof, and erases it and takes it back instead of presenting it. Resolves with
 * whether it is proven to be blank. Rejects as `issueCard` does.
 */
export async function issueOnTrial(
  writer: Writer,
  making: Making,
  order: KeyOrder,
  { actor }: WriteOptions,
  job: Job,
): Promise<boolean> {
  const begun = await begin(writer, making, order, actor, job)
  try {
    await encode(writer, making, begun, actor, job)
  } catch (error) {
    throw await failure(writer, making, begun, actor, job, error)
  }
  return clearCard(writer, making, { runId: begun.runId, actor, ...job.progress(), reason: 'trial' })
}

/** Refuses what would fail half-way, and writes down what is about to be made. */
async function begin(
  writer: Writer,
  making: Making,
  order: KeyOrder,
  actor: Actor,
  job: Job,
): Promise<Begun> {
  job.expectAwaited()
  const isPlaced = await look(writer, making, actor)
  job.report({ step: 'asked' })
  const begun = await writer.execute(beginKey, { ...order, isPlaced }, { actor })
  job.report({ keyId: begun.keyId })
  return { ...begun, isPlaced }
}

/** Feeds a card unless one is placed, and makes it the key. */
async function encode(
  writer: Writer,
  { maker, dispenser }: Making,
  begun: Begun,
  actor: Actor,
  job: Job,
): Promise<MadeCard> {
  // A card that cannot hold the key is not fed for it.
  const problem = maker.problem(begun)
  if (problem) throw new DeviceFault('unsupported-operation', problem)
  const { runId } = begun
  if (dispenser && !begun.isPlaced) {
    await maker.expectEmpty()
    await feed(dispenser, job)
  }
  job.report({ step: 'searching' })
  const made = await maker.encode(begun, async (uid) => {
    job.report({ uid })
    await writer.execute(stepCard, { runId, step: 'writing', ...(uid !== null && { uid }) }, { actor })
  })
  job.report({ uid: made.uid })
  return made
}

/** The card holds the key: from here on it may be in a hand. */
async function deliver(
  writer: Writer,
  { maker, dispenser }: Making,
  { keyId, runId }: Begun,
  made: MadeCard,
  options: WriteOptions,
  job: Job,
): Promise<Document> {
  const { actor } = options
  // A card in the machine is nobody's answer any more; one that a hand has is a key all the same.
  if (dispenser) job.expectAwaited()
  const document = await writer.execute(verifyKey, { keyId, runId, ...made }, options)
  job.report({ step: 'verified' })
  if (dispenser) await present(writer, dispenser, runId, actor, job)
  else {
    maker.handed(made.uid)
    const handed = { runId, ending: 'handed', status: null, reason: null, restore: false } as const
    await writer.execute(endCard, handed, { actor })
  }
  job.report({ step: 'done' })
  return document
}

/**
 * Refuses before anything moves: what would fail half-way. Resolves with whether a card stands at the encoder that is to
 * be written; any other card in the path is captured.
 */
async function look(writer: Writer, { dispenser, maker }: Making, actor: Actor): Promise<boolean> {
  if (!dispenser) return false
  const { handle } = dispenser
  const dispenserId = handle.id
  await expectWell(dispenser, () => writer.execute(startedAnew, { dispenserId }, { actor }))
  const { card, bin, stacker } = handle.seen!.status
  if (bin === 'full')
    throw new DeviceFault('dispenser-bin-full', 'The bin is full: a bad card could not be captured.')
  if (card === 'gate')
    throw new Problem('dispenser-busy-with-guest', 'A card still lies at the gate.', {
      meta: { retryAfterSeconds: 3 },
    })
  if (card === 'encoder' && (await maker.isUsable())) return true
  if (card !== 'none') await captureCard(writer, { ...dispenser, card, antenna: maker.antenna, actor })
  if (stacker === 'empty') throw new DeviceFault('dispenser-empty', 'The stacker is empty.')
  return false
}

/** A machine that lost its power asks to be initialised: done once, without moving what it may hold. */
async function expectWell({ machine, handle }: Feeder, startedAgain: () => Promise<unknown>): Promise<void> {
  try {
    await lookInPath(handle, machine)
  } catch (error) {
    if (!(error instanceof DeviceFault) || error.code !== 'dispenser-reset-required') throw error
    await machine.initialise('leave')
    await startedAgain()
    await lookInPath(handle, machine)
  }
}

async function feed({ machine, handle }: Feeder, job: Job): Promise<void> {
  job.report({ step: 'feeding' })
  handle.activity = 'dispensing'
  await machine.move('encoder')
  handle.activity = 'encoding'
}

async function present(
  writer: Writer,
  { machine, handle }: Feeder,
  runId: string,
  actor: Actor,
  job: Job,
): Promise<void> {
  job.report({ step: 'presenting' })
  handle.activity = 'presenting'
  // The motion's failure says more than that of its journal line.
  await bothHeard(bringToGate(machine), writer.execute(stepCard, { runId, step: 'presented' }, { actor }))
}

/** A move that was not confirmed is held against the sensors: at the gate, or gone from it, the card was presented. */
async function bringToGate(machine: Feeder['machine']): Promise<void> {
  try {
    await machine.move('front')
  } catch (error) {
    if (!(error instanceof DeviceFault) || error.code !== 'dispenser-timeout') throw error
    const seen = await machine.status().catch(() => null)
    if (seen?.card !== 'none' && seen?.card !== 'gate') throw error
  }
}

/** Clears the card away, and gives what the caller is told. */
async function failure(
  writer: Writer,
  making: Making,
  { keyId, runId }: Begun,
  actor: Actor,
  job: Job,
  error: unknown,
): Promise<unknown> {
  const progress = job.progress()
  const isProven = await clearCard(writer, making, { runId, actor, ...progress, reason: reasonOf(error) })
  return answerTo(error, keyId, progress, isProven)
}

/** The word for it in the card's history. A failure of our own has no word but this. */
function reasonOf(error: unknown): string {
  return error instanceof DeviceFault || error instanceof Problem ? error.code : 'internal'
}

/** What the caller is told. A failure of our own is no device's, and stays what it is. */
function answerTo(error: unknown, keyId: string, { step }: Progress, isProven: boolean): unknown {
  if (!(error instanceof DeviceFault)) return error
  // A card that jams where it may already be written is in nobody's hand, and proves nothing.
  if (error.code === 'dispenser-jam') error.outcomeUnknown = !isUntouched(step)
  if (!isProven) error.outcomeUnknown = true
  return deviceProblem(error, { keyId, step })
}
