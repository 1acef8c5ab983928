import { begunUnlessAborted } from '../../src/devices/at-most.ts'
import type { Bay } from '../../src/devices/bay/bay.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import type { LockCall, LockSetup } from '../../src/devices/lock-system.ts'

/**
 * Runs `work` with exclusive use of the device. Rejects without starting it when that is not possible within
 * `timeoutMs`, or when the caller's signal is aborted. Work that has started always runs to its end.
 */
export function inTurn<Device, T>(
  bay: Bay<Device>,
  { signal, timeoutMs }: LockCall,
  { name, clock }: Pick<LockSetup, 'name' | 'clock'>,
  work: (device: Device) => Promise<T>,
): Promise<T> {
  const refusal = () => {
    const why = signal.aborted ? 'the caller no longer waits for it' : `not started within ${timeoutMs} ms`
    const code = bay.state() === 'online' ? 'lock-system-busy' : 'lock-system-unreachable'
    return new DeviceFault(code, `${name}: ${why}`)
  }
  const either = AbortSignal.any([signal, clock.timeout(timeoutMs)])
  return begunUnlessAborted(either, refusal, (task: (device: Device) => Promise<T>) => bay.use(task), work)
}
