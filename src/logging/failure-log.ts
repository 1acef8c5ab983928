import type { Log } from '../host/log.ts'
import { remedyOf } from '../store/disk/disk-trouble.ts'
import type { DiskWatch } from '../store/disk/disk-watch.ts'

type Failed = (error: unknown, more?: Record<string, unknown>, message?: string) => void

/**
 * Returns a function that logs faults. Trouble of the disk is one line when it begins and one when it ends,
 * however often it is met; every other fault is a line each time.
 */
export function failureLog(log: Log, disk: DiskWatch): Failed {
  disk.subscribe((trouble) => {
    if (trouble) log.error({ trouble: trouble.is, code: trouble.code }, `the storage: ${remedyOf(trouble)}`)
    else log.warn('the storage works again')
  })
  return (error, more = {}, message = 'unexpected') => {
    if (!disk.problem(error)) log.error({ err: error, ...more }, message)
  }
}
