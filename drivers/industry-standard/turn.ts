import type { Bay } from '../../src/devices/bay/bay.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import type { LockCall, LockSetup } from '../../src/devices/lock-system.ts'

/**
 * Runs `work` with exclusive use of the device. Rejects without starting it when that is not possible within
 * `timeoutMs`, or when the caller's signal is aborted. Work that has started always runs to its end.
 */
export async function inTurn<Device, T>(
  bay: Bay<Device>,
  { signal, timeoutMs }: LockCall,
  { name, clock }: Pick<LockSetup, 'name' | 'clock'>,
  work: (device: Device) => Promise<T>,
): Promise<T> {
  const { promise: dropped, reject } = Promise.withResolvers<never>()
  let state: 'waiting' | 'begun' | 'dropped' = 'waiting'

  function refusal(why: string): DeviceFault {
    const code = bay.state() === 'online' ? 'lock-system-busy' : 'lock-system-unreachable'
    return new DeviceFault(code, `${name}: ${why}`)
  }

  function drop(why: string): void {
    if (state !== 'waiting') return
    state = 'dropped'
    reject(refusal(why))
  }

  if (signal.aborted) throw refusal(unwanted)
  const left = () => drop(unwanted)
  const timer = clock.setTimeout(() => drop(`not started within ${timeoutMs} ms`), timeoutMs)
  signal.addEventListener('abort', left, { once: true })
  const done = bay.use(async (device) => {
    if (state === 'dropped') throw refusal('not started in time')
    state = 'begun'
    return work(device)
  })
  try {
    return await Promise.race([done, dropped])
  } finally {
    timer.cancel()
    signal.removeEventListener('abort', left)
  }
}

const unwanted = 'the caller no longer waits for it'
