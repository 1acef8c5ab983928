import { DeviceFault } from '../../devices/fault.ts'
import type { WriteOptions } from '../../resource/command.ts'
import type { AccessController } from '../resources/access-controller.ts'
import type { KeyOrder } from './key-order.ts'

/** The steps of making a key, in their order: `asked` is written down, `writing` is the first byte that may reach a card. */
export type JobStep =
  | 'queued'
  | 'asked'
  | 'feeding'
  | 'searching'
  | 'writing'
  | 'proving'
  | 'verified'
  | 'presenting'
  | 'done'

/** How far a job is: for an answer that cannot wait for its end, and for what a failure means. */
export interface Progress {
  readonly step: JobStep
  /** The key in the store; null until it is begun. */
  readonly keyId: string | null
  /** The card's serial number, once it was found. */
  readonly uid: string | null
}

/** One piece of work at a controller, for a caller who is answered in time whether it is done or not. */
export interface Job {
  /** A snapshot: it does not change when the job goes on. */
  progress(): Progress
  /** The job has come to this step, or knows this of its key and its card. */
  report(news: Partial<Progress>): void
  /** The caller is answered without a key: none may come out any more. */
  giveUp(): void
  /** Throws encoder-busy, or encoder-timeout after the first step, once the caller was answered without a key. */
  expectAwaited(): void
}

/** A key that is to be made through a controller whose turn it is. */
export interface KeyJob {
  controller: AccessController
  order: KeyOrder
  options: WriteOptions
  job: Job
}

/** A job that waits for its turn. */
export function queuedJob(): Job {
  let progress: Progress = { step: 'queued', keyId: null, uid: null }
  let isGivenUp = false
  return {
    progress: () => progress,
    report(news) {
      progress = { ...progress, ...news }
    },
    giveUp() {
      isGivenUp = true
    },
    expectAwaited() {
      if (!isGivenUp) return
      const code = progress.step === 'queued' ? 'encoder-busy' : 'encoder-timeout'
      throw new DeviceFault(code, 'Nobody waits any more.')
    },
  }
}
