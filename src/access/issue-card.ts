import type { CardDispenser, CardEncoder, CardLockSystem, FoundCard, Grant } from '../devices/capability.ts'
import { DeviceFault } from '../devices/fault.ts'
import type { Document, Door, WriteOptions } from '../resource/change.ts'
import { Problem } from '../resource/problem.ts'
import { awaitCard, prove, uidText } from './card-in-field.ts'
import { deviceProblem } from './device-problem.ts'
import type { DispenserHandle } from './handles.ts'
import {
  beginKey,
  doubtKey,
  endCard,
  type KeyBegun,
  type KeyOrder,
  stepCard,
  verifyKey,
} from './key-changes.ts'
import type { AccessController } from './resources/access-controller.ts'
import type { KeyStatus } from './resources/key.ts'

/** Everything one card needs on its way. */
export interface Station {
  controller: AccessController
  encoder: CardEncoder
  system: CardLockSystem
  /** Null at a desk, where a hand lays the card on the encoder. */
  dispenser: { handle: DispenserHandle; machine: CardDispenser } | null
}

/** Where on its way the card is: for an answer that cannot wait for the end, and for what a failure means. */
export interface Progress {
  step: 'asked' | 'feeding' | 'searching' | 'writing' | 'proving' | 'verified' | 'presenting' | 'done'
  keyId: string | null
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
  // The machine is asked how it is while the intent reaches the disk; nothing has moved yet.
  const looked = look(station).then(
    () => null,
    (error: unknown) => error,
  )
  const begun = await door.write(beginKey, order, { actor })
  progress.keyId = begun.keyId
  const grant = grantOf(begun)
  try {
    const unfit = await looked
    if (unfit) throw unfit
    return await write(door, station, begun, grant, options, progress)
  } catch (error) {
    const fault = asFault(error)
    // A card that jams where it may already be written is in nobody's hand, and proves nothing.
    if (fault.code === 'dispenser-jam') fault.outcomeUnknown = !isUntouched(progress.step)
    await clear(door, station, begun, options, progress, fault)
    throw error instanceof Problem ? error : deviceProblem(fault, { keyId: begun.keyId, step: progress.step })
  }
}

async function write(
  door: Door,
  { encoder, system, dispenser, controller }: Station,
  { keyId, runId }: KeyBegun,
  grant: Grant,
  options: WriteOptions,
  progress: Progress,
): Promise<Document> {
  const { actor } = options
  const say = (step: Progress['step']) => {
    progress.step = step
  }
  const intent = door.write(stepCard, { runId, step: 'writing' }, { actor })
  const fed = dispenser ? feed(dispenser, say) : Promise.resolve()
  // Both are heard out: neither may be left to fail alone.
  const [written, moved] = await Promise.allSettled([intent, fed])
  if (moved.status === 'rejected') throw moved.reason
  if (written.status === 'rejected') throw written.reason
  say('searching')
  const card = await awaitCard(encoder, dispenser ? cardSettlesMs : (controller.timeoutMs ?? 18_000))
  say('writing')
  await system.write(encoder, card, grant)
  say('proving')
  await prove(system, encoder, card, grant)
  await encoder.off()
  const document = await door.write(
    verifyKey,
    { keyId, runId, uid: uidText(card), cardFormat: formatOf(card) },
    options,
  )
  say('verified')
  if (dispenser) await present(door, dispenser, runId, options, say)
  else
    await door.write(
      endCard,
      { runId, ending: 'handed', status: null, reason: null, restore: false },
      { actor },
    )
  say('done')
  return document
}

/** Refuses before anything moves: what would fail half-way, and a card that nobody can be sure of. */
async function look({ dispenser }: Station): Promise<void> {
  if (!dispenser) return
  const { machine, handle } = dispenser
  const status = await machine.status()
  if (status.bin === 'full')
    throw new DeviceFault('dispenser-bin-full', 'The bin is full: a bad card could not be captured.')
  if (status.card === 'gate') throw new DeviceFault('dispenser-jam', 'A card still lies at the gate.')
  if (status.card !== 'none') {
    handle.activity = 'capturing'
    await machine.move('capture')
  }
  if (status.stacker === 'empty') throw new DeviceFault('dispenser-empty', 'The stacker is empty.')
}

