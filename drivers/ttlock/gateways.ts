import { DeviceFault } from '../../src/devices/fault.ts'
import { oneAtATime } from '../../src/devices/one-at-a-time.ts'

/** How many commands of one gateway may be under way or waiting. */
const limit = 8

/**
 * Lets each gateway do one thing at a time, in the order asked; the locks that no gateway names share one turn. What has
 * to wait until its signal fires, or finds too many before it, rejects with `lock-system-busy` and is never begun.
 */
export function gatewayTurns(name: string, gateways: Record<string, readonly string[]>) {
  const turnOf = new Map<string, Turn>()
  for (const locks of Object.values(gateways)) {
    const turn = oneAtATime(limit, 'lock-system-busy')
    for (const lock of locks) turnOf.set(lock, turn)
  }
  const ofOthers = oneAtATime(limit, 'lock-system-busy')

  return <T>(lock: string, signal: AbortSignal, task: () => Promise<T>): Promise<T> => {
    const turn = turnOf.get(lock) ?? ofOthers
    const { promise, resolve, reject } = Promise.withResolvers<T>()
    let begun = false
    const giveUp = () => {
      if (!begun) reject(waitedInVain(name))
    }
    signal.addEventListener('abort', giveUp, { once: true })
    turn(async () => {
      if (signal.aborted) throw waitedInVain(name)
      begun = true
      return task()
    })
      .then(resolve, reject)
      .finally(() => signal.removeEventListener('abort', giveUp))
    return promise
  }
}

type Turn = ReturnType<typeof oneAtATime>

function waitedInVain(name: string): DeviceFault {
  return new DeviceFault('lock-system-busy', `${name}: waited in vain for other commands of the gateway`)
}
