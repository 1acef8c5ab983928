import { DeviceFault, type FaultCode } from './fault.ts'

/**
 * Lets one task run at a time, in the order asked. A task beyond `limit` that are under way or waiting rejects with
 * `busy` and is never begun.
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
