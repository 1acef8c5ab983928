import { begunUnlessAborted } from '../../src/devices/at-most.ts'
import { DeviceFault } from '../../src/devices/fault.ts'
import { oneAtATime } from '../../src/devices/one-at-a-time.ts'

/** The maximum number of commands of one gateway that run or wait. */
const limit = 8

/**
 * Runs one command at a time on each gateway, in call order; all locks without a configured gateway share one queue. A
 * command that still waits when its signal is aborted, or that finds the queue full, rejects with `lock-system-busy`
 * and is never started.
 */
export function gatewayTurns(name: string, gateways: Record<string, readonly string[]>) {
  const turnOf = new Map<string, ReturnType<typeof oneAtATime>>()
  for (const locks of Object.values(gateways)) {
    const turn = oneAtATime(limit, 'lock-system-busy')
    for (const lock of locks) turnOf.set(lock, turn)
  }
  const ofOthers = oneAtATime(limit, 'lock-system-busy')

  const neverStarted = () =>
    new DeviceFault('lock-system-busy', `${name}: the other commands of the gateway did not end in time`)
  return <T>(lock: string, signal: AbortSignal, task: () => Promise<T>): Promise<T> =>
    begunUnlessAborted(signal, neverStarted, turnOf.get(lock) ?? ofOthers, task)
}
