import { DeviceFault, type FaultCode } from '../../../devices/fault.ts'
import type { WriteOptions } from '../../../resource/command.ts'
import type { AccessController } from '../../resources/access-controller.ts'
import type { KeyOrder } from './key-order.ts'

/**
 * The steps of making a key, in their order, with the faults of a step that took too long: that of the encoder or the
 * dispenser, and that where the lock system writes the key. At `asked` the key is stored; at `writing` the first byte
 * may reach a card.
 */
export const jobSteps = {
  queued: ['encoder-busy', 'lock-system-busy'],
  asked: ['encoder-timeout', 'lock-system-unreachable'],
  feeding: ['dispenser-timeout', 'dispenser-timeout'],
  searching: ['encoder-timeout', 'lock-system-unreachable'],
  writing: ['encoder-timeout-writing', 'lock-system-timeout'],
  proving: ['encoder-timeout-writing', 'lock-system-timeout'],
  verified: ['dispenser-timeout', 'dispenser-timeout'],
  presenting: ['dispenser-timeout', 'dispenser-timeout'],
  done: ['dispenser-timeout', 'dispenser-timeout'],
} as const satisfies Record<string, [FaultCode, FaultCode]>
export type JobStep = keyof typeof jobSteps

/** The progress of a job. It decides how a timeout is answered and what a failure means. */
export interface Progress {
  readonly step: JobStep
  /** The id of the key; null until the key is stored. */
  readonly keyId: string | null
  /** The serial number of the card; null until the card was found. */
  readonly uid: string | null
}

/** One job at a controller. Its caller is answered in time, whether the job is done or not. */
export type Job = ReturnType<typeof queuedJob>

/** A key that is made by a controller which runs this job now. */
export interface KeyJob {
  controller: AccessController
  order: KeyOrder
  options: WriteOptions
  job: Job
}

/** Returns a job that waits for its turn. */
export function queuedJob() {
  let progress: Progress = { step: 'queued', keyId: null, uid: null }
  let isCancelled = false
  return {
    /** A snapshot: it does not change when the job continues. */
    progress: (): Progress => progress,
    /** Sets the step, the id of the key or the serial number of the card. */
    report(news: Partial<Progress>): void {
      progress = { ...progress, ...news }
    },
    /** The caller was answered without a key: the job must no longer hand one out. */
    giveUp(): void {
      isCancelled = true
    },
    /** After `giveUp`, throws encoder-busy where the job is still queued, and encoder-timeout otherwise. */
    expectAwaited(): void {
      if (!isCancelled) return
      if (progress.step === 'queued')
        throw new DeviceFault('encoder-busy', 'The request was canceled before its turn came.')
      throw new DeviceFault('encoder-timeout', 'The time of the request was over before the key was ready.')
    },
  }
}
