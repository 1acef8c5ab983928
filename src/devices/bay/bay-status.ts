import { DeviceFault } from '../fault.ts'
import type { BayEvent, BayState } from './bay-event.ts'
import type { BayOptions } from './bay-options.ts'

/** The state of the device of a bay, and a way to observe it. */
export type BayStatus = ReturnType<typeof bayStatus>

type StatusOptions = Pick<BayOptions<never>, 'name' | 'clock' | 'log' | 'offlineCode'>

/** The status of a device that has not been opened yet. */
export function bayStatus({ name, clock, log, offlineCode }: StatusOptions) {
  const watchers = new Set<() => void>()
  let state: BayState = 'offline'
  let since = clock.now()
  let lastFault: Error | null = null

  return {
    get state(): BayState {
      return state
    },
    /** Unix milliseconds at which the current state began. */
    get since(): number {
      return since
    },
    /** Why the device was lost or failed to start; null while it is online. */
    get lastFault(): Error | null {
      return lastFault
    },
    enter(next: BayState, fault: Error | null): void {
      if (state !== next) since = clock.now()
      state = next
      lastFault = fault
      for (const look of watchers) look()
    },
    report(what: BayEvent['what'], fault: Error | null): void {
      try {
        log?.({ bay: name, what, at: clock.now(), fault })
      } catch (error) {
        // An observer that throws must not stop the reopening of the device.
        process.emitWarning(asError(error))
      }
    },
    /** The fault for a user who wants the device while it is offline. */
    offline(): DeviceFault {
      const why = lastFault?.message ?? 'is not open yet'
      return new DeviceFault(offlineCode, `${name}: ${why}`, { cause: lastFault })
    },
    /** Calls `look` now and at each change. Returns a function that ends this. */
    watch(look: () => void): () => void {
      watchers.add(look)
      look()
      return () => void watchers.delete(look)
    },
    isWatched: (): boolean => watchers.size > 0,
  }
}

/** The thrown value as an Error. */
export function asError(error: unknown): Error {
  return error instanceof Error ? error : new Error(String(error))
}
