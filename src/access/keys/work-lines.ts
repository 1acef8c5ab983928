import { DeviceFault } from '../../devices/fault.ts'
import type { AccessController } from '../resources/access-controller.ts'

/** Who waits at the controllers. */
export interface WorkLines {
  /** Rejects with encoder-busy when `queueLimit` others wait behind the one at work. */
  inLine<T>(controller: AccessController, work: () => Promise<T>): Promise<T>
  /**
   * The same, one after the other: for what no bay keeps apart. A stay has one PIN at a lock system, whichever controller
   * makes it, so PINs wait for each other at their provider.
   */
  oneByOne<T>(controller: AccessController, work: () => Promise<T>): Promise<T>
  /** Whether somebody is at work, or waits, where this controller's turn would come. */
  isBusy(controller: AccessController): boolean
  /** How many are at a controller, the one at work included. */
  queued(controllerId: string): number
}

export function workLines(): WorkLines {
  const queues = new Map<string, number>()
  const last = new Map<string, Promise<unknown>>()

  async function inLine<T>({ id, name, queueLimit }: AccessController, work: () => Promise<T>): Promise<T> {
    const before = queues.get(id) ?? 0
    if (before > (queueLimit ?? 5))
      throw new DeviceFault('encoder-busy', `${name}: ${before - 1} are waiting already.`)
    queues.set(id, before + 1)
    try {
      return await work()
    } finally {
      const left = (queues.get(id) ?? 1) - 1
      if (left > 0) queues.set(id, left)
      else queues.delete(id)
    }
  }

  function oneByOne<T>(controller: AccessController, work: () => Promise<T>): Promise<T> {
    const id = lineOf(controller)
    return inLine(controller, async () => {
      const before = last.get(id)
      const mine = (async () => {
        await before
        return work()
      })()
      const ended = mine.catch(() => {})
      last.set(id, ended)
      try {
        return await mine
      } finally {
        if (last.get(id) === ended) last.delete(id)
      }
    })
  }

  const isBusy = (controller: AccessController) => last.has(lineOf(controller))
  return { inLine, oneByOne, isBusy, queued: (controllerId) => queues.get(controllerId) ?? 0 }
}

function lineOf({ id, providerId, keyType }: AccessController): string {
  return keyType === 'pinCode' ? providerId : id
}
