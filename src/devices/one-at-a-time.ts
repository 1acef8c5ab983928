import { DeviceFault, type FaultCode } from './fault.ts'

/**
 * A mutex: runs one task at a time, in call order. When `limit` tasks are running or waiting, a further task rejects
 * with `busy` and is never started.
 */
export function oneAtATime(limit: number, busy: FaultCode): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  let begun = 0
  return async (task) => {
    if (begun >= limit) throw new DeviceFault(busy, `${limit} calls are waiting for the device`)
    begun++
    const mine = last.then(task).finally(() => begun--)
    last = mine.catch(() => undefined)
    return mine
  }
}
