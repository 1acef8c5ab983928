import { join } from 'node:path'
import { dataFiles } from '../host/files/data-files.ts'
import { isBefore } from './after-start.ts'
import { saidOf } from './update-box.ts'
import { updateFiles } from './update-state.ts'

/**
 * Stores why a new version on trial cannot use its data. The old version reports this reason after the trial. Does
 * nothing when no update is at its restart or trial. Never throws, because the disk may be the reason.
 */
export function noteFailedStart(data: string, detail: string): void {
  try {
    const files = updateFiles(join(data, dataFiles.updates))
    const state = files.read()
    const { job } = state
    if (!job || isBefore(job.step, 'restarting')) return
    const missing = [saidOf({ code: 'update-trial-data', values: { detail } })]
    files.write({ ...state, job: { ...job, missing } })
  } catch {
    // The system ends the trial anyway.
  }
}
