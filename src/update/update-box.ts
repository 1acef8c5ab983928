import type { Backups } from '../backup/backups.ts'
import type { BackgroundWork } from '../host/background-work.ts'
import type { Clock } from '../host/clock.ts'
import type { Log } from '../host/log.ts'
import { type Message, shownMessage } from '../jsonapi/locales/message.ts'
import type { Writer } from '../resource/command.ts'
import { isBefore } from './after-start.ts'
import type { Bustle } from './quiet.ts'
import type { Rauc, Slots } from './rauc.ts'
import type { TrialFacts } from './trial.ts'
import { noteFinished } from './update-commands.ts'
import type { UpdateSettings } from './update-settings.ts'
import type { Ended, Job, KnownDevice, Said, UpdateFiles, UpdateState } from './update-state.ts'

/** The machine below the program. */
export interface Machine {
  /** Returns a text that differs for each boot of the machine. */
  bootId(): string
  /** Returns the milliseconds since the boot of the machine. */
  uptimeMs(): number
  /** Returns why this machine must not install updates; null when it may. */
  refusal(): Message | null
}

export interface UpdateOptions {
  files: UpdateFiles
  settings: UpdateSettings
  /** The version of this program. */
  version: string
  clock: Clock
  /** The time zone of the property, and the id that determines the box's position in a roll-out. */
  zone(): string
  boxId(): string
  rauc: Rauc
  machine: Machine
  /** The free space for a bundle, in bytes. */
  freeBytes(): Promise<number>
  backups: Pick<Backups, 'make' | 'isUnderWay'>
  bustle: Bustle
  /** The dispensers and encoders that are online now. */
  devices(): Promise<KnownDevice[]>
  trial: TrialFacts
  writer: Pick<Writer, 'execute'>
  log: Log
  background: BackgroundWork
  failed(error: unknown): void
}

/** The updates of a running box: the stored state, and the state of this run of the program. */
export interface UpdateBox extends UpdateOptions {
  state: UpdateState
  /** Null without RAUC, and before RAUC has answered. */
  slots: Slots | null
  /** The progress of the current step; null where it has none. */
  percent: number | null
  /** Why the update waits; null while it works. */
  waits: Message | null
  /** Aborted when the program stops. */
  ending: AbortSignal
}

/** Stores changes of the state. */
export function keep(box: UpdateBox, change: Partial<UpdateState>): void {
  box.state = { ...box.state, ...change }
  box.files.write(box.state)
}

/** Stores changes of the job. */
export function move(box: UpdateBox, job: Job, change: Partial<Job>): void {
  box.percent = null
  box.waits = null
  keep(box, { job: { ...job, ...change } })
}

/** Returns a message in its stored form. */
export function saidOf(message: Message | Said): Said {
  return 'text' in message ? message : shownMessage('en', message)
}

/** Ends a job, stores its result, and records it. */
export async function finish(
  box: UpdateBox,
  job: Job,
  result: Ended['result'],
  reason: readonly (Message | Said)[],
): Promise<void> {
  const { id, version, from, by, slot, startedAt } = job
  const endedAt = box.clock.now()
  const texts = reason.map(saidOf)
  const last = { id, version, from, by, result, slot, startedAt, endedAt, reason: texts, isNoted: false }
  const others = box.state.failed.filter((each) => each !== version)
  const failed = result === 'rolled-back' && version !== null ? [...others, version].slice(-20) : others
  box.percent = null
  box.waits = null
  keep(box, { job: null, last, failed })
  // The next attempt continues an incomplete download, and does not repeat a complete one.
  if (result !== 'failed' || !isBefore(job.step, 'installing')) box.files.removeBundles()
  box.log.warn({ version, result, reason: texts.map(({ text }) => text).join(' ') }, 'update ended')
  await noteLast(box)
}

/** Records the newest result in the journal, once. An error is reported, and the next call retries. */
export async function noteLast(box: UpdateBox): Promise<void> {
  const { last } = box.state
  if (!last || last.isNoted) return
  const { id, version, from, by, result, slot, startedAt, endedAt, reason } = last
  const seconds = Math.max(0, Math.round((endedAt - startedAt) / 1_000))
  const text = reason.length > 0 ? reason.map((each) => each.text).join(' ') : null
  try {
    const actor = { by: by ?? 'update', requestId: null }
    const input = { id, version, from, result, slot, seconds, reason: text }
    await box.writer.execute(noteFinished, input, { actor })
    if (box.state.last?.id === id) keep(box, { last: { ...last, isNoted: true } })
  } catch (error) {
    box.failed(error)
  }
}
