import { DeviceFault } from '../../devices/fault.ts'
import type { Actor, Document, WriteOptions, Writer } from '../../resource/command.ts'
import { Problem } from '../../resource/problem.ts'
import { lookInPath } from '../dispensers/card-seen.ts'
import { startedAnew } from '../dispensers/dispenser-commands.ts'
import { deviceProblem } from '../handles/device-problem.ts'
import { beginKey } from '../keys/begin-key.ts'
import type { Job, KeyJob } from '../keys/orders/job.ts'
import type { KeyBegun, KeyOrder } from '../keys/orders/key-order.ts'
import { captureCard } from './capture-card.ts'
import { endCard, stepCard, verifyKey } from './card-commands.ts'
import type { Feeder, MadeCard, Making } from './card-maker.ts'
import { clearCard, isUntouched } from './failed-card.ts'

/** The result of making a card. */
export interface Made<T> {
  result: T
  /** The issuance of the card that was presented or handed over; null when it was captured. */
  issued: string | null
}

interface Issuing extends Making {
  writer: Writer
  job: Job
  actor: Actor
}

/** An issuance that is in the store. */
type Begun = KeyBegun & {
  /** The card that already stands at the encoder is used. */
  isPlaced: boolean
}

/**
 * Makes one card: takes it from the stacker, writes it, reads it back, and only then presents it. The key is live in
 * the store before the card can be reached. A card that is not proven is captured. Rejects with a 502 Problem that
 * names the fault of a device, or with the Problem of a rule. By then the key is failed; or, if the card may be written,
 * the issuance is open for the next start of the machine and the key is unknown.
 */
export async function issueCard(writer: Writer, making: Making, wanted: KeyJob): Promise<Made<Document>> {
  const { order, options, job } = wanted
  const issuing = { ...making, writer, job, actor: options.actor }
  const begun = await begin(issuing, order)
  try {
    const made = await encode(issuing, begun)
    const { confirmed } = order
    return { result: await deliver(issuing, begun, { ...made, confirmed }, options), issued: begun.runId }
  } catch (error) {
    throw await failure(issuing, begun, error)
  }
}

/**
 * Makes a card up to its proof, then erases and captures it instead of presenting it. Resolves with whether the card is
 * proven blank. Rejects as `issueCard` does.
 */
export async function issueOnTrial(writer: Writer, making: Making, wanted: KeyJob): Promise<Made<boolean>> {
  const { order, options, job } = wanted
  const { actor } = options
  const issuing = { ...making, writer, job, actor }
  const begun = await begin(issuing, order)
  try {
    await encode(issuing, begun)
  } catch (error) {
    throw await failure(issuing, begun, error)
  }
  const trial = { runId: begun.runId, actor, ...job.progress(), reason: 'trial', isRefused: false }
  return { result: await clearCard(writer, making, trial), issued: null }
}

/** Refuses an order that would fail half-way, and stores the issuance. */
async function begin(issuing: Issuing, order: KeyOrder): Promise<Begun> {
  const { writer, job, actor } = issuing
  job.expectAwaited()
  const isPlaced = await look(issuing)
  job.report({ step: 'asked' })
  const begun = await writer.execute(beginKey, { ...order, isPlaced }, { actor })
  job.report({ keyId: begun.keyId })
  return { ...begun, isPlaced }
}

/** Feeds a card unless one is placed, and writes the key to it. */
async function encode({ maker, dispenser, writer, job, actor }: Issuing, begun: Begun): Promise<MadeCard> {
  // No card is fed for a key that no card can hold.
  const problem = maker.problem(begun)
  if (problem) throw new DeviceFault('unsupported-operation', problem)
  const { runId } = begun
  if (dispenser) {
    await maker.expectReady(begun, begun.isPlaced)
    job.expectAwaited()
    if (!begun.isPlaced) await feed(dispenser, job)
  }
  job.report({ step: 'searching' })
  const made = await maker.encode(begun, async (uid) => {
    job.report({ uid })
    await writer.execute(stepCard, { runId, step: 'writing', ...(uid !== null && { uid }) }, { actor })
  })
  job.report({ uid: made.uid })
  return made
}

