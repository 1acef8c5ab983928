import { createHook } from 'node:async_hooks'

/** Node's object of a job: `run` begins one that hashes or signs, `write` one that compresses, again and again. */
interface Job {
  run?(): unknown
  write?(...values: unknown[]): unknown
  /** What a job calls that neither ends at once nor gives a promise. */
  ondone?: unknown
}

/** The ids of the objects that have a job under way. */
const atWork = new Set<number>()
const ended = (id: number) => void atWork.delete(id)

createHook({
  init(id, type, _trigger, job: Job) {
    if (type === 'ZLIB') watchWrites(id, job)
    else if (type.endsWith('REQUEST')) watchRun(id, job)
  },
  // It calls back, with a result or an error.
  before: ended,
  destroy: ended,
  trackPromises: false,
}).enable()

function watchWrites(id: number, job: Job): void {
  const { write } = job
  job.write = (...values) => {
    atWork.add(id)
    return write?.apply(job, values)
  }
}

function watchRun(id: number, job: Job): void {
  const { run } = job
  if (!run) return
  job.run = () => {
    const result = run.call(job)
    const isPromise = result instanceof Promise
    if (isPromise || job.ondone) atWork.add(id)
    if (isPromise)
      result.then(
        () => ended(id),
        () => ended(id),
      )
    return result
  }
}

/** Whether a thread of Node's pool hashes, signs or compresses for this process. `getActiveResourcesInfo` names no such job. */
export const arePoolJobsAtWork = (): boolean => atWork.size > 0