async function feed(
  { machine, handle }: NonNullable<Station['dispenser']>,
  say: (step: 'feeding') => void,
): Promise<void> {
  say('feeding')
  handle.activity = 'dispensing'
  await machine.move('encoder')
  handle.activity = 'encoding'
}

async function present(
  door: Door,
  { machine, handle }: NonNullable<Station['dispenser']>,
  runId: string,
  { actor }: WriteOptions,
  say: (step: 'presenting') => void,
): Promise<void> {
  say('presenting')
  const noted = door.write(stepCard, { runId, step: 'presented' }, { actor })
  handle.activity = 'presenting'
  const [moved, written] = await Promise.allSettled([bringToGate(machine), noted])
  if (moved.status === 'rejected') throw moved.reason
  if (written.status === 'rejected') throw written.reason
}

/** A guest may be quicker than the machine's answer: a card that is gone from the gate was taken. */
async function bringToGate(machine: CardDispenser): Promise<void> {
  try {
    await machine.move('front')
  } catch (error) {
    const mayBeTaken = error instanceof DeviceFault && error.code === 'dispenser-timeout'
    if (!mayBeTaken || (await machine.status()).card !== 'none') throw error
  }
}

/**
 * After a failure: the card is erased where that can be, and captured. What that proves of the key is written down;
 * where nothing is proven the way stays open, and the machine starts anew and settles it.
 */
async function clear(
  door: Door,
  station: Station,
  { runId }: KeyBegun,
  { actor }: WriteOptions,
  { step }: Progress,
  { code }: DeviceFault,
): Promise<void> {
  const untouched = isUntouched(step)
  const end = (ending: 'captured' | 'failed', status: KeyStatus) =>
    door.write(endCard, { runId, ending, status, reason: code, restore: true }, { actor })
  const { dispenser } = station
  if (!dispenser) {
    if (untouched || (await isErased(station))) await end('failed', 'failed')
    else await door.write(doubtKey, { runId, reason: code }, { actor })
    return
  }
  const { handle, machine } = dispenser
  const dead: KeyStatus =
    step === 'verified' || step === 'presenting' || step === 'done' ? 'removed' : 'failed'
  if (step === 'asked' || (step === 'feeding' && code === 'dispenser-empty'))
    return void (await end('failed', 'failed'))
  try {
    if (!untouched) await isErased(station)
    handle.activity = 'capturing'
    const { card } = await machine.status()
    if (card !== 'none') await machine.move('capture')
    else if (!untouched) throw new DeviceFault('dispenser-jam', 'The card is not where it should be.')
    await end(card === 'none' ? 'failed' : 'captured', dead)
  } catch (error) {
    const fault = asFault(error)
    await door.write(doubtKey, { runId, reason: code }, { actor })
    handle.fault = { fault, since: handle.bay.since }
    handle.bay.reset()
  } finally {
    handle.activity = null
  }
}

/** Nothing was written to a card so far. */
function isUntouched(step: Progress['step']): boolean {
  return step === 'asked' || step === 'searching' || step === 'feeding'
}

/** True when the card was erased, and was read back blank. Any failure is an answer: it is not proven. */
export async function isErased({ encoder, system }: Pick<Station, 'encoder' | 'system'>): Promise<boolean> {
  try {
    const card = await encoder.find()
    if (!card) return false
    await system.erase(encoder, card)
    const again = await encoder.find()
    if (!again || uidText(again) !== uidText(card)) return false
    const { blank } = await system.read(encoder, again)
    await encoder.off()
    return blank
  } catch (error) {
    if (error instanceof DeviceFault) return false
    throw error
  }
}

function formatOf({ format }: FoundCard) {
  return format === 'unknown' ? null : format
}

/** A write that the store refused, or a fault of our own, leaves the card as unproven as a failing device does. */
function asFault(error: unknown): DeviceFault {
  if (error instanceof DeviceFault) return error
  return new DeviceFault('vendor-error', 'The appliance could not go on.', { cause: error })
}
