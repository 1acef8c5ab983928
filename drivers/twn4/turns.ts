import { DeviceFault } from '../../src/devices/fault.ts'

/**
 * Lets one task run at a time, in the order asked. A task beyond `limit` that are under way or waiting rejects with
 * `encoder-busy` and is never begun.
 */
export function turns(limit: number): <T>(task: () => Promise<T>) => Promise<T> {
  let last: Promise<unknown> = Promise.resolve()
  let begun = 0
  return async (task) => {
    if (begun >= limit) throw new DeviceFault('encoder-busy', `${limit} calls are waiting for the encoder`)
    begun++
    const mine = last.then(task).finally(() => begun--)
    last = mine.catch(() => undefined)
    return mine
  }
}
