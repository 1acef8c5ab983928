import type { Bay } from '../../src/devices/bay.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import type { LockCall } from '../../src/devices/lock-system.ts'

/**
 * Gives the device to `work` alone. Rejects without having begun when that does not come about within `timeoutMs`, or
 * once nobody waits any more; work that has begun goes on to its end.
 */
export async function inTurn<Device, T>(
  bay: Bay<Device>,
  { signal, timeoutMs }: LockCall,
  name: string,
  work: (device: Device) => Promise<T>,
): Promise<T> {
  const { promise: dropped, reject } = Promise.withResolvers<never>()
  let state: 'waiting' | 'begun' | 'dropped' = 'waiting'

  function drop(why: string): DeviceFault {
    const code = bay.state() === 'online' ? 'lock-system-busy' : 'lock-system-unreachable'
    const fault = new DeviceFault(code, `${name}: ${why}`)
    if (state === 'waiting') {
      state = 'dropped'
      reject(fault)
    }
    return fault
  }

  const noMore = () => void drop('nobody waits for it any more')
  if (signal.aborted) throw drop('nobody waits for it any more')
  const timer = setTimeout(() => drop(`not begun within ${timeoutMs} ms`), timeoutMs)
  signal.addEventListener('abort', noMore, { once: true })
  const done = bay.use(async (device) => {
    if (state === 'dropped') throw drop('not begun in time')
    state = 'begun'
    return work(device)
  })
  try {
    return await Promise.race([done, dropped])
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', noMore)
  }
}
