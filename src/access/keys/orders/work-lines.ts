import { DeviceFault } from '../../../devices/fault.ts'
import type { AccessController } from '../../resources/access-controller.ts'

/** The queues of the controllers. */
export type WorkLines = ReturnType<typeof workLines>

/** Returns empty queues. */
export function workLines() {
  const queues = new Map<string, number>()
  const last = new Map<string, Promise<unknown>>()

  /** The number of jobs at a controller, including the running one. */
  const queued = (controllerId: string) => queues.get(controllerId) ?? 0

  /** Runs the work at once. Rejects with encoder-busy when one job runs and `queueLimit` others wait. */
  async function counted<T>({ id, name, queueLimit }: AccessController, work: () => Promise<T>): Promise<T> {
    const before = queued(id)
    if (before > (queueLimit ?? 5))
      throw new DeviceFault(
        'encoder-busy',
        `${name}: ${before - 1} requests already wait. Try again shortly.`,
      )
    queues.set(id, before + 1)
    try {
      return await work()
    } finally {
      queues.set(id, queued(id) - 1)
    }
  }

  /**
   * Runs the work after all earlier work in the same queue. The PINs of one provider share a queue, because a stay has
   * one PIN at a lock system, whichever controller makes it.
   */
  function oneByOne<T>(controller: AccessController, work: () => Promise<T>): Promise<T> {
    const id = lineOf(controller)
    return counted(controller, async () => {
      const mine = Promise.resolve(last.get(id)).then(work)
      const ended = mine.catch(() => {})
      last.set(id, ended)
      try {
        return await mine
      } finally {
        if (last.get(id) === ended) last.delete(id)
      }
    })
  }

  /** Whether work runs or waits in the queue of this controller. */
  const isBusy = (controller: AccessController) => last.has(lineOf(controller))
  return { counted, oneByOne, isBusy, queued }
}

function lineOf({ id, providerId, keyType }: AccessController): string {
  return keyType === 'pinCode' ? providerId : id
}
