import { createHook } from 'node:async_hooks'

/** What Node's object of a job tells of it: a hash, or a compression with its buffer of input. */
type Job = { ondone?: unknown; buffer?: unknown }

/** Jobs that may be at work, by the id of their object. */
const jobs = new Map<number, Job>()

createHook({
  init(id, type, _trigger, job: Job) {
    if (type === 'ZLIB' || type.endsWith('REQUEST')) jobs.set(id, job)
  },
  // A hash has ended when it calls back. A compressor is used again, until it is closed.
  before(id) {
    if (jobs.get(id)?.ondone) jobs.delete(id)
  },
  destroy: (id) => void jobs.delete(id),
  trackPromises: false,
}).enable()

/** Whether a thread of Node's pool hashes, signs or compresses for this process. `getActiveResourcesInfo` names no such job. */
export function arePoolJobsAtWork(): boolean {
  let areSome = false
  for (const [id, { ondone, buffer }] of jobs)
    if (ondone || buffer) areSome = true
    // A job that was done at once never calls back. A compressor may still begin.
    else if (buffer === undefined) jobs.delete(id)
  return areSome
}