/** Makes the key live and presents the card, or hands it over at a front desk. */
async function deliver(
  { maker, dispenser, writer, job, actor }: Issuing,
  { keyId, runId }: Begun,
  made: MadeCard & Pick<KeyOrder, 'confirmed'>,
  options: WriteOptions,
): Promise<Document> {
  // When the caller's timeout has passed, a card inside the machine is not presented. A card that a person already
  // holds becomes a key all the same.
  if (dispenser) job.expectAwaited()
  const document = await writer.execute(verifyKey, { keyId, runId, ...made }, options)
  job.report({ step: 'verified' })
  if (dispenser) await present(dispenser, job)
  else {
    maker.handed(made.uid)
    const handed = { runId, ending: 'handed', event: null, reason: null, restore: false } as const
    await writer.execute(endCard, handed, { actor })
  }
  job.report({ step: 'done' })
  return document
}

/**
 * Refuses an order that would fail half-way, before any motion. Resolves with whether the card at the encoder is used;
 * any other card in the path is captured.
 */
async function look({ dispenser, maker, writer, actor }: Issuing): Promise<boolean> {
  if (!dispenser) return false
  const { handle } = dispenser
  await expectWell(dispenser, () => writer.execute(startedAnew, { dispenserId: handle.id }, { actor }))
  const { card, bin, stacker } = handle.seen!.status
  if (bin === 'full')
    throw new DeviceFault(
      'dispenser-bin-full',
      'The bin is full, so a bad card could not be captured. Empty the bin.',
    )
  if (card === 'gate')
    throw new Problem('dispenser-busy-with-guest', 'A card still lies at the gate. Take it first.', {
      meta: { retryAfterSeconds: 3 },
    })
  if (card === 'encoder' && (await maker.isUsable())) return true
  if (card !== 'none') await captureCard(writer, { ...dispenser, card, antenna: maker.antenna, actor })
  if (stacker === 'empty') throw new DeviceFault('dispenser-empty', 'The stacker is empty.')
  return false
}

/** Initialises a machine that lost its power, once, without moving a card that it may hold. */
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

/**
 * Moves the card to the gate. When the machine does not confirm the move, its sensors decide: a card at the gate or
 * gone from the path was presented.
 */
async function present({ machine, handle }: Feeder, job: Job): Promise<void> {
  job.report({ step: 'presenting' })
  handle.activity = 'presenting'
  try {
    await machine.move('front')
  } catch (error) {
    if (!(error instanceof DeviceFault) || error.code !== 'dispenser-timeout') throw error
    const seen = await machine.status().catch(() => null)
    if (seen?.card !== 'none' && seen?.card !== 'gate') throw error
  }
}

/**
 * Clears the card away and returns the error for the caller: a Problem for a DeviceFault, and whether a card may hold the
 * key that a rule refused.
 */
async function failure(issuing: Issuing, { keyId, runId }: Begun, error: unknown): Promise<unknown> {
  const { writer, job, actor } = issuing
  const progress = job.progress()
  const { step } = progress
  const reason = error instanceof DeviceFault || error instanceof Problem ? error.code : 'internal'
  // A store that cannot write decides nothing about the key.
  const isRefused = error instanceof Problem && error.status < 500
  const isClear = await clearCard(writer, issuing, { runId, actor, ...progress, reason, isRefused })
  if (error instanceof Problem && !isClear)
    error.options.meta = { ...error.options.meta, keyId, outcomeUnknown: true }
  if (!(error instanceof DeviceFault)) return error
  // A jammed card is inside the machine. If its write has begun, its content is unknown.
  if (error.code === 'dispenser-jam') error.outcomeUnknown = !isUntouched(step)
  if (!isClear) error.outcomeUnknown = true
  return deviceProblem(error, { keyId, step })
}
