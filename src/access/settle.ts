import type { CardDispenser, CardLockSystem } from '../devices/capability.ts'
import { DeviceFault } from '../devices/fault.ts'
import type { Actor, Door } from '../resource/change.ts'
import type { Reader } from '../resource/keeper.ts'
import type { EncoderHandle } from './handles.ts'
import { isErased } from './issue-card.ts'
import { endCard } from './key-changes.ts'
import { type CardRun, cardRun } from './resources/card-run.ts'
import type { KeyStatus } from './resources/key.ts'

const actor: Actor = { by: 'settle', requestId: null }

export interface SettleOptions {
  reader: Reader
  door: Door
  /** The encoder that a card in this dispenser lies on, and the lock system it writes for; null where there is none. */
  encoderOf(dispenserId: string): { encoder: EncoderHandle; system: CardLockSystem } | null
  /** A proven card waits at the gate: somebody has to see whether it is taken. */
  waiting(dispenserId: string, card: { runId: string; keyId: string }): void
}

/**
 * Puts right what a power cut, a killed program or a failing machine left behind, before anything new is issued: the
 * ways that are still open are held against where the card is found. An unproven card is erased and captured; a proven
 * one may stay at the gate for its guest.
 */
export async function settleDispenser(
  options: SettleOptions,
  dispenserId: string,
  machine: CardDispenser,
): Promise<void> {
  const runs = openRuns(options.reader, [{ path: 'dispenserId', operator: 'eq', value: dispenserId }])
  const { card } = await machine.status()
  const last = runs.at(-1)
  if (card === 'gate' && last && (last.step === 'presented' || last.step === 'verified')) {
    await endAll(options.door, runs.slice(0, -1), () => gone)
    options.waiting(dispenserId, { runId: last.id, keyId: last.keyId })
    return
  }
  if (card !== 'none') await captureCard(options, dispenserId, machine)
  await endAll(options.door, runs, card === 'none' ? afterNothingFound : afterCapture)
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

const gone: Ending = { ending: 'unknown', status: null, restore: false }

/** No card is in the path. Before the first byte nothing can have been written; after the proof the guest has it. */
function afterNothingFound({ step }: CardRun): Ending {
  if (step === 'asked') return { ending: 'failed', status: 'failed', restore: true }
  if (step === 'writing') return { ending: 'unknown', status: 'unknown', restore: false }
  return { ending: 'taken', status: null, restore: false }
}

/** The card is in the bin: what it was to open, or could open, nobody holds. */
function afterCapture({ step }: CardRun): Ending {
  const proven = step === 'verified' || step === 'presented'
  return { ending: 'captured', status: proven ? 'removed' : 'failed', restore: true }
}

async function captureCard(
  options: SettleOptions,
  dispenserId: string,
  machine: CardDispenser,
): Promise<void> {
  const near = options.encoderOf(dispenserId)
  if (near) await eraseWithin(near)
  const { card } = await machine.move('capture')
  if (card !== 'none') throw new DeviceFault('dispenser-jam', 'A card in the path could not be captured.')
}

/** An encoder that is away does not keep the card in the path. */
async function eraseWithin({
  encoder,
  system,
}: {
  encoder: EncoderHandle
  system: CardLockSystem
}): Promise<void> {
  try {
    await encoder.bay.use((device) => isErased({ encoder: device, system }))
  } catch (error) {
    if (!(error instanceof DeviceFault)) throw error
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
  return reader.rows(cardRun, {
    filters,
    sort: [],
    page: { size: 1000 },
  })
}
